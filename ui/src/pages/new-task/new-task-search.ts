// The address of the form of a new task.
import { textOf, type RawSearch } from '../../search.ts';

/** The first values of the form. */
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
