// Changes rows of the lists of tasks that are kept, in place.
import type { InfiniteData } from '@tanstack/react-query';
import { queryClient } from '../api/query-client.ts';
import type { Task } from '../data/tasks/tasks.ts';

export interface ListedTasks {
  readonly tasks: readonly Task[];
  readonly next_cursor: string | null;
}

/** The lists stay as old as they are: only these rows are newer. */
export function patchLists(patch: (task: Task) => Task): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: ['tasks', 'list'] })) {
    queryClient.setQueryData<InfiniteData<ListedTasks>>(
      queryKey,
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, tasks: page.tasks.map(patch) })) },
      { updatedAt: state.dataUpdatedAt },
    );
  }
}
