// Finds the fields of a change that differ from the present values.
import { isDeepStrictEqual } from 'node:util';

/** The fields of `change` that differ from `before`; null: none does. */
export function changedFields<T extends object>(before: T, change: Partial<T>): Partial<T> | null {
  const result: Partial<T> = { ...change };
  for (const key in change) {
    if (isDeepStrictEqual(before[key], change[key])) Reflect.deleteProperty(result, key);
  }
  return Object.keys(result).length === 0 ? null : result;
}
