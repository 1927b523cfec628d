// Everything a tenant can have, created over the API: workers, codebases, sessions, tasks in every state.
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { newRunId, prdDocument } from '../runs/new-run.ts';
import { until } from '../until.ts';
import type { ManualWorker, TestService, TestUser } from '../service.ts';

export interface TenantData {
  readonly worker: ManualWorker;
  readonly codebaseId: string;
  readonly sessionId: string;
  readonly artifactId: string;
  /** A task that the worker holds. */
  readonly running: AssignmentWire;
  /** A paused run. */
  readonly runId: string;
  readonly prdSessionId: string;
  /** A cron job that is off, with a run. */
  readonly cronjobId: string;
  /** A running objective with a cancelled run. */
  readonly okr: { readonly id: string; readonly keyResultId: string; readonly runId: string };
  /** Ids of tasks by state. */
  readonly tasks: Readonly<Record<'pending' | 'running' | 'needs_input' | 'completed' | 'cancelled', string>>;
}

/**
 * @param as a caller who may do all of it: operator or admin
 * @param mark a word that stands in every text, to be looked for where it must not show up
 */
export async function createTenantData(service: TestService, as: TestUser, mark: string): Promise<TenantData> {
  const codebases = [{ name: mark, path: `/${mark}`, description: mark }];
  const worker = await service.worker({ name: mark, hostname: mark, agents: [mark], codebases, slots: 9 }, as);
  const codebaseId = worker.registered.codebases[0]?.codebase_id ?? '';
  const task = async (): Promise<string> =>
    (await service.task({ title: mark, prompt: mark, codebase_id: codebaseId, conversation_id: mark }, as)).id;
  const held = async (): Promise<AssignmentWire> => {
    const id = await task();
    const [one] = await worker.claim(1, id);
    if (one === undefined) throw new Error('not claimed');
    await worker.report(one, [
      { type: 'output', n: 1, stream: 'agent', text: mark },
      { type: 'artifact', n: 2, name: mark, text: mark },
    ]);
    return one;
  };
  const [running, waitingForInput, done] = [await held(), await held(), await held()];
  await worker.release(waitingForInput, { status: 'needs_input', message: { text: mark } });
  await worker.release(done, { status: 'completed', result: mark });
  const cancelled = await task();
  await service.call('POST', `/v1/agent/tasks/${cancelled}/cancel`, { as });
  const path = `/v1/agent/codebases/${codebaseId}/sessions`;
  const session = { session_id: mark, title: mark, agent: mark };
  const message = { message_id: mark, role: 'user', summary: mark };
  await service.call('POST', `${path}/sync`, { as, body: { worker_id: worker.id, sessions: [session] } });
  await service.call('POST', `${path}/${mark}/messages/sync`, {
    as,
    body: { worker_id: worker.id, messages: [message] },
  });
  const prd = prdDocument({ project: mark, description: mark });
  const runId = await newRunId(service, { codebase_id: codebaseId, prd, webhook_url: 'https://hooks.invalid/x' }, as);
  // Nothing of it changes any more by itself.
  await service.call('POST', `/v1/ralph/runs/${runId}/pause`, { as, body: { mode: 'now' } });
  const chat = await service.call('POST', '/v1/ralph/prd/sessions', { as, body: { codebase_id: codebaseId, prd } });
  const cronjobId = await newCronjob(service, as, mark);
  const okr = await newOkr(service, as, mark);
  const tasks = {
    pending: await task(),
    running: running.task.id,
    needs_input: waitingForInput.task.id,
    completed: done.task.id,
    cancelled,
  };
  return {
    worker,
    codebaseId,
    sessionId: mark,
    artifactId: mark,
    running,
    runId,
    prdSessionId: chat.body.session.id,
    cronjobId,
    okr,
    tasks,
  };
}

async function newCronjob(service: TestService, as: TestUser, mark: string): Promise<string> {
  const template = { title: mark, prompt: mark, metadata: { mark } };
  const body = { name: mark, description: mark, cron: '@yearly', enabled: false, task_template: template };
  const { cronjob } = (await service.call('POST', '/v1/cronjobs', { as, body })).body;
  const id = String(cronjob.cronjob_id);
  const { task_id } = (await service.call('POST', `/v1/cronjobs/${id}/trigger`, { as, body: {} })).body;
  // Nothing of it changes any more by itself.
  await service.call('POST', `/v1/agent/tasks/${task_id}/cancel`, { as });
  await until('the run has ended', async () => {
    const { runs } = (await service.call('GET', `/v1/cronjobs/${id}/runs`, { as })).body;
    return runs[0]?.status === 'cancelled';
  });
  return id;
}

async function newOkr(service: TestService, as: TestUser, mark: string): Promise<TenantData['okr']> {
  const body = { objective: mark, description: mark, key_results: [{ title: mark }], task_template: { prompt: mark } };
  const { okr } = (await service.call('POST', '/v1/okr', { as, body })).body;
  const path = `/v1/okr/${okr.okr_id}`;
  await service.call('PUT', path, { as, body: { status: 'approved', reason: mark } });
  const { run } = (await service.call('POST', `${path}/runs`, { as, body: {} })).body;
  // Nothing of it changes any more by itself.
  await service.call('POST', `${path}/runs/${run.run_id}/cancel`, { as, body: {} });
  return { id: okr.okr_id, keyResultId: okr.key_results[0].key_result_id, runId: run.run_id };
}

/** The ids of a world by the names that requests have for them; `id` is what the operation's path names. */
export function parameterIdsOf(data: TenantData, names: string | undefined): Record<string, string> {
  const byName: Record<string, string> = {
    task: data.tasks.running,
    worker: data.worker.id,
    codebase: data.codebaseId,
    session: data.codebaseId,
    run: data.runId,
    prd_session: data.prdSessionId,
    cronjob: data.cronjobId,
    okr: data.okr.id,
  };
  return {
    id: byName[names ?? ''] ?? data.tasks.running,
    sid: data.sessionId,
    artifact_id: data.artifactId,
    task_id: data.tasks.running,
    worker_id: data.worker.id,
    codebase_id: data.codebaseId,
    target_worker_id: data.worker.id,
    lease_token: data.running.lease_token,
    conversation_id: data.sessionId,
    run_id: names === 'okr' ? data.okr.runId : data.runId,
    key_result_id: data.okr.keyResultId,
    story_id: 'US-001',
  };
}
