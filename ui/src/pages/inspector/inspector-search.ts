// What the address of the page holds.
import type { RawSearch } from '../../search.ts';

export function inspectorSearch(_raw: RawSearch): Record<never, never> {
  return {};
}
