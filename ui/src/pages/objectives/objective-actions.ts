// What a person does to an objective: each is one call, tells what came of it, and reads again what it changed.
import type { operations } from '../../../../src/client/api.ts';
import { ApiError } from '../../api/api-error.ts';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { notify } from '../../parts/states/notices.tsx';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import type { Objective } from './objective-data.ts';

type Body<Name extends keyof operations> =
  NonNullable<operations[Name]['requestBody']> extends { content: { 'application/json': infer T } } ? T : never;

export type NewObjectiveBody = Body<'okr.create'>;
export type ObjectiveChange = Body<'okr.update'>;
export type NewKeyResultBody = Body<'okr.add_key_result'>;
export type KeyResultChange = Body<'okr.change_key_result'>;
export type NewRunBody = Body<'okr.run'>;

async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['objectives'] });
}

/** Another change came first: the page shows it beside the refusal. */
async function readAgain(error: unknown): Promise<never> {
  if (error instanceof ApiError && error.status === 409) await refresh();
  throw error;
}

async function tell(text: string): Promise<void> {
  notify(text);
  await refresh();
}

export async function createObjective(body: NewObjectiveBody): Promise<Objective> {
  requireOnline();
  const { okr } = await dataOf(api().POST('/v1/okr', { body }));
  await tell(words.created);
  return okr;
}

export async function changeObjective(id: string, body: ObjectiveChange, told: string): Promise<void> {
  requireOnline();
  await dataOf(api().PUT('/v1/okr/{id}', { params: { path: { id } }, body })).catch(readAgain);
  await tell(told);
}

export async function deleteObjective(id: string): Promise<void> {
  requireOnline();
  await dataOf(api().DELETE('/v1/okr/{id}', { params: { path: { id } } }));
  notify(words.removed);
}

export async function addKeyResult(id: string, body: NewKeyResultBody): Promise<void> {
  requireOnline();
  await dataOf(api().POST('/v1/okr/{id}/key-results', { params: { path: { id } }, body })).catch(readAgain);
  await tell(words.added);
}

export async function changeKeyResult(
  id: string,
  key_result_id: string,
  body: KeyResultChange,
  told: string,
): Promise<void> {
  requireOnline();
  const params = { path: { id, key_result_id } };
  await dataOf(api().PUT('/v1/okr/{id}/key-results/{key_result_id}', { params, body })).catch(readAgain);
  await tell(told);
}

export async function removeKeyResult(id: string, key_result_id: string): Promise<void> {
  requireOnline();
  const params = { path: { id, key_result_id } };
  await dataOf(api().DELETE('/v1/okr/{id}/key-results/{key_result_id}', { params })).catch(readAgain);
  await tell(words.removedKeyResult);
}

/** @param key repeats of the call with the same key start one run */
export async function startObjectiveRun(id: string, body: NewRunBody, key: string): Promise<void> {
  requireOnline();
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  await dataOf(api().POST('/v1/okr/{id}/runs', { params, body })).catch(readAgain);
  await tell(words.runStarted);
}

export async function cancelObjectiveRun(id: string, run_id: string): Promise<void> {
  requireOnline();
  await dataOf(api().POST('/v1/okr/{id}/runs/{run_id}/cancel', { params: { path: { id, run_id } }, body: {} })).catch(
    readAgain,
  );
  await tell(words.runCancelled);
}
