// Brings frames of the monitor's stream into the cache of answers.
import type { MonitorFrame } from '../../../src/client/follow.ts';
import type { Schemas } from '../../../src/client/client.ts';
import { queryClient } from '../api/query-client.ts';
import { patchLists } from './patch-lists.ts';
import { readLater } from './read-later.ts';

type Task = Schemas['Task'];

/** Keys of answers that are read again after a frame of that type. */
const readAgain: Readonly<Record<MonitorFrame['type'], readonly string[]>> = {
  status: ['counts', 'waiting', 'overview', 'schedules', 'objectives'],
  message: ['threads'],
  worker: ['workers', 'waiting'],
  run: ['runs'],
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
  if (frame.type === 'message') readLater(['task', frame.data.task_id, 'events']);
  for (const key of readAgain[frame.type]) readLater([key]);
}

/** What changed between the reading of an answer and the beginning of the stream has no frame: it is read again. */
export function readWhatCameBefore(): void {
  const live = new Set(['tasks', 'task', ...Object.values(readAgain).flat()]);
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => live.has(String(queryKey[0])) });
}

function patchTask({ task_id, status, attempt, at }: Schemas['MonitorStatus']): void {
  const patch = (task: Task): Task =>
    task.id === task_id && task.updated_at <= at ? { ...task, status, attempt, updated_at: at } : task;
  patchLists(patch);
  readLater(['task', task_id]);
}
