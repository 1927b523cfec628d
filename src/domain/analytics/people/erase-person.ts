// The verb that erases a person: its events, anonymous ones too, and the links to its visitors. platform-10.
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import type { Store } from '../../ports/store/store.ts';

export interface Erased {
  readonly events: number;
  readonly links: number;
}

/** A transaction deletes at most this many events, so that each ends well before its deadline. */
const batchSize = 5_000;

/**
 * Erases in several transactions: the links last, because they decide which events are the person's. A call that was cut off is
 * continued by the next one. Message ids stay until they expire, so that a repeated call does not bring an event back.
 * @throws DomainError not_found for an unknown user
 */
export async function erasePerson(
  { store }: { readonly store: Store },
  caller: Caller,
  userId: string,
): Promise<Erased> {
  const isKnown = await store.within({ tenantId: caller.tenantId }, (rows) => rows.people.exists(userId));
  if (!isKnown) throw notFound('person');
  let events = 0;
  for (;;) {
    const erased = await store.within(caller, async (rows) => {
      const count = await rows.people.eraseEvents(userId, batchSize);
      return { events: count, links: count < batchSize ? await rows.people.eraseLinks(userId) : undefined };
    });
    events += erased.events;
    if (erased.links !== undefined) return { events, links: erased.links };
  }
}
