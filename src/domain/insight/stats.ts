// Reads counts of a tenant for the monitor: tasks by status, workers, codebases.
import type { Caller } from '../model/access/caller.ts';
import type { TaskStatus } from '../model/task/task-state.ts';
import type { Store } from '../ports/store/store.ts';
import type { CappedCounts, TaskFilter } from '../ports/tasks/task-lists.ts';

export interface Stats {
  readonly tasks: Record<TaskStatus, number>;
  readonly workers: {
    readonly active: number;
    readonly offline: number;
    readonly slots: number;
    readonly busy: number;
  };
  readonly codebases: number;
  readonly oldestPendingSeconds: number | null;
}

export async function readStats(deps: { store: Store }, caller: Caller): Promise<Stats> {
  return deps.store.within(caller, async (rows) => {
    const { counts, oldestPendingSeconds } = await rows.taskStats.countByStatus();
    const workers = await rows.workers.totals();
    const codebases = await rows.codebases.count();
    return { tasks: counts, workers, codebases, oldestPendingSeconds };
  });
}

/** Tasks of one status that are counted. ui-6.1. */
const maxCountedOfStatus = 10_000;

export async function countTasks(
  deps: { readonly store: Store },
  caller: Caller,
  filter: TaskFilter,
): Promise<CappedCounts> {
  return deps.store.within(caller, (rows) => rows.tasks.countEach(filter, maxCountedOfStatus));
}
