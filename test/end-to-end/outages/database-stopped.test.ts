// The database stops under a running service: callers are asked to retry, and once it is back all goes on.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedServer } from '../../../src/adapters/postgres/embedded/server.ts';
import { migrate } from '../../../src/adapters/postgres/schema/migrate.ts';
import { ownerRole, prepareCluster } from '../../../src/adapters/postgres/setup/setup.ts';
import { openService, type ManualWorker, type TestService, type ApiReply } from '../../support/service.ts';
import type { Login } from '../../support/database/cluster.ts';
import type { TestDatabase } from '../../support/database/database.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { openStream } from '../../support/client/sse.ts';
import { until } from '../../support/until.ts';

let server: EmbeddedServer;
let dataDir: string;
let db: TestDatabase;
let testService: TestService;
let worker: ManualWorker;

const start = (): Promise<EmbeddedServer> =>
  startEmbeddedPostgres({ dataDir, log: () => {}, env: process.env, settings: { fsync: 'off' } });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'switchyard-stopped-'));
  server = await start();
  const { service, migration } = await prepareCluster(server.superuser);
  await migrate({ address: migration, ownerRole, log: () => {} });
  if (!('host' in service)) throw new Error('the embedded cluster has no host');
  db = databaseOf(service);
  testService = await openService({ db });
  worker = await testService.worker({ slots: 4 });
});
afterAll(async () => {
  await testService[Symbol.asyncDispose]();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The server may come back under another address; its logins are the same. */
function databaseOf(service: Login): TestDatabase {
  const at = (login: Login): Login => ({ ...login, host: server.superuser.host, port: server.superuser.port });
  const superuser = (): Login => ({ ...at(service), user: 'postgres', password: server.superuser.password });
  return {
    get service() {
      return at(service);
    },
    get superuser() {
      return superuser();
    },
    async query<R extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const client = new pg.Client(superuser());
      await client.connect();
      try {
        return (await client.query<R>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function expectUnavailable(what: string, reply: ApiReply): void {
  expect([what, reply.status, reply.body.code]).toEqual([what, 503, 'store_unavailable']);
  expect(reply.headers.get('content-type')).toContain('application/problem+json');
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('with its database stopped', () => {
  it('the service lives, answers 503 with Retry-After to all who ask, and goes on by itself when it is back [choices-3.5]', async () => {
    const before = await testService.task();
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('not claimed');
    const follower = await openStream(testService, `/v1/agent/tasks/${before.id}/events`);
    await follower.take('status');
    await server.stop();

    const key = { 'idempotency-key': 'while it is away' };
    const submit = { title: 't', prompt: 'p', codebase_id: 'global' };
    const requests: Record<string, () => Promise<ApiReply>> = {
      read: () => testService.call('GET', `/v1/agent/tasks/${before.id}`),
      list: () => testService.call('GET', '/v1/agent/tasks'),
      submit: () => testService.call('POST', '/v1/agent/tasks', { body: submit, headers: key }),
      cancel: () => testService.call('POST', `/v1/agent/tasks/${before.id}/cancel`),
      claim: () => testService.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body: { worker_id: worker.id } }),
      report: () => worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text: 'x' }]),
      release: () => worker.release(held, { status: 'completed' }),
      heartbeat: () => worker.heartbeat([held]),
      'heartbeat of one that waits': () => worker.heartbeat([]),
      register: () => testService.call('POST', '/v1/agent/workers/register', { as: 'agent', body: { name: 'new' } }),
      follow: () =>
        testService.call('GET', `/v1/agent/tasks/${before.id}/events`, { headers: { accept: 'text/event-stream' } }),
      push: () => testService.call('GET', `/v1/worker/tasks/stream?worker_id=${worker.id}&slots=1`, { as: 'agent' }),
      stats: () => testService.call('GET', '/v1/monitor/stats'),
    };
    for (const [what, send] of Object.entries(requests)) expectUnavailable(what, await send());
    // Many calls at once are answered so as well, and soon: none of them hangs.
    const many = await Promise.all(
      Array.from({ length: 5 }, () => Object.values(requests).map((send) => send())).flat(),
    );
    expect(new Set(many.map((reply) => reply.status))).toEqual(new Set([503]));
    // Errors that need no database are answered without it.
    expect((await testService.call('GET', '/v1/agent/tasks', { token: null })).status).toBe(401);
    expect((await testService.call('POST', '/v1/agent/tasks', { body: {} })).status).toBe(400);
    expect(await testService.call('GET', '/health', { token: null })).toMatchObject({
      status: 200,
      body: { status: 'degraded' },
    });
    expect((await testService.call('GET', '/health?ready', { token: null })).status).toBe(503);
    // It answers people too, with the reason. [ui-6.13.2]
    const { body: health } = await testService.call('GET', '/v1/monitor/service-health');
    expect([health.status, health.store.status]).toEqual(['degraded', 'degraded']);
    expect(health.store.reason).toMatch(/^The database does not answer: /);
    expect(health.versions).toMatchObject({ service: '1.2.0', database: null });

    server = await start();
    await until('the service serves again', async () => {
      const { status } = await testService.call('GET', '/health?ready', { token: null });
      return status === 200;
    });
    // A call without an answer was not done; a repeated one is done once.
    expect((await testService.call('GET', '/v1/agent/tasks')).body.tasks).toHaveLength(1);
    const [again, oncemore] = [await requests['submit']?.(), await requests['submit']?.()];
    expect([again?.status, oncemore?.body.task.id]).toEqual([201, again?.body.task.id]);
    expect((await worker.release(held, { status: 'completed', result: 'done' })).status).toBe(200);
    await assertInvariants(db);
  });

  it('brings push and hints back too: a task submitted after it reaches a connected worker and a follower', async () => {
    await using stream = await openStream(testService, `/v1/worker/tasks/stream?worker_id=${worker.id}&slots=4`, {
      as: 'agent',
    });
    await stream.take('connected');
    await server.stop();
    server = await start();
    const task = await until('a task is taken', async () => {
      const reply = await testService.call('POST', '/v1/agent/tasks', {
        body: { title: 'after', prompt: 'p', codebase_id: 'global' },
        headers: { 'idempotency-key': 'after' },
      });
      return reply.status === 201 ? reply.body.task : undefined;
    });
    const held = await until('it is assigned', () =>
      stream.frames.map((frame) => frame.data).find((data) => data.task?.id === task.id),
    );
    await using follower = await openStream(testService, `/v1/agent/tasks/${task.id}/events`);
    expect((await worker.release(held, { status: 'completed' })).status).toBe(200);
    await follower.ended;
    expect(follower.frames.at(-1)?.data.data.status).toBe('completed');
    await assertInvariants(db);
  });
});
