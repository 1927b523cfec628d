// The address of the fleet.
import { oneOf, type RawSearch } from '../../search.ts';

export interface FleetSearch {
  readonly status?: 'active' | 'offline' | undefined;
}

export function fleetSearch(raw: RawSearch): FleetSearch {
  return { status: oneOf(raw['status'], ['active', 'offline'] as const) };
}
