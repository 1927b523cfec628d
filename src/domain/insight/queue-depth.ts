// Reads the queue depth: unfinished tasks of a tenant by status and codebase, for a monitoring system.
import type { Caller } from '../model/access/caller.ts';
import type { RunStatus } from '../model/run/run-state.ts';
import type { TaskStatus } from '../model/task/task-state.ts';
import type { Store } from '../ports/store/store.ts';

export interface CodebaseDepth {
  readonly status: TaskStatus;
  /** A codebase id; `none` for tasks without a codebase, `other` for all codebases after the largest ones. */
  readonly codebase: string;
  readonly tasks: number;
}

export interface QueueDepth {
  readonly tasks: Readonly<Record<TaskStatus, number>>;
  readonly byCodebase: readonly CodebaseDepth[];
  readonly oldestPendingSeconds: number | null;
  readonly runs: Readonly<Record<RunStatus, number>>;
}

/** Codebases reported by id; a limit, because every series costs the monitoring system. */
const maxCodebases = 50;

export async function readQueueDepth(deps: { readonly store: Store }, caller: Caller): Promise<QueueDepth> {
  return deps.store.within(caller, async (rows) => {
    const { counts, oldestPendingSeconds } = await rows.taskStats.countByStatus();
    const byCodebase = await rows.taskStats.depthByCodebase(maxCodebases);
    return { tasks: counts, byCodebase, oldestPendingSeconds, runs: await rows.runs.countByStatus() };
  });
}
