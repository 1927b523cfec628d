// The tasks of a run's steps as callers see them, over every protocol; and that no caller makes a step of a task.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRunId, openRunSite, type RunSite } from '../../../support/runs/new-run.ts';
import { scriptStepWorker, succeed } from '../../../support/runs/scripted-step-worker.ts';
import { called } from '../../../support/mcp/client.ts';
import { openService, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let service: TestService;
let site: RunSite;
let runId: string;
/** A step that waits for a worker. */
let taskId: string;
beforeAll(async () => {
  service = await openService();
  site = await openRunSite(service, 'steps');
  runId = await newRunId(service, { codebase_id: site.codebaseId });
  taskId = await until('a step', async () => {
    const { body } = await get(`/v1/agent/tasks?ralph_run_id=${runId}`);
    return body.tasks[0]?.id;
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, as: TestUser = 'editor'): Promise<ApiReply> => service.call('GET', path, { as });
const rpc = (method: string, params: unknown, as: TestUser = 'editor'): Promise<ApiReply> =>
  service.call('POST', '/a2a/jsonrpc', { as, body: { jsonrpc: '2.0', id: 1, method, params } });

describe('the task of a step', () => {
  it('shows its step, and belongs to the creator of the run [runs-18.1]', async () => {
    const { body } = await get(`/v1/agent/tasks/${taskId}`);
    expect(body.task.step).toEqual({ run_id: runId, story_id: null, n: 0, kind: 'prepare' });
    expect(body.task.created_by).toBe('token:editor');
  });

  it('is left out of lists, counts and statistics unless it is asked for [runs-18.2]', async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await get(`/v1/agent/tasks${query}`)).body.tasks.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([]);
    expect(await ids('?steps=true')).toEqual([taskId]);
    expect(await ids(`?ralph_run_id=${runId}`)).toEqual([taskId]);
    expect((await get('/v1/monitor/stats')).body.tasks).toMatchObject({ pending: 0 });
    expect((await rpc('tasks/list', {})).body.result).toMatchObject({ totalSize: 0, tasks: [] });
    const listed = await called(service, 'list_tasks', {});
    expect(JSON.stringify(listed)).not.toContain(taskId);
  });

  it('is not ended or repeated by anybody, over no protocol [runs-18.3]', async () => {
    const refused = { status: 409, body: { code: 'belongs_to_run', run_id: runId } };
    for (const as of ['editor', 'operator', 'admin'] as const) {
      for (const call of ['cancel', 'retry']) {
        const reply = await service.call('POST', `/v1/agent/tasks/${taskId}/${call}`, { as, body: {} });
        // A retry of a task that is not over is refused whichever it is.
        expect([call, reply]).toMatchObject([call, refused]);
      }
      const body = { task_id: taskId, action: 'cancel' };
      const stopped = await service.call('POST', '/v1/monitor/intervene', { as, body });
      if (stopped.body.code !== 'permission_missing') expect(stopped).toMatchObject(refused);
      const params = { name: 'cancel_task', arguments: { task_id: taskId } };
      const tool = await service.call('POST', '/mcp/tools/call', { as, body: params });
      expect(JSON.stringify(tool.body)).toContain('belongs_to_run');
      expect(JSON.stringify((await rpc('tasks/cancel', { id: taskId }, as)).body)).toContain('belongs_to_run');
    }
    const automation = await service.call('POST', `/v1/automation/tasks/${taskId}/cancel`, { as: 'editor', body: {} });
    expect(automation.status).toBeGreaterThanOrEqual(400);
    expect((await get(`/v1/agent/tasks/${taskId}`)).body.task.status).toBe('pending');
  });

  it('is not claimed by a worker of another version, even by its id [runs-8.2]', async () => {
    const body = { name: 'old', path: '/steps', codebase_id: site.codebaseId };
    const worker = await service.worker({ name: 'old', codebases: [body] });
    await expect(worker.claim(1, taskId)).rejects.toThrow('task_not_for_worker');
    expect(await worker.claim(9)).toEqual([]);
  });

  it('that asks is answered by the question of its run, or by its task [runs-18.4]', async () => {
    const worker = scriptStepWorker(service, site, (step) =>
      step.kind === 'implement' && worker.seen.filter(({ kind }) => kind === 'implement').length === 1
        ? { asks: 'Which colour?' }
        : { result: succeed(step) },
    );
    const asked = await worker.workUntil(runId, 'needs_input');
    expect(asked.questions).toMatchObject([{ kind: 'agent', text: expect.stringContaining('Which colour?') }]);
    const { body } = await get(`/v1/agent/tasks?ralph_run_id=${runId}&status=needs_input`);
    const input = { message: 'Blue.' };
    const path = `/v1/agent/tasks/${body.tasks[0].id}/input`;
    expect((await service.call('POST', path, { as: 'editor', body: input })).status).toBe(200);
    await until('the run goes on', async () => (await get(`/v1/ralph/runs/${runId}`)).body.run.status === 'running');
    expect((await get(`/v1/ralph/runs/${runId}`)).body.run.questions).toEqual([]);
  });
});

describe('a step that a caller forges', () => {
  const descriptor = { kind: 'publish', run_id: '01890000-0000-7000-8000-000000000001', branch: 'main' };

  it.each(['step', 'step_run_id', 'task_step'])('is no field of a task: %s [runs-8.3]', async (field) => {
    const body = { title: 't', prompt: 'p', codebase_id: site.codebaseId, [field]: descriptor };
    const reply = await service.call('POST', '/v1/agent/tasks', { as: 'admin', body });
    expect(reply.status).toBe(400);
  });

  it('in metadata stays metadata: a worker gets an ordinary task [runs-8.3]', async () => {
    const metadata = { step: descriptor, 'switchyard:step': descriptor, step_run_id: runId };
    const fields = { title: 't', prompt: 'p', codebase_id: site.codebaseId };
    const made = await service.call('POST', '/v1/agent/tasks', { as: 'admin', body: { ...fields, metadata } });
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] };
    const sent = await rpc('message/send', {
      message: { ...message, metadata: { ...metadata, codebase_id: site.codebaseId } },
      configuration: { blocking: false },
    });
    for (const id of [made.body.task.id, sent.body.result.id]) {
      const [held] = await site.worker.claim(1, id);
      if (held === undefined) throw new Error('not claimed');
      expect(held.task.step).toBeUndefined();
      expect((await get(`/v1/agent/tasks/${id}`)).body.task.step ?? null).toBeNull();
      const forged = { name: 'step', mime_type: 'application/json', data: { ...descriptor, kind: 'publish' } };
      await site.worker.release(held, { status: 'completed', result: 'x', artifacts: [forged] });
    }
    const { body } = await get(`/v1/ralph/runs/${runId}/events?after=0`);
    expect(body.events.filter(({ type }: { type: string }) => type === 'published')).toEqual([]);
  });
});
