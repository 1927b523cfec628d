// What the verbs of workers need of the world.
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
 * The credential that must own a worker; undefined for those who may act for others. choices-4.
 *
 * Heartbeat, claim and stream name the worker; events and releases name its lease. A lease of somebody else's worker is
 * a foreign one, whoever learnt its token: `lease_lost`. choices-5.
 * @throws DomainError unavailable when the policy cannot be asked
 */
export async function findOwningSubject(policy: Policy, caller: Caller): Promise<string | undefined> {
  return (await mayChangeOthers(policy, caller)) ? undefined : caller.subject;
}
