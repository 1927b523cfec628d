// The header Idempotency-Key, accepted on every call that creates a task. choices-9.
import type { IdempotencyKey } from '../../domain/ports/store/queue.ts';
import { canonicalHash } from '../../lib/json/canonical-hash.ts';
import { invalidInput } from './schema.ts';

/**
 * The key of a call, scoped to `operation`; the store scopes it to tenant and subject. Undefined without the header.
 * @param content identifies the call: the same key with other content is rejected
 * @throws DomainError invalid unless the key is 1–255 printable characters
 */
export function parseIdempotencyKey(
  header: string | undefined,
  operation: string,
  content: unknown,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(header)) {
    throw invalidInput([{ path: '/headers/idempotency-key', message: 'must be 1 to 255 printable ASCII characters' }]);
  }
  return { key: header, operation, bodyHash: canonicalHash(content) };
}

/** The header that marks an answer as a replay of an earlier one. */
export function replayHeaders(replayed: boolean): Record<string, string> {
  return replayed ? { 'idempotency-replayed': 'true' } : {};
}
