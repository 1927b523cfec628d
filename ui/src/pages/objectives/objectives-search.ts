// What the addresses of the objectives hold.
import { flagOf, oneOf, textOf, type RawSearch } from '../../search.ts';

export const objectiveStatuses = ['draft', 'approved', 'running', 'completed', 'denied'] as const;

export interface ObjectivesSearch {
  readonly status?: (typeof objectiveStatuses)[number] | undefined;
  readonly owner?: string | undefined;
  readonly q?: string | undefined;
  /** The form of a new objective is open. */
  readonly add?: true | undefined;
}

export function objectivesSearch(raw: RawSearch): ObjectivesSearch {
  return {
    status: oneOf(raw['status'], objectiveStatuses),
    owner: textOf(raw['owner']),
    q: textOf(raw['q']),
    add: flagOf(raw['add']),
  };
}
