// What the address of the form of a new task holds.
import { textOf, type RawSearch } from '../../search.ts';

/** What the form begins with. */
export interface NewTaskSearch {
  /** The task whose prompt and codebase are filled in. */
  readonly from?: string | undefined;
  readonly codebase?: string | undefined;
  readonly conversation?: string | undefined;
}

export function newTaskSearch(raw: RawSearch): NewTaskSearch {
  return {
    from: textOf(raw['from']),
    codebase: textOf(raw['codebase']),
    conversation: textOf(raw['conversation']),
  };
}
