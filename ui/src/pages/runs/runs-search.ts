// What the address of the page holds.
import type { RawSearch } from '../../search.ts';

export function runsSearch(_raw: RawSearch): Record<never, never> {
  return {};
}

export function runSearch(_raw: RawSearch): Record<never, never> {
  return {};
}
