// The effect of frames of the stream on a list: rows that change in place, and tasks that would come or move.
import { useEffect, useRef, useState } from 'react';
import { api, dataOf } from '../../api/api.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { onMonitorFrame } from '../../live/frames.ts';
import { patchLists } from '../../live/patch-lists.ts';
import { notifyError } from '../../parts/states/notices.tsx';
import type { TaskFilter } from './task-list-search.ts';

export interface ListNews {
  /** Tasks that fit and are not in the list. */
  readonly fresh: number;
  /** Tasks of the list that do not fit any more, or would stand elsewhere. */
  readonly changed: number;
}

interface NewsOptions {
  readonly filter: TaskFilter;
  readonly tasks: readonly Task[];
  readonly isLive: boolean;
  readonly reload: () => void;
  /** When the list was read; what came before is in it. */
  readonly readAt: number;
}

const lookMs = 1_000;
/** Ids that one call takes. */
const mostIds = 200;

export function useListNews({ filter, tasks, isLive, reload, readAt }: NewsOptions): ListNews {
  const known = useRef<ReadonlySet<string>>(new Set());
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    known.current = new Set(tasks.map(({ id }) => id));
  }, [tasks]);
  useEffect(() => {
    setFresh(new Set());
    setChanged(new Set());
  }, [readAt, filter]);
  useEffect(() => {
    const touched = new Map<string, Task['status']>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      timer = undefined;
      const mine = [...touched].filter(([id]) => known.current.has(id));
      const others = [...touched].filter(([id, status]) => !known.current.has(id) && mayFit(filter, status));
      touched.clear();
      setChanged(
        (before) => new Set([...before, ...mine.flatMap(([id, status]) => (moves(filter, status) ? id : []))]),
      );
      const [rows, found] = await Promise.all([
        readTasks({ ids: idsOf(mine), steps: true }),
        readTasks({ ...filter, ids: idsOf(others) }),
      ]);
      patchRows(rows);
      if (found.length === 0) return;
      if (isLive) reload();
      else setFresh((before) => new Set([...before, ...found.map(({ id }) => id)]));
    };
    const end = onMonitorFrame((frame) => {
      if (frame.type !== 'status') return;
      touched.set(frame.data.task_id, frame.data.status);
      timer ??= setTimeout(() => void look().catch(notifyError), lookMs);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [filter, isLive, reload]);
  return { fresh: fresh.size, changed: changed.size };
}

function idsOf(entries: readonly (readonly [string, unknown])[]): string[] {
  return entries.slice(0, mostIds).map(([id]) => id);
}

async function readTasks(query: TaskFilter & { readonly ids: string[] }): Promise<readonly Task[]> {
  if (query.ids.length === 0) return [];
  return (await dataOf(api().GET('/v1/agent/tasks', { params: { query: { ...query, limit: mostIds } } }))).tasks;
}

function mayFit({ status }: TaskFilter, now: Task['status']): boolean {
  return status === undefined || [status].flat().includes(now);
}

/** The new status takes the task out of the list, or to another place of it. */
function moves(filter: TaskFilter, now: Task['status']): boolean {
  return !mayFit(filter, now) || filter.sort === 'updated';
}

/** Worker, attempt and cost of a row change with its status; its place stays. */
function patchRows(rows: readonly Task[]): void {
  if (rows.length === 0) return;
  const byId = new Map(rows.map((task) => [task.id, task]));
  patchLists((task) => byId.get(task.id) ?? task);
}
