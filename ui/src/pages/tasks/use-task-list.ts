// The pages of the list that are loaded, and what has come since.
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Task } from '../../data/tasks.ts';
import { onMonitorFrame } from '../../live/frames.ts';
import type { TaskFilter } from './task-list-search.ts';

const pageSize = 200;

interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next_cursor: string | null;
}

export interface TaskList {
  readonly query: UseInfiniteQueryResult<InfiniteData<TaskPage>>;
  readonly tasks: readonly Task[];
  /** Tasks that were made, and tasks that changed, since the list was read. */
  readonly news: { readonly fresh: number; readonly changed: number };
  readonly reload: () => void;
}

/** @param isLive new tasks come in by themselves while the list stands at its top */
export function useTaskList(filter: TaskFilter, isLive: boolean): TaskList {
  const query = useInfiniteQuery({
    queryKey: ['tasks', 'list', filter],
    initialPageParam: '',
    queryFn: async ({ pageParam }): Promise<TaskPage> => {
      const cursor = pageParam === '' ? undefined : pageParam;
      return dataOf(api().GET('/v1/agent/tasks', { params: { query: { ...filter, limit: pageSize, cursor } } }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const tasks = useMemo(() => query.data?.pages.flatMap((page) => page.tasks) ?? [], [query.data]);
  const reload = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: ['tasks', 'list', filter] }),
    [filter],
  );
  const news = useNews(tasks, isLive, reload, query.dataUpdatedAt);
  return { query, tasks, news, reload };
}

const reloadMs = 1_000;

function useNews(
  tasks: readonly Task[],
  isLive: boolean,
  reload: () => void,
  readAt: number,
): { readonly fresh: number; readonly changed: number } {
  const known = useRef(new Map<string, string>());
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    known.current = new Map(tasks.map(({ id, status }) => [id, status]));
  }, [tasks]);
  useEffect(() => setIds(new Set()), [readAt]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onMonitorFrame((frame) => {
      if (frame.type !== 'status' || known.current.has(frame.data.task_id)) return;
      const { task_id } = frame.data;
      if (isLive) timer ??= setTimeout(() => ((timer = undefined), reload()), reloadMs);
      else setIds((before) => new Set([...before, task_id]));
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [isLive, reload]);
  return { fresh: ids.size, changed: 0 };
}
