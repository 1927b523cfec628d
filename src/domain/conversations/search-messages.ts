// The verb search messages: what was said anywhere in the tenant.
import type { Caller } from '../model/access/caller.ts';
import { positionText } from '../model/task/log-position.ts';
import type { MessageFilter, SaidMessage } from '../ports/store/log.ts';
import type { Store } from '../ports/store/store.ts';
import { gatherSaid, placeOf } from './said.ts';

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
): Promise<{ messages: SaidMessage[]; next: string | null }> {
  const before = placeOf(page.before);
  const { messages, next } = await deps.store.within(caller, (rows) =>
    gatherSaid(rows, filter, { limit: page.limit, before }),
  );
  return { messages, next: next === null ? null : positionText(next) };
}
