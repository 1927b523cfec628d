// Actions on a task: each makes one call, reports the result, and reads again what it changed.
import type { operations } from '../../../../src/client/api.ts';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import { isOffline } from '../../live/connection.ts';
import { notify } from '../../parts/states/notices.tsx';
import { commonWords } from '../../words/en-common.ts';
import { taskWords as words } from '../../words/tasks/en-task.ts';
import type { Task } from './tasks.ts';

/** Reads again what shows this task. */
export async function refreshTask(id: string): Promise<void> {
  const keys = [['task', id], ['tasks'], ['counts'], ['attention'], ['waiting']];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** A refusal of this page itself: the service was not asked. */
class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/** @throws Error while the service is away: nothing is sent, so nothing can happen twice */
export function requireOnline(): void {
  if (isOffline()) throw new NotSentError(commonWords.notSent);
}

export async function cancelTask(id: string): Promise<void> {
  requireOnline();
  await dataOf(api().POST('/v1/agent/tasks/{id}/cancel', { params: { path: { id } }, body: {} }));
  notify(words.cancelledNow);
  await refreshTask(id);
}

/** @returns the new task */
export async function retryTask(id: string): Promise<Task> {
  requireOnline();
  const { task } = await dataOf(api().POST('/v1/agent/tasks/{id}/retry', { params: { path: { id } } }));
  notify(words.retried);
  await refreshTask(id);
  return task;
}

/** Sends a message or a command to the agent of a running task, and reports its delivery. */
export async function intervene(id: string, action: 'message' | 'pause' | 'resume', message?: string): Promise<void> {
  requireOnline();
  const { intervention } = await dataOf(
    api().POST('/v1/monitor/intervene', { body: { task_id: id, action, ...(message !== undefined && { message }) } }),
  );
  notify(
    action === 'message'
      ? words.interventionStates[intervention.status]
      : action === 'pause'
        ? words.pauseRequested
        : words.resumeRequested,
  );
  if (action === 'message') void followIntervention(intervention.id);
  await refreshTask(id);
}

const deliveryMs = 1_000;
const longestFollow = 120;

/** Tells when the agent has it, for two minutes. */
async function followIntervention(id: string): Promise<void> {
  for (let looks = 0; looks < longestFollow; looks++) {
    await new Promise((resolve) => setTimeout(resolve, deliveryMs));
    const { intervention } = await dataOf(api().GET('/v1/monitor/interventions/{id}', { params: { path: { id } } }));
    if (intervention.status === 'queued' || intervention.status === 'sent') continue;
    notify(
      intervention.status === 'failed'
        ? words.interventionFailed(intervention.reason ?? commonWords.unknown)
        : words.interventionStates[intervention.status],
    );
    return;
  }
}

/** Answers the question of a task by a text or one of its options. */
export async function answerTask(
  id: string,
  answer: { readonly message: string } | { readonly option: string },
  questionId: string | undefined,
): Promise<void> {
  requireOnline();
  const body = { ...answer, ...(questionId !== undefined && { question_id: questionId }) };
  await dataOf(api().POST('/v1/agent/tasks/{id}/input', { params: { path: { id } }, body }));
  await refreshTask(id);
}

type FollowUpBody = operations['tasks.follow_up']['requestBody'];

/**
 * Makes the task that does what a review asks for. @param key repeats of the call with the same key make one task
 * @returns the new task
 */
export async function followUp(
  id: string,
  body: NonNullable<FollowUpBody>['content']['application/json'],
  key: string,
): Promise<Task> {
  requireOnline();
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  const { task } = await dataOf(api().POST('/v1/agent/tasks/{id}/follow-up', { params, body }));
  notify(words.followedUp);
  await refreshTask(id);
  return task;
}
