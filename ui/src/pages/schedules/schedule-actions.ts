// What a person does to a schedule: each is one call, tells what came of it, and reads again what it changed.
import type { operations } from '../../../../src/client/api.ts';
import { ApiError } from '../../api/api-error.ts';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { notify } from '../../parts/states/notices.tsx';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import type { Schedule } from './schedule-data.ts';

export type NewScheduleBody = NonNullable<operations['cronjobs.create']['requestBody']>['content']['application/json'];
type ScheduleChange = NonNullable<operations['cronjobs.update']['requestBody']>['content']['application/json'];

async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['schedules'] });
}

/** Another change came first: the page shows it beside the refusal. */
async function readAgain(error: unknown): Promise<never> {
  if (error instanceof ApiError && error.status === 409) await refresh();
  throw error;
}

/** @param key repeats of the call with the same key make one schedule */
export async function createSchedule(body: NewScheduleBody, key: string): Promise<Schedule> {
  requireOnline();
  const params = { header: { 'Idempotency-Key': key } };
  const { cronjob } = await dataOf(api().POST('/v1/cronjobs', { params, body }));
  notify(words.created);
  await refresh();
  return cronjob;
}

export async function changeSchedule(id: string, body: ScheduleChange, told: string): Promise<Schedule> {
  requireOnline();
  const { cronjob } = await dataOf(api().PUT('/v1/cronjobs/{id}', { params: { path: { id } }, body })).catch(readAgain);
  notify(told);
  await refresh();
  return cronjob;
}

export async function runSchedule(id: string, key: string): Promise<void> {
  requireOnline();
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  await dataOf(api().POST('/v1/cronjobs/{id}/trigger', { params, body: {} })).catch(readAgain);
  notify(words.started);
  await refresh();
}

export async function deleteSchedule(id: string): Promise<void> {
  requireOnline();
  await dataOf(api().DELETE('/v1/cronjobs/{id}', { params: { path: { id } } }));
  notify(words.removed);
}
