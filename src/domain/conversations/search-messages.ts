// The verb search messages: finds messages in all conversations of the tenant.
import type { Caller } from '../model/access/caller.ts';
import { formatPosition } from '../model/task/log-position.ts';
import type { MessageFilter, PositionedMessage } from '../ports/store/log.ts';
import type { Store } from '../ports/store/store.ts';
import { collectMessages, parseCursor } from './message-pages.ts';

/**
 * Messages of all conversations, newest first. A page may hold fewer than asked for and still have a `next`: one call
 * scans a bounded number of events.
 * @throws DomainError invalid for a malformed cursor
 */
export async function searchMessages(
  deps: { readonly store: Store },
  caller: Caller,
  filter: MessageFilter,
  page: { limit: number; before?: string | undefined },
): Promise<{ messages: PositionedMessage[]; next: string | null }> {
  const before = parseCursor(page.before);
  const { messages, next } = await deps.store.within(caller, (rows) =>
    collectMessages(rows, filter, { limit: page.limit, before }),
  );
  return { messages, next: next === null ? null : formatPosition(next) };
}
