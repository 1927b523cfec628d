// The address of a comparison: tasks, or attempts of one task, and the file whose patches are open.
import { textOf, type RawSearch } from '../../search.ts';

export interface CompareSearch {
  /** Two to four tasks, separated by commas. */
  readonly ids?: string | undefined;
  readonly task?: string | undefined;
  /** Two to four attempts of `task`, counted from 1, separated by commas. */
  readonly attempts?: string | undefined;
  readonly file?: string | undefined;
}

export function compareSearch(raw: RawSearch): CompareSearch {
  return {
    ids: textOf(raw['ids']),
    task: textOf(raw['task']),
    attempts: textOf(raw['attempts']),
    file: textOf(raw['file'], 4_096),
  };
}
