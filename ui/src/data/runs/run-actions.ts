// Actions on a run: each makes one call, reports the result, and reads again what it changed.
import type { operations } from '../../../../src/client/api.ts';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import { notify } from '../../parts/states/notices.tsx';
import { runWords as words } from '../../words/runs/en-runs.ts';
import type { Run } from './runs.ts';
import { requireOnline } from '../tasks/task-actions.ts';

type Body<Name extends keyof operations> =
  NonNullable<operations[Name]['requestBody']> extends {
    content: { 'application/json': infer T };
  }
    ? T
    : never;

export type NewRunBody = Body<'ralph.create'>;
type RunAnswerBody = Body<'ralph.answer'>;
export type StoryChangeBody = Body<'ralph.change_story'>;

/** Shows what the service answered at once, and reads the rest again. */
async function show(run: Run): Promise<void> {
  queryClient.setQueryData(['runs', run.run_id], run);
  await Promise.all([['runs'], ['attention']].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export async function cancelRun(id: string, reason: string): Promise<void> {
  requireOnline();
  const body = reason.trim() === '' ? {} : { reason };
  const { run } = await dataOf(api().POST('/v1/ralph/runs/{id}/cancel', { params: { path: { id } }, body }));
  notify(words.cancelledNow);
  await show(run);
}

/** @param mode `after_step` lets the steps that run end first */
export async function pauseRun(id: string, mode: 'after_step' | 'now'): Promise<void> {
  requireOnline();
  const { run } = await dataOf(api().POST('/v1/ralph/runs/{id}/pause', { params: { path: { id } }, body: { mode } }));
  notify(mode === 'now' ? words.pausedNow : words.pausedAfterStep);
  await show(run);
}

export async function resumeRun(id: string): Promise<void> {
  requireOnline();
  const { run } = await dataOf(api().POST('/v1/ralph/runs/{id}/resume', { params: { path: { id } }, body: {} }));
  notify(words.resumedNow);
  await show(run);
}

/** @returns the id of the new run */
export async function retryRun(id: string): Promise<string> {
  requireOnline();
  const { run_id } = await dataOf(api().POST('/v1/ralph/runs/{id}/retry', { params: { path: { id } }, body: {} }));
  notify(words.retriedNow);
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
  return run_id;
}

/** Guidance stands in all later prompts; agents at work get it at once. */
export async function tellRun(id: string, text: string, storyId: string | undefined): Promise<void> {
  requireOnline();
  const body = { text, ...(storyId !== undefined && { story_id: storyId }) };
  const { intervention_ids } = await dataOf(
    api().POST('/v1/ralph/runs/{id}/messages', { params: { path: { id } }, body }),
  );
  notify(words.toldNow(intervention_ids.length));
  await queryClient.invalidateQueries({ queryKey: ['runs', id] });
}

export async function answerRun(id: string, body: RunAnswerBody): Promise<void> {
  requireOnline();
  const { run } = await dataOf(api().POST('/v1/ralph/runs/{id}/answer', { params: { path: { id } }, body }));
  notify(words.answeredNow);
  await show(run);
}

/** @param key repeats of the call with the same key start one run @returns its id */
export async function startRun(body: NewRunBody, key: string): Promise<string> {
  requireOnline();
  const params = { header: { 'Idempotency-Key': key } };
  const { run_id } = await dataOf(api().POST('/v1/ralph/runs', { params, body }));
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
  return run_id;
}

export async function changeStory(id: string, story_id: string, body: StoryChangeBody): Promise<void> {
  requireOnline();
  const params = { path: { id, story_id } };
  await dataOf(api().PATCH('/v1/ralph/runs/{id}/stories/{story_id}', { params, body }));
  notify(words.storyChanged);
  await Promise.all(
    [
      ['runs', id],
      ['run-stories', id],
    ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}
