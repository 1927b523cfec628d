// The verb push: a worker connects, and hears what is there for it to do.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store/store.ts';
import { findOwningSubject } from './deps.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { PushChannel } from './push-channel.ts';

/**
 * Opens the push channel of a worker. What the worker holds and may not have heard of is sent again.
 * @param slots how many tasks it may be given without asking
 * @param heartbeatMs between two heartbeats of the channel
 * @throws DomainError not_found when the worker is not registered, or another credential's
 */
export async function openPushChannel(
  deps: { readonly store: Store; readonly policy: Policy; readonly dispatcher: Dispatcher },
  caller: Caller,
  workerId: string,
  slots: number | undefined,
  heartbeatMs: number,
): Promise<PushChannel> {
  const owner = await findOwningSubject(deps.policy, caller);
  const [worker, since] = await deps.store.within(caller, async (rows) => {
    const found = await rows.workers.find(workerId);
    if (found === undefined || found.status === 'unregistered' || (owner !== undefined && found.subject !== owner)) {
      throw notFound('worker');
    }
    // Of this one alone: when thousands come back at once, each reading all would be the square of them.
    const [routable] = await rows.workers.routable([workerId]);
    return [routable, await rows.workers.clockMicros()];
  });
  if (worker === undefined) throw notFound('worker');
  return deps.dispatcher.connect(caller.tenantId, worker, { slots, since, heartbeatMs });
}
