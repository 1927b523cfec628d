// Brings events of a task's own stream into the cache of answers.
import { queryClient } from '../../api/query-client.ts';
import { readLater } from '../../live/read-later.ts';
import type { TaskEvent } from './task-events.ts';
import { taskQuery } from './tasks.ts';

/** Reads again what an event of that type changes. */
export function noteTaskEvent(id: string, type: TaskEvent['type']): void {
  // A delivered pause is a fact of the task itself.
  if (type === 'status' || type === 'artifact' || type === 'intervention') readLater(['task', id]);
  else if (type === 'message') readLater(['task', id, 'events']);
}

const wordMs = 1_000;

/** The last word of a task moves with its output, which changes nothing else of it. */
export function noteLastWord(id: string, at: string): void {
  queryClient.setQueryData(taskQuery(id).queryKey, (task) => {
    const before = task?.last_event_at ?? '';
    const isLate = Date.parse(at) - (Date.parse(before) || 0) < wordMs;
    return task === undefined || isLate ? task : { ...task, last_event_at: at };
  });
}
