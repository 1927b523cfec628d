// Cursors of lists: opaque to callers, the last id of a page to us.
import { invalidInput } from './schema.ts';

/** What a list goes on behind: by which its cursors are told from what is none of ours. */
const cursorPatterns = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  number: /^\d{1,15}$/,
  text: /./s,
};

/** The page that a query asks for. @throws DomainError invalid for a cursor that is none of ours */
export function parsePage(
  query: { limit: number; cursor?: string | undefined },
  form: keyof typeof cursorPatterns,
): { limit: number; before: string | undefined } {
  if (query.cursor === undefined) return { limit: query.limit, before: undefined };
  const before = Buffer.from(query.cursor, 'base64url').toString('utf8');
  if (encodeCursor(before) !== query.cursor || !cursorPatterns[form].test(before) || before.includes('\0')) {
    throw invalidInput([{ path: '/query/cursor', message: 'is not a cursor that a list answered' }]);
  }
  return { limit: query.limit, before };
}

export function encodeCursor(last: string | null): string | null {
  return last === null ? null : Buffer.from(last, 'utf8').toString('base64url');
}
