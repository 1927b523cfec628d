// Dependencies of the task verbs.
import type { MakeId } from '../../lib/uuid7.ts';
import type { EgressRule } from '../ports/egress.ts';
import type { TaskQueue } from '../ports/store/queue.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';
import type { WorkerDirectory } from './routing/worker-directory.ts';

export interface TaskDeps {
  readonly store: Store;
  readonly queue: TaskQueue;
  readonly wake: WakeBus;
  readonly workerDirectory: WorkerDirectory;
  readonly policy: Policy;
  readonly makeId: MakeId;
  /** Rejects target URLs that a caller may not use. */
  readonly egress: EgressRule;
  /** Attempts of a task whose caller gives no number. */
  readonly defaultMaxAttempts: number;
}
