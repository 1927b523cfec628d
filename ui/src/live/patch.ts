// Brings frames of the monitor's stream into the cache of answers.
import type { InfiniteData } from '@tanstack/react-query';
import type { MonitorFrame } from '../../../src/client/follow.ts';
import type { Schemas } from '../../../src/client/client.ts';
import { queryClient } from '../api/query-client.ts';

type Task = Schemas['Task'];
interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next_cursor: string | null;
}

/** Counts and summaries are asked for at most this often. */
const summaryMs = 5_000;

/** Keys of answers that are read again after a frame of that type. */
const readAgain: Readonly<Record<MonitorFrame['type'], readonly string[]>> = {
  status: ['counts', 'waiting', 'attention', 'overview', 'schedules', 'objectives'],
  message: ['threads'],
  worker: ['workers', 'waiting', 'attention'],
  run: ['runs', 'attention'],
  attention: ['attention'],
  connected: [],
  resync: [],
};

export function applyFrame(frame: MonitorFrame): void {
  if (frame.type === 'resync') {
    void queryClient.invalidateQueries();
    return;
  }
  if (frame.type === 'status') patchTask(frame.data);
  for (const key of readAgain[frame.type]) readLater(key);
}

function patchTask({ task_id, status, attempt, at }: Schemas['MonitorStatus']): void {
  const patch = (task: Task): Task =>
    task.id === task_id && task.updated_at <= at ? { ...task, status, attempt, updated_at: at } : task;
  queryClient.setQueriesData<InfiniteData<TaskPage>>({ queryKey: ['tasks', 'list'] }, (data) =>
    data === undefined
      ? undefined
      : { ...data, pages: data.pages.map((page) => ({ ...page, tasks: page.tasks.map(patch) })) },
  );
  void queryClient.invalidateQueries({ queryKey: ['task', task_id] });
}

const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Reads at once when nothing was read for a while, else at the end of the time. */
function readLater(key: string): void {
  if (waiting.has(key)) return;
  void queryClient.invalidateQueries({ queryKey: [key] });
  const timer = setTimeout(() => {
    waiting.delete(key);
    void queryClient.invalidateQueries({ queryKey: [key] });
  }, summaryMs);
  waiting.set(key, timer);
}
