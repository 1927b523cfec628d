// What the verbs of workers need of the world.
import type { MakeId } from '../../lib/uuid7.ts';
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

/** The credential that must own a worker; undefined for those who may act for others. choices §4. */
export function owningSubject(caller: Caller): string | undefined {
  return caller.roles.some((role) => role === 'admin' || role === 'operator') ? undefined : caller.subject;
}
