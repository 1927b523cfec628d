// Promises of the documents that stand for themselves: each shown once, on the running service.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamFrames } from '../../src/contracts/worker.ts';
import { loadSettings } from '../../src/worker/settings/settings.ts';
import { openService, type TestService } from '../support/service.ts';
import { openStream } from '../support/client/sse.ts';
import { until } from '../support/until.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService({ config: { leaseSeconds: 10 } });
});
afterAll(() => service[Symbol.asyncDispose]());

describe('the agent family', () => {
  it('serves codebases, tasks, sessions and workers with 200 [core-1.10, core-7.1]', async () => {
    await service.worker();
    for (const path of ['codebases', 'tasks', 'workers', 'codebases/global', 'codebases/global/sessions']) {
      expect((await service.call('GET', `/v1/agent/${path}`)).status).toBe(200);
    }
  });

  it('ends a pending task as cancelled when a caller cancels it, and a running one as failed when its run failed [core-3.1.4, core-3.1.5]', async () => {
    const waiting = await service.task({ required_capabilities: ['nobody has this'] });
    await service.call('POST', `/v1/agent/tasks/${waiting.id}/cancel`);
    expect((await service.call('GET', `/v1/agent/tasks/${waiting.id}`)).body.task).toMatchObject({
      status: 'cancelled',
      completed_at: expect.any(String),
      attempt: 0,
    });
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('nothing claimed');
    await worker.release(held, { status: 'failed', error: { code: 'agent_exit', message: 'it ended with 1' } });
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task.status).toBe('failed');
  });

  it('ends a pending task as failed when its deadline has passed [choices-2.5]', async () => {
    const deadline_at = '2100-01-01T00:00:00Z';
    const task = await service.task({ required_capabilities: ['nobody has this'], deadline_at });
    await service.db.query('update tasks set deadline_at = now() where id = $1', [task.id]);
    const ended = await until('the deadline to be seen', async () => {
      const { body } = await service.call('GET', `/v1/agent/tasks/${task.id}`);
      return body.task.status !== 'pending' && body.task;
    });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' } });
  });

  it('answers a cursor that its log does not have with resync, then everything [choices-1.35]', async () => {
    const task = await service.task();
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    for (const lastEventId of ['999', 'nonsense']) {
      await using stream = await openStream(service, `/v1/agent/tasks/${task.id}/events`, { lastEventId });
      await stream.ended;
      expect(stream.frames.map(({ event, id }) => [event, id])).toEqual([
        ['resync', undefined],
        ['status', '1'],
        ['status', '2'],
      ]);
    }
  });

  it('keeps the exchange of user and agent in their roles [core-2.1.1]', async () => {
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('nothing claimed');
    await worker.release(held, { status: 'needs_input', message: { text: 'which?' } });
    await service.call('POST', `/v1/agent/tasks/${task.id}/input`, { body: { message: 'this' } });
    const [again] = await worker.claim(1, task.id);
    expect(again?.task.messages.map(({ role }) => role)).toEqual(['agent', 'user']);
  });
});

describe('the push channel', () => {
  it('has the frames it always had, with the fields they always had; what came later may be absent [core-9.5.2]', () => {
    const always: Record<string, string[]> = {
      connected: ['worker_id', 'heartbeat_seconds', 'lease_seconds'],
      task_available: ['task_id', 'priority'],
      task_assigned: ['task', 'lease_token', 'lease_expires_at'],
      cancel: ['task_id'],
      intervention: ['id', 'task_id', 'action', 'message'],
      heartbeat: ['at'],
      resync: ['reason'],
    };
    expect(Object.keys(streamFrames)).toEqual(Object.keys(always));
    for (const [event, { shape }] of Object.entries(streamFrames)) {
      const old = always[event] ?? [];
      expect([event, Object.keys(shape)]).toEqual([event, expect.arrayContaining(old)]);
      const later = Object.entries(shape).filter(([name]) => !old.includes(name));
      expect(later.filter(([, field]) => !field.safeParse(undefined).success)).toEqual([]);
    }
  });

  it('sends a heartbeat every 15 seconds [choices-5.11]', async () => {
    const worker = await service.worker({ name: 'listener' });
    await using stream = await openStream(service, `/v1/worker/tasks/stream?worker_id=${worker.id}&slots=1`, {
      as: 'agent',
    });
    expect((await stream.take('heartbeat')).data).toEqual({ at: expect.stringMatching(/Z$/) });
  });
});

describe('the programs', () => {
  it('npm test is the whole suite, and starts what it needs itself [choices-1.2]', async () => {
    const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(scripts.test).toBe('vitest run');
    const [row] = await service.db.query<{ v: string }>('select version() as v');
    expect(row?.v).toMatch(/^PostgreSQL 18/);
  });

  it('a run of a worker may take an hour, unless its settings say otherwise [choices-5.46]', async () => {
    const flags = { server_url: 'http://127.0.0.1:1', token: 't' };
    const { settings } = await loadSettings({ flags, env: {}, cwd: '/', hostname: 'here' });
    expect(settings.agentTimeoutMs).toBe(3_600_000);
  });
});
