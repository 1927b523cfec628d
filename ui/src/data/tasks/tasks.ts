// Reads of tasks, as the pages share them.
import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/client/client.ts';
import { api, dataOf } from '../../api/api.ts';

export type Task = Schemas['Task'];

export function taskQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id],
    queryFn: async () => (await dataOf(api().GET('/v1/agent/tasks/{id}', { params: { path: { id } } }))).task,
  });
}

/** True when nothing more happens to the task. */
export function isEnded({ status }: Task): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The state that a mark shows: a running task may be paused. */
export function markStateOf(task: Task): Task['status'] | 'paused' {
  return task.status === 'running' && task.paused_at !== null ? 'paused' : task.status;
}

/** Tokens that the agent reported, sent and received; undefined without a report. */
export function tokensOf({ usage }: Task): number | undefined {
  if (usage === null) return undefined;
  const { input_tokens, output_tokens } = usage;
  return input_tokens === undefined && output_tokens === undefined
    ? undefined
    : (input_tokens ?? 0) + (output_tokens ?? 0);
}
