// Reads pages of conversation messages from the log, for the verbs of conversations.
import { parsePosition, type LogPosition } from '../model/task/log-position.ts';
import type { MessageFilter, PositionedMessage } from '../ports/store/log.ts';
import type { Rows } from '../ports/store/store.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';

/** Events that one statement scans, and statements for one page: a search for a rare word takes several calls. */
const searchBounds = { scannedPlain: 400, scannedForText: 5_000, maxQueries: 10 };

/** Newest first. A page that is not full may have a `next`: one call scans a bounded number of events. */
export async function collectMessages(
  rows: Rows,
  filter: MessageFilter,
  page: { limit: number; before: LogPosition | undefined },
): Promise<{ messages: PositionedMessage[]; next: LogPosition | null }> {
  const scanLimit =
    filter.text === undefined ? Math.max(searchBounds.scannedPlain, page.limit * 4) : searchBounds.scannedForText;
  const messages: PositionedMessage[] = [];
  let { before } = page;
  for (let queries = 0; queries < searchBounds.maxQueries; queries += 1) {
    const found = await rows.messages.search(filter, { limit: page.limit - messages.length, before, scanLimit });
    messages.push(...found.messages);
    if (found.next === null || messages.length === page.limit) return { messages, next: found.next };
    before = found.next;
  }
  return { messages, next: before ?? null };
}

/** @throws DomainError invalid for a malformed cursor */
export function parseCursor(cursor: string | undefined): LogPosition | undefined {
  if (cursor === undefined) return undefined;
  const position = parsePosition(cursor);
  if (position === undefined) throw invalidField('/query/cursor', 'is not a cursor of an earlier answer');
  return position;
}
