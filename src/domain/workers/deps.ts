// What the verbs of workers need of the world.
import type { MakeId } from '../../lib/uuid7.ts';
import { mayChangeOthers } from '../access/permit.ts';
import type { Caller } from '../model/caller.ts';
import type { TaskQueue } from '../ports/queue.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store.ts';
import type { WakeBus } from '../ports/wake.ts';

export interface WorkerDeps {
  readonly store: Store;
  readonly queue: TaskQueue;
  readonly wake: WakeBus;
  readonly policy: Policy;
  readonly makeId: MakeId;
}

/**
 * The credential that must own a worker; undefined for those who may act for others. choices §4.
 *
 * It is asked of heartbeat, claim and stream, which name a worker. Events and releases name a lease: its token, 122
 * random bits that one worker was told, is the right to speak for the run, whoever owned the worker when it was given.
 * @throws DomainError unavailable when the policy cannot be asked
 */
export async function owningSubject(policy: Policy, caller: Caller): Promise<string | undefined> {
  return (await mayChangeOthers(policy, caller)) ? undefined : caller.subject;
}
