// What the address of the page holds.
import type { RawSearch } from '../../search.ts';

export function taskListSearch(_raw: RawSearch): Record<never, never> {
  return {};
}

export function newTaskSearch(_raw: RawSearch): Record<never, never> {
  return {};
}
