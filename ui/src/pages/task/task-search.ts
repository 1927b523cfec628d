// The address of a task: attempt, line, file and line of the changes.
import { integerOf, matching, textOf, type RawSearch } from '../../search.ts';

export interface TaskSearch {
  /** Attempt whose output or changes are shown, counted from 1. */
  readonly attempt?: number | undefined;
  /** `244` or `244-260`: lines of the output. */
  readonly line?: string | undefined;
  /** Path in the changes. */
  readonly file?: string | undefined;
  /** `R12` or `L12`: a line of the file on the new or the old side. */
  readonly at?: string | undefined;
}

export function taskSearch(raw: RawSearch): TaskSearch {
  return {
    attempt: integerOf(raw['attempt'], 1, 1_000),
    line: matching(raw['line'], /^\d{1,9}(?:-\d{1,9})?$/),
    file: textOf(raw['file'], 4_096),
    at: matching(raw['at'], /^[LR]\d{1,9}$/),
  };
}

export const taskParts = ['output', 'changes', 'exchange', 'attempts', 'deliveries', 'who', 'raw'] as const;
export type TaskPart = (typeof taskParts)[number];
