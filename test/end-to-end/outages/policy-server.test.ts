// The whole service with a real policy server: it decides, it dies in mid-run, it comes back; and one that lies.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openService, type TestService, type ApiReply } from '../../support/service.ts';
import { fingerprint } from '../../support/database/fingerprint.ts';
import { decision, FaultyPolicyServer } from '../../support/peers/faulty-policy-server.ts';
import { findOpa, OpaServer } from '../../support/peers/opa.ts';
import { until } from '../../support/until.ts';

const opa = findOpa();

function openServiceWithPolicy(url: string): Promise<TestService> {
  return openService({ config: { policy: { mode: 'sidecar', url } } });
}

const undecided = { status: 503, body: { code: 'policy_unavailable' } };

describe.skipIf(opa === undefined)('a service whose policy a real server decides', () => {
  let server: OpaServer;
  let service: TestService;
  beforeAll(async () => {
    server = await OpaServer.start(opa ?? '');
    service = await openServiceWithPolicy(server.url);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const submit = (as: 'editor' | 'viewer'): Promise<ApiReply> =>
    service.call('POST', '/v1/agent/tasks', { as, body: { title: 't', prompt: 'p', codebase_id: 'global' } });
  const cancel = (id: string, as: 'editor' | 'editor2' | 'operator'): Promise<ApiReply> =>
    service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as });

  it('takes what a role may, refuses what it may not, and a worker does its work [core-5.7.2, choices-1.22]', async () => {
    expect(await submit('editor')).toMatchObject({ status: 201 });
    expect(await submit('viewer')).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
    expect((await service.call('GET', '/v1/agent/tasks', { as: 'viewer' })).status).toBe(200);
    const worker = await service.worker();
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('nothing claimed');
    expect((await worker.release(held, { status: 'completed', result: 'done' })).status).toBe(200);
  });

  it('lets a task be cancelled by its owner and by operators alone [core-5.6.5, choices-4.32]', async () => {
    const [task, another] = [await service.task(), await service.task()];
    expect(await cancel(task.id, 'editor2')).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    expect((await cancel(task.id, 'editor')).status).toBe(200);
    expect((await cancel(another.id, 'operator')).status).toBe(200);
  });

  it('lets admins cross to another tenant, and nobody else [choices-4.34, core-1.5.4]', async () => {
    const theirs = await service.task({}, 'other');
    const path = `/v1/agent/tasks/${theirs.id}`;
    const headers = { 'x-tenant-id': 'other' };
    expect((await service.call('GET', path, { as: 'admin', headers })).status).toBe(200);
    expect((await service.call('GET', path, { as: 'admin' })).status).toBe(404);
    expect((await service.call('GET', path, { as: 'operator', headers })).status).toBe(403);
  });

  it('holds no connection of the database while a question waits for its answer', async () => {
    const tasks = await Promise.all(Array.from({ length: 20 }, () => service.task({}, 'operator')));
    // editor2 may write tasks, which is remembered; about what the operator owns he has not been asked yet.
    await service.task({}, 'editor2');
    await server.freeze();
    // On a busy machine two seconds may be over before all is looked at: the deadline of these questions never comes.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    let answered = 0;
    const cancels = tasks.map(({ id }) => cancel(id, 'editor2').finally(() => (answered += 1)));
    try {
      for (let i = 0; i < 20; i += 1) {
        expect((await service.call('GET', '/health?ready', { token: null })).status).toBe(200);
      }
      expect(answered).toBe(0);
    } finally {
      vi.useRealTimers();
      server.thaw();
    }
    for (const reply of await Promise.all(cancels)) expect(reply.body.code).toMatch(/^(not_owner|policy_unavailable)$/);
  });

  it('that hangs is 503 with Retry-After, that goes on is asked again', async () => {
    await server.freeze();
    const refused = await service.call('GET', '/v1/agent/workers', { as: 'editor2' }).finally(() => server.thaw());
    expect(refused).toMatchObject(undecided);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await service.call('GET', '/v1/agent/workers', { as: 'editor2' })).status).toBe(200);
  });

  it('that is killed in mid-run is 503 within five seconds for everything, changes nothing, and works when it is back', async () => {
    expect((await submit('editor')).status).toBe(201);
    await server.kill();
    const fresh = await service.call('GET', '/v1/agent/codebases', { as: 'editor2' });
    expect(fresh).toMatchObject(undecided);
    await until('what was remembered is forgotten', async () => (await submit('editor')).status === 503);
    const before = await fingerprint(service.db);
    for (const { method, path } of service.instance.operations) {
      const nowhere = path.replaceAll(/(?<=\/):\w+/g, '01890000-0000-7000-8000-000000000000');
      const reply = await service.call(method, nowhere, { as: 'otheradmin' });
      expect([path, reply.status, reply.body.code]).toEqual([path, 503, 'policy_unavailable']);
    }
    const rpc = await service.call('POST', '/a2a/jsonrpc', {
      as: 'otheradmin',
      body: { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } },
    });
    expect(rpc).toMatchObject(undecided);
    expect(await fingerprint(service.db)).toEqual(before);
    expect((await service.call('GET', '/health', { token: null })).status).toBe(200);
    await server.again();
    expect((await submit('editor')).status).toBe(201);
  });
});

describe('a service whose policy server lies', () => {
  it('takes nothing but a decision for one [core-5.7.2]', async () => {
    await using server = await FaultyPolicyServer.start();
    await using service = await openServiceWithPolicy(server.url);
    const before = await fingerprint(service.db);
    const lies = ['{}', '{"result":"true"}', '{"result":1}', 'true', '<html>true</html>', ''];
    for (const lie of lies) {
      server.lie = (response) => response.setHeader('content-type', 'application/json').end(lie);
      const reply = await service.call('POST', '/v1/agent/tasks', { body: { title: 't', prompt: 'p' } });
      expect(reply).toMatchObject(undecided);
      expect(JSON.stringify(reply.body)).not.toContain(server.url);
    }
    expect(await fingerprint(service.db)).toEqual(before);
    server.lie = decision(false);
    expect((await service.call('GET', '/v1/agent/tasks')).status).toBe(403);
    server.lie = decision(true);
    expect((await service.call('POST', '/v1/agent/tasks', { body: { title: 't', prompt: 'p' } })).status).toBe(201);
  });

  it('cannot make anybody but an admin cross to another tenant [core-5.6.2, choices-4.34]', async () => {
    await using server = await FaultyPolicyServer.start();
    await using service = await openServiceWithPolicy(server.url);
    const theirs = await service.task({}, 'other');
    const headers = { 'x-tenant-id': 'other' };
    const reply = await service.call('GET', `/v1/agent/tasks/${theirs.id}`, { as: 'operator', headers });
    expect(reply).toMatchObject({ status: 403, body: { code: 'crossing_refused' } });
  });
});
