// The address of the codebases.
import { flagOf, oneOf, textOf, type RawSearch } from '../../search.ts';

export interface CodebasesSearch {
  /** Words of names and paths in the list, of sessions on the page of one codebase. */
  readonly q?: string | undefined;
  readonly part?: 'sessions' | undefined;
  /** The form of a new codebase is open. */
  readonly add?: true | undefined;
  /** The task that asks the workers for a path. */
  readonly task?: string | undefined;
}

export function codebasesSearch(raw: RawSearch): CodebasesSearch {
  return {
    q: textOf(raw['q']),
    part: oneOf(raw['part'], ['sessions'] as const),
    add: flagOf(raw['add']),
    task: textOf(raw['task']),
  };
}
