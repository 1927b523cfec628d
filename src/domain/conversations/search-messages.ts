// The verb search messages: what was said anywhere in the tenant.
import type { Caller } from '../model/access/caller.ts';
import { formatPosition } from '../model/task/log-position.ts';
import type { MessageFilter, PositionedMessage } from '../ports/store/log.ts';
import type { Store } from '../ports/store/store.ts';
import { collectMessages, parseCursor } from './message-pages.ts';

/**
 * Messages of all conversations, newest first. A page may have fewer than asked for and still have a `next`: then no
 * more were found among the events that one call looks at.
 * @throws DomainError invalid for a wrong cursor
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
