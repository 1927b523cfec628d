// A hash of a JSON value that ignores the order of its object keys.
import { sha256 } from '../digest.ts';

/** SHA-256, base64url. */
export function canonicalHash(value: unknown): string {
  return sha256(JSON.stringify(sorted(value)), 'base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}
