// The pages of the list that are loaded, and what has changed since.
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import type { ListedTasks } from '../../live/patch-lists.ts';
import type { TaskFilter } from './task-list-search.ts';
import { useListNews, type ListNews } from './use-list-news.ts';

const pageSize = 200;

export interface TaskList {
  readonly query: UseInfiniteQueryResult<InfiniteData<ListedTasks>>;
  readonly tasks: readonly Task[];
  readonly news: ListNews;
  readonly reload: () => void;
}

/** @param isLive new tasks come in by themselves while the list stands at its top */
export function useTaskList(filter: TaskFilter, isLive: boolean): TaskList {
  const queryKey = useMemo(() => ['tasks', 'list', filter], [filter]);
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<ListedTasks> => {
      const cursor = pageParam === '' ? undefined : pageParam;
      const params = { query: { ...filter, limit: pageSize, cursor } };
      return dataOf(api().GET('/v1/agent/tasks', { params, signal }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const tasks = useMemo(() => query.data?.pages.flatMap((page) => page.tasks) ?? [], [query.data]);
  const reload = useCallback(() => {
    // From its top: pages below would each be read again.
    queryClient.setQueryData<InfiniteData<ListedTasks>>(
      queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void queryClient.invalidateQueries({ queryKey });
  }, [queryKey]);
  const news = useListNews({ filter, tasks, isLive, reload, readAt: query.dataUpdatedAt });
  return { query, tasks, news, reload };
}
