// Cursors of lists: opaque to callers; decoded, the last key of a page.
import { invalidInput } from './schema.ts';

/** Forms of the key in a cursor. A cursor of another form was not issued by this service. */
const cursorPatterns = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  number: /^\d{1,15}$/,
  /** A place in a list by time of status, in microseconds, and in one by priority. */
  updated: /^u\d{1,16}\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  priority: /^p\d{1,3}\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  text: /./s,
};

/** The page that a query requests. @throws DomainError invalid for a cursor that this service did not issue */
export function parsePage(
  query: { limit: number; cursor?: string | undefined },
  form: keyof typeof cursorPatterns,
): { limit: number; before: string | undefined } {
  if (query.cursor === undefined) return { limit: query.limit, before: undefined };
  const before = Buffer.from(query.cursor, 'base64url').toString('utf8');
  if (encodeCursor(before) !== query.cursor || !cursorPatterns[form].test(before) || before.includes('\0')) {
    throw invalidInput([
      { path: '/query/cursor', message: 'is not a cursor of this list: send a next_cursor unchanged, or none' },
    ]);
  }
  return { limit: query.limit, before };
}

export function encodeCursor(last: string | null): string | null {
  return last === null ? null : Buffer.from(last, 'utf8').toString('base64url');
}
