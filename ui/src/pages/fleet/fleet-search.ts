// What the address of the page holds.
import type { RawSearch } from '../../search.ts';

export function fleetSearch(_raw: RawSearch): Record<never, never> {
  return {};
}
