// Opens the push channel of a worker.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store/store.ts';
import { findOwningSubject } from './deps.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { PushChannel } from './push-channel.ts';

/**
 * Opens the push channel of a worker. Tasks that the worker holds and has not confirmed are sent again.
 * @param slots how many tasks may be assigned to it without a claim
 * @param heartbeatMs interval of heartbeat frames
 * @throws DomainError not_found when the worker is not registered, or belongs to another credential
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
    // Read this worker only: if thousands reconnect at once, reading all of them each time would be quadratic.
    const [routable] = await rows.workers.routable([workerId]);
    return [routable, await rows.workers.clockMicros()];
  });
  if (worker === undefined) throw notFound('worker');
  return deps.dispatcher.connect(caller.tenantId, worker, { slots, since, heartbeatMs });
}
