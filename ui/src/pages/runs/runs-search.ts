// The addresses of the pages of runs.
import { flagOf, oneOf, textOf, type RawSearch } from '../../search.ts';

const statuses = ['pending', 'running', 'paused', 'needs_input', 'completed', 'failed', 'cancelled'] as const;

export interface RunsSearch {
  readonly status?: (typeof statuses)[number] | undefined;
  readonly q?: string | undefined;
}

export function runsSearch(raw: RawSearch): RunsSearch {
  return { status: oneOf(raw['status'], statuses), q: textOf(raw['q']) };
}

export interface RunSearch {
  /** All evidence of the story is open. */
  readonly evidence?: true | undefined;
}

export function runSearch(raw: RawSearch): RunSearch {
  return { evidence: flagOf(raw['evidence']) };
}
