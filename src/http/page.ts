// Cursors of lists: opaque to callers, the last id of a page to us.
import { invalidInput } from './schema.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The page that a query asks for. @throws DomainError invalid for a cursor that is none of ours */
export function pageOf(
  query: { limit: number; cursor?: string | undefined },
  form: 'uuid' | 'text',
): { limit: number; before: string | undefined } {
  if (query.cursor === undefined) return { limit: query.limit, before: undefined };
  const before = Buffer.from(query.cursor, 'base64url').toString('utf8');
  const ours = cursorOf(before) === query.cursor && (form === 'text' ? before.length > 0 : uuid.test(before));
  if (!ours || before.includes('\0')) {
    throw invalidInput([{ path: '/query/cursor', message: 'is not a cursor that a list answered' }]);
  }
  return { limit: query.limit, before };
}

export function cursorOf(last: string | null): string | null {
  return last === null ? null : Buffer.from(last, 'utf8').toString('base64url');
}
