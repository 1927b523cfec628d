// Facts that tenants could learn without naming an id: lists, counts, cursors, places in streams, and names that both choose.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinForgedCluster } from '../../support/cluster/forged-cluster.ts';
import type { CallOptions, TestService, ApiReply } from '../../support/service.ts';
import { openStream } from '../../support/client/sse.ts';
import { openToolService } from '../../support/client/signed-tools.ts';
import { createTenantRecords, type TenantRecords, type Tenant } from '../../support/builders/tenant-records.ts';

const theirTenant: Tenant = { operator: 'operator', admin: 'admin', tenantId: 'default', canary: 'seldom-seen-word' };
const ownTenant: Tenant = { operator: 'other', admin: 'otheradmin', tenantId: 'other', canary: 'our-own-word' };

const closing = new AsyncDisposableStack();
let service: TestService;
let theirs: TenantRecords;
beforeAll(async () => {
  const cluster = await joinForgedCluster(closing);
  service = closing.use(await openToolService({ config: { webhookBackoffSeconds: 0.01, cluster } }));
  theirs = await createTenantRecords(service, theirTenant);
  await createTenantRecords(service, ownTenant);
});
afterAll(() => closing.disposeAsync());

function expectNothingOfTheirs(what: string, { status, body, headers }: ApiReply): void {
  const text = `${JSON.stringify(body)} ${JSON.stringify([...headers])}`;
  const { tenant: _, ...ids } = theirs;
  const found = [theirTenant.canary, ...Object.values(ids)].filter((word) => text.includes(word));
  expect([what, status < 500, found]).toEqual([what, true, []]);
}

/** Operations that need no argument; streams have no end to wait for and are tried below. */
function lists(): { method: string; path: string; name: string }[] {
  return service.instance.operations.filter(
    ({ method, path, name }) =>
      method === 'GET' && !/\/:/.test(path) && !['workers.stream', 'monitor.stream'].includes(name),
  );
}

