// Counts tasks by status, with the filters of their list.
import type { Caller } from '../model/access/caller.ts';
import type { Store } from '../ports/store/store.ts';
import type { CappedCounts, TaskFilter } from '../ports/tasks/task-lists.ts';

/** Tasks of one status that are counted. ui-6.1. */
const maxCountedOfStatus = 10_000;

export async function countTasks(
  deps: { readonly store: Store },
  caller: Caller,
  filter: TaskFilter,
): Promise<CappedCounts> {
  return deps.store.within(caller, (rows) => rows.tasks.countEach(filter, maxCountedOfStatus));
}
