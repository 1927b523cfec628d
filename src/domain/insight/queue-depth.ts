// The verb queue depth: the tasks of a tenant that are not finished, by state and codebase, for a monitoring system.
import type { Caller } from '../model/access/caller.ts';
import type { TaskStatus } from '../model/task/task-state.ts';
import type { Store } from '../ports/store/store.ts';

export interface CodebaseDepth {
  readonly status: TaskStatus;
  /** An id; `none` for tasks without a codebase, `other` for all beyond those with the most tasks. */
  readonly codebase: string;
  readonly tasks: number;
}

export interface QueueDepth {
  readonly tasks: Readonly<Record<TaskStatus, number>>;
  readonly byCodebase: readonly CodebaseDepth[];
  readonly oldestPendingSeconds: number | null;
}

/** Codebases with figures of their own: a monitoring system pays for every series. */
const maxCodebases = 50;

export async function readQueueDepth(deps: { readonly store: Store }, caller: Caller): Promise<QueueDepth> {
  return deps.store.within(caller, async (rows) => {
    const { counts, oldestPendingSeconds } = await rows.tasks.countByStatus();
    return { tasks: counts, byCodebase: await rows.tasks.depthByCodebase(maxCodebases), oldestPendingSeconds };
  });
}