describe('without an id, another tenant', () => {
  it.each(['other', 'otheradmin'] as const)('as %s finds nothing of ours in any list, count or search', async (as) => {
    for (const { name, path } of lists()) {
      for (const query of ['', '?limit=200', `?q=${theirTenant.canary}`, '?all=true']) {
        expectNothingOfTheirs(`${name}${query}`, await service.call('GET', `${path}${query}`, { as }));
      }
    }
    const { body: stats } = await service.call('GET', '/v1/monitor/stats', { as });
    expect(stats).toMatchObject({ codebases: 2, workers: { active: 2 }, tasks: { completed: 1, running: 1 } });
    const { body: page } = await service.call('POST', '/a2a/jsonrpc', {
      as,
      body: { jsonrpc: '2.0', id: 1, method: 'tasks/list', params: {} },
    });
    expect(page.result.totalSize).toBe(3);
  });

  it('reads no usage and no history of ours, folded or not [ui-6.8.6]', async () => {
    const groups = ['day', 'model', 'agent', 'agent_type', 'codebase', 'created_by', 'worker', 'ralph_run'];
    for (const isFolded of [false, true]) {
      if (isFolded) await service.db.query(`select fold_usage(t, 10000) from unnest(array['default', 'other']) as t`);
      for (const group of groups) {
        const path = `/v1/monitor/usage?group_by=${group}`;
        expectNothingOfTheirs(path, await service.call('GET', path, { as: 'other' }));
        const own = await service.call('GET', path, { as: 'other' });
        const ended = own.body.usage.reduce((sum: number, { tasks }: { tasks: number }) => sum + tasks, 0);
        const counts = await service.db.query<{ n: string }>(
          `select count(*) as n from tasks where tenant_id = 'other' and completed_at is not null`,
        );
        expect([group, isFolded, ended]).toEqual([group, isFolded, Number(counts[0]?.n)]);
      }
      expectNothingOfTheirs('history', await service.call('GET', '/v1/monitor/history', { as: 'other' }));
    }
  });

  it('gets nowhere with a cursor of ours', async () => {
    for (const name of ['u-first', 'u-second']) {
      const text = { title: theirTenant.canary, prompt: theirTenant.canary };
      await service.task(text);
      await service.call('PUT', `/v1/auth/users/${name}`, { body: { name: theirTenant.canary, roles: ['viewer'] } });
      await service.call('POST', '/v1/auth/api-keys', { body: { name: theirTenant.canary, scopes: ['tasks:read'] } });
    }
    let tried = 0;
    for (const { name, path } of lists()) {
      const first = await service.call('GET', `${path}?limit=1`, { as: 'admin' });
      const cursor: unknown = first.body.next_cursor;
      if (typeof cursor !== 'string') continue;
      tried += 1;
      const next = await service.call('GET', `${path}?cursor=${encodeURIComponent(cursor)}`, { as: 'other' });
      expectNothingOfTheirs(name, next);
    }
    expect(tried).toBeGreaterThan(3);
  });

  it('gets nothing of ours by a place in a stream that it names', async () => {
    const own = await service.call('GET', '/v1/agent/tasks?status=completed', { as: 'other' });
    const done: string = own.body.tasks[0].id;
    for (const place of ['1', '999999', theirs.task, `${theirs.task}:1`]) {
      const headers = { accept: 'text/event-stream', 'last-event-id': place };
      expectNothingOfTheirs(
        place,
        await service.call('GET', `/v1/agent/tasks/${done}/events`, { as: 'other', headers }),
      );
      const foreign = await service.call('GET', `/v1/agent/tasks/${theirs.task}/events`, { as: 'other', headers });
      expect(foreign).toMatchObject({ status: 404, body: { code: 'task_not_found' } });
    }
  });

  it('receives nothing of ours in its own stream, whatever position in it it names', async () => {
    const ours = await service.call('GET', '/v1/monitor/messages?limit=1', { as: 'operator' });
    const place = Buffer.from(String(ours.body.next_cursor), 'base64url').toString();
    for (const lastEventId of [undefined, place, '0.0', 'nonsense']) {
      await using stream = await openStream(service, '/v1/monitor/stream', { as: 'other', lastEventId });
      await stream.take('connected');
      await service.task({ title: theirTenant.canary, prompt: theirTenant.canary });
      const { id } = await service.task({ title: ownTenant.canary }, 'other');
      for (let frame = await stream.next(); frame?.data.task_id !== id; frame = await stream.next()) {
        expect(frame).toBeDefined();
      }
      expect(JSON.stringify(stream.frames)).not.toContain(theirTenant.canary);
    }
  });

  it('learns nothing by an entity tag of an answer of ours', async () => {
    for (const { name, path } of lists()) {
      const ourList = await service.call('GET', path, { as: 'admin' });
      const etag = ourList.headers.get('etag');
      if (etag === null) continue;
      const same = await service.call('GET', path, { as: 'other' });
      const conditional = await service.call('GET', path, { as: 'other', headers: { 'if-none-match': etag } });
      // Things that are the same for everybody may be known to be the same.
      expect([name, conditional.status]).toEqual([name, same.headers.get('etag') === etag ? 304 : 200]);
    }
  });

  it('may not name our tenant, and learns no more from one that there is than from one that there is not', async () => {
    const listFor = async (tenant: string): Promise<unknown> => {
      const headers = { 'x-tenant-id': tenant };
      const { status, body } = await service.call('GET', '/v1/agent/tasks', { as: 'other', headers });
      return { status, body: { ...body, request_id: '' } };
    };
    const foreign = await listFor('default');
    expect(foreign).toMatchObject({ status: 403 });
    expect(foreign).toEqual(await listFor('nobodys-tenant'));
  });
});

