// Dependencies of the operations on workers, and the check of who owns a worker.
import type { MakeId } from '../../lib/uuid7.ts';
import { mayChangeOthers } from '../access/permit.ts';
import type { Caller } from '../model/access/caller.ts';
import type { TaskQueue } from '../ports/store/queue.ts';
import type { Policy } from '../ports/policy.ts';
import type { RouteKeys } from '../ports/route-keys.ts';
import type { Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';

export interface WorkerDeps {
  readonly store: Store;
  readonly queue: TaskQueue;
  readonly wake: WakeBus;
  readonly policy: Policy;
  readonly makeId: MakeId;
  /** Undefined without a broker. */
  readonly routeKeys?: RouteKeys | undefined;
}

/**
 * Finds the credential that must own a worker; undefined for callers who may act for others. choices-4.
 *
 * Heartbeat, claim and stream identify the worker by id, events and releases by its lease. A lease of another
 * credential's worker is answered `lease_lost`, even with the right token. choices-5.
 * @throws DomainError unavailable when the policy server cannot be reached
 */
export async function findOwningSubject(policy: Policy, caller: Caller): Promise<string | undefined> {
  return (await mayChangeOthers(policy, caller)) ? undefined : caller.subject;
}