describe('two tenants', () => {
  const both = async (work: (as: 'operator' | 'other') => Promise<ApiReply>): Promise<[ApiReply, ApiReply]> => [
    await work('operator'),
    await work('other'),
  ];

  it('use the same idempotency key and each gets a task of its own, and its own again', async () => {
    const headers = { 'idempotency-key': 'the same key' };
    const body = { title: 't', prompt: 'p' };
    const create = (as: 'operator' | 'other'): Promise<ApiReply> =>
      service.call('POST', '/v1/agent/tasks', { as, body, headers });
    const [ours, their] = await both(create);
    expect([ours.status, their.status, their.headers.get('idempotency-replayed')]).toEqual([201, 201, null]);
    expect(their.body.task.id).not.toBe(ours.body.task.id);
    const [again, theirAgain] = await both(create);
    expect([again.body.task.id, theirAgain.body.task.id]).toEqual([ours.body.task.id, their.body.task.id]);
  });

  it('call workers, codebases, sessions, users, conversations, artifacts and configs the same', async () => {
    const one = async (as: 'operator' | 'other', admin: 'admin' | 'otheradmin'): Promise<string[]> => {
      const put = async (method: string, path: string, options: CallOptions): Promise<ApiReply['body']> => {
        const reply = await service.call(method, path, { as, ...options });
        expect([path, reply.status < 300, reply.body]).toEqual([path, true, reply.body]);
        return reply.body;
      };
      const worker = await service.worker({ name: 'same', codebases: [{ name: 'same', path: '/same' }] }, as);
      const codebase = worker.registered.codebases[0]?.codebase_id ?? '';
      const sessions = [{ session_id: 'same', title: `of ${as}` }];
      const path = `/v1/agent/codebases/${codebase}/sessions`;
      await put('POST', `${path}/sync`, { body: { worker_id: worker.id, sessions } });
      const user = { name: `of ${as}`, roles: ['viewer'] };
      await put('PUT', '/v1/auth/users/same', { as: admin, body: user });
      const { task } = await put('POST', '/v1/agent/tasks', {
        body: { title: `of ${as}`, prompt: 'p', codebase_id: codebase, conversation_id: 'same' },
      });
      const [held] = await worker.claim(1, task.id);
      if (held === undefined) throw new Error('not claimed');
      await worker.report(held, [{ type: 'artifact', n: 1, artifact_id: 'same', name: 'same', text: `of ${as}` }]);
      const session = await put('GET', `${path}/same`, {});
      const known = await put('GET', '/v1/auth/users/same', { as: admin });
      const conversationTasks = await put('GET', '/v1/agent/tasks?conversation_id=same', {});
      const artifact = await put('GET', `/v1/agent/tasks/${task.id}/artifacts/same`, {});
      expect(conversationTasks.tasks).toHaveLength(1);
      return [session.session.title, known.user.name, conversationTasks.tasks[0].title, JSON.stringify(artifact)];
    };
    const [ours, their] = [await one('operator', 'admin'), await one('other', 'otheradmin')];
    expect(ours.every((text) => text.includes('of operator'))).toBe(true);
    expect(their.every((text) => text.includes('of other'))).toBe(true);
  });

  it('wait for their own workers: a task’s reason to wait says nothing of another tenant’s', async () => {
    const worker = await service.worker({ name: 'skilled', capabilities: ['rare-skill'] }, 'operator');
    const wanted = { title: 'x', prompt: 'x', codebase_id: 'global', required_capabilities: ['rare-skill'] };
    const reason = async (as: 'operator' | 'other'): Promise<string> =>
      (await service.call('POST', '/v1/agent/tasks', { as, body: wanted })).body.task.waiting_reason;
    const absent = { ...wanted, required_capabilities: ['nobodys-skill'] };
    const nobodys = await service.call('POST', '/v1/agent/tasks', { as: 'other', body: absent });
    expect(await reason('other')).toBe(nobodys.body.task.waiting_reason);
    expect(await reason('operator')).not.toBe(nobodys.body.task.waiting_reason);
    expect((await worker.claim(9)).every(({ task }) => task.created_by !== 'token:other')).toBe(true);
  });
});
