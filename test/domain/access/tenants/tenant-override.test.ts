// The tenant override: an admin acts in another tenant by naming it in X-Tenant-Id; others may not. choices-4.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/domain/model/audit-entry.ts';
import type { Caller } from '../../../../src/domain/model/access/caller.ts';
import { openTestAdmissions, requestWithToken, noTrail } from '../../../support/request-pipeline.ts';
import { until } from '../../../support/until.ts';
import { openService, type TestService, type ApiReply, type TestUser } from '../../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const into = (tenant: string): Record<string, string> => ({ 'x-tenant-id': tenant });

function tasksSeen(as: TestUser, headers: Record<string, string> = {}): Promise<ApiReply> {
  return service.call('GET', '/v1/agent/tasks', { as, headers });
}

function rpc(as: TestUser, method: string, params: unknown, headers: Record<string, string>): Promise<ApiReply> {
  return service.call('POST', '/a2a/jsonrpc', { as, headers, body: { jsonrpc: '2.0', id: 1, method, params } });
}

/** Every user who may not override the tenant, with a tenant that each names. */
const others: TestUser[] = ['operator', 'editor', 'viewer', 'agent', 'other'];

describe('an admin', () => {
  it('sees only the home tenant while naming none [choices-4.35]', async () => {
    const theirs = await service.task({ title: 'theirs' }, 'other');
    expect((await tasksSeen('admin')).body.tasks.map((task: { id: string }) => task.id)).not.toContain(theirs.id);
    expect((await service.call('GET', `/v1/agent/tasks/${theirs.id}`)).status).toBe(404);
  });

  it('works in the named tenant, and leaves nothing in the home tenant [choices-4.34, core-5.6.4]', async () => {
    const body = { title: 'by override', prompt: 'p', codebase_id: 'global' };
    const made = await service.call('POST', '/v1/agent/tasks', { body, headers: into('other') });
    expect(made.status).toBe(201);
    const { id } = made.body.task;
    expect((await service.call('GET', `/v1/agent/tasks/${id}`, { as: 'other' })).body.task.created_by).toBe(
      'token:admin',
    );
    expect((await service.call('GET', `/v1/agent/tasks/${id}`)).status).toBe(404);
    const [row] = await service.db.query<{ tenant_id: string }>('select tenant_id from tasks where id = $1', [id]);
    expect(row?.tenant_id).toBe('other');
    const ended = await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { headers: into('other') });
    expect(ended.body.task.status).toBe('cancelled');
  });

  it('changes what others own there, as at home', async () => {
    const theirs = await service.task({}, 'other');
    expect((await service.call('POST', `/v1/agent/tasks/${theirs.id}/cancel`)).status).toBe(404);
    const reply = await service.call('POST', `/v1/agent/tasks/${theirs.id}/cancel`, { headers: into('other') });
    expect(reply.body.task.status).toBe('cancelled');
  });

  it('overrides the tenant through JSON-RPC too [choices-4.34]', async () => {
    const parts = [{ kind: 'text', text: 'do it' }];
    const message = { kind: 'message', messageId: 'm1', role: 'user', parts };
    const sent = await rpc('admin', 'message/send', { message, configuration: { blocking: false } }, into('other'));
    const id: string = sent.body.result.id;
    expect((await service.call('GET', `/v1/agent/tasks/${id}`, { as: 'other' })).status).toBe(200);
    expect((await rpc('admin', 'tasks/get', { id }, {})).body.error.code).toBe(-32001);
    expect((await rpc('admin', 'tasks/get', { id }, into('other'))).body.result.id).toBe(id);
  });

  it('may name the home tenant, and the system tenant', async () => {
    expect((await tasksSeen('admin', into('default'))).status).toBe(200);
    const none = await tasksSeen('admin', into('system'));
    expect(none).toMatchObject({ status: 200, body: { tasks: [] } });
  });

  it('of another tenant overrides it in the same way', async () => {
    const task = await service.task({ title: 'ours' });
    const reply = await service.call('GET', `/v1/agent/tasks/${task.id}`, {
      as: 'otheradmin',
      headers: into('default'),
    });
    expect(reply.body.task.title).toBe('ours');
  });

  it('gets 404 for a tenant that does not exist, in the form of each protocol', async () => {
    expect(await tasksSeen('admin', into('nowhere'))).toMatchObject({
      status: 404,
      body: { code: 'tenant_not_found' },
    });
    const reply = await rpc('admin', 'tasks/get', { id: 'x' }, into('nowhere'));
    expect(reply.body.error).toMatchObject({ code: -32602, message: 'There is no such tenant.' });
  });

  it('finds a tenant as soon as it is created', async () => {
    expect((await tasksSeen('admin', into('brandnew'))).status).toBe(404);
    await service.db.query(`insert into tenants (tenant_id, name) values ('brandnew', 'Brand new')`);
    expect((await tasksSeen('admin', into('brandnew'))).status).toBe(200);
  });

  it.each(['', 'UPPER', 'a b', '../default', "default'--", 'default,other', 'x'.repeat(64), '-a', 'é'])(
    'gets 400 for the malformed name %j',
    async (name) => {
      const answer = await raw(`X-Tenant-Id: ${name}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"invalid_tenant"');
    },
  );

  it.each([
    ['two names', 'X-Tenant-Id: other\r\nX-Tenant-Id: default\r\n'],
    ['the same name twice', 'X-Tenant-Id: other\r\nx-tenant-id: other\r\n'],
  ])('gets 400 for %s', async (_, headers) => {
    expect(await raw(headers)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

/** A call of the admin with these header lines as they are. */
function raw(headers: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(service.url);
    const head = `GET /v1/agent/tasks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${service.token('admin')}\r\n`;
    const socket = connect(Number(port), hostname, () => socket.end(Buffer.from(`${head}${headers}\r\n`, 'latin1')));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('the audit of a tenant override', () => {
  const eventsOf = async (
    as: TestUser,
    tenant: string,
  ): Promise<{ action: string; outcome: string; metadata: unknown }[]> =>
    (await service.call('GET', '/v1/audit/events?limit=200', { as, headers: into(tenant) })).body.events;

  it('is in the named tenant, with the home tenant in it [choices-4.36]', async () => {
    await service.call('POST', '/v1/agent/tasks', { body: { title: 'x', prompt: 'p' }, headers: into('other') });
    const found = await until('the entry', async () =>
      (await eventsOf('otheradmin', 'other')).find(
        ({ action, metadata }) => action === 'tasks.create' && JSON.stringify(metadata).includes('crossed_from'),
      ),
    );
    expect(found).toMatchObject({
      actor: 'token:admin',
      tenant_id: 'other',
      outcome: 'success',
      metadata: { crossed_from: 'default' },
    });
  });

  it('is in the home tenant for a refused one, with the named tenant in it [choices-4.36]', async () => {
    await tasksSeen('viewer', into('other'));
    const found = await until('the entry', async () =>
      (await eventsOf('admin', 'default')).find(({ metadata }) => JSON.stringify(metadata).includes('tenant_named')),
    );
    expect(found).toMatchObject({ outcome: 'denied', tenant_id: 'default', metadata: { tenant_named: 'other' } });
  });
});

describe('anybody else', () => {
  it('is refused on every operation with the same error, whatever tenant is named [choices-4.34]', async () => {
    for (const as of others) {
      for (const { method, path } of service.instance.operations) {
        const reply = await service.call(method, path.replaceAll(/\/:\w+/g, '/x'), { as, headers: into('other') });
        expect({ as, method, path, status: reply.status, code: reply.body.code }).toEqual({
          as,
          method,
          path,
          status: 403,
          code: 'crossing_refused',
        });
      }
      const bodies = await Promise.all(
        ['default', 'other', 'nowhere', 'system'].map(async (tenant) => ({
          ...(await tasksSeen(as, into(tenant))).body,
          request_id: '',
        })),
      );
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    }
  });

  it('is refused on every RPC method too, and nothing happens [choices-4.34]', async () => {
    const before = (await tasksSeen('other')).body.tasks.length;
    const message = { kind: 'message', messageId: 'm2', role: 'user', parts: [{ kind: 'text', text: 'x' }] };
    for (const { method } of service.instance.rpcOperations) {
      for (const as of ['operator', 'editor', 'agent'] as const) {
        const reply = await rpc(as, method, { message, id: 'x' }, into('other'));
        expect({ method, as, status: reply.status, code: reply.body.code }).toEqual({
          method,
          as,
          status: 403,
          code: 'crossing_refused',
        });
      }
    }
    expect((await tasksSeen('other')).body.tasks.length).toBe(before);
  });

  it('without a credential is 401, whatever tenant is named', async () => {
    const reply = await service.call('GET', '/v1/agent/tasks', { token: null, headers: into('default') });
    expect(reply.status).toBe(401);
  });
});

describe('a tenant override in the request pipeline', () => {
  const admin: Caller = {
    subject: 'user:a',
    name: 'a',
    tenantId: 'home',
    homeTenantId: 'home',
    roles: ['admin'],
    credential: 'api_key',
    credentialId: 'key:1',
  };
  const called = { name: 'tasks.list', permission: 'tasks:read', resource: '/v1/agent/tasks', changes: false } as const;

  function pipeline(): { open: ReturnType<typeof openTestAdmissions>; entries: AuditEntry[] } {
    const entries: AuditEntry[] = [];
    const trail = { ...noTrail, note: (entry: AuditEntry) => void entries.push(entry) };
    return { open: openTestAdmissions({ trail, tenants: { has: (id) => Promise.resolve(id === 'away') } }), entries };
  }
  const inboundFor = (...tenants: string[]): ReturnType<typeof requestWithToken> => ({
    ...requestWithToken('t'),
    tenants,
  });

  it('its entry has the named tenant and the home tenant [choices-4.36]', async () => {
    const { open, entries } = pipeline();
    const call = await open.begin(admin, inboundFor('away'), called);
    expect(call.caller).toMatchObject({ tenantId: 'away', homeTenantId: 'home', subject: 'user:a' });
    await call.succeeded();
    expect(entries).toMatchObject([{ tenantId: 'away', outcome: 'success', metadata: { crossed_from: 'home' } }]);
  });

  it('a refused one has an entry in the home tenant, with the named tenant in it [choices-4.36]', async () => {
    const { open, entries } = pipeline();
    const editor: Caller = { ...admin, roles: ['editor'] };
    await expect(open.begin(editor, inboundFor('away'), called)).rejects.toMatchObject({ code: 'crossing_refused' });
    await expect(open.begin(admin, inboundFor('gone'), called)).rejects.toMatchObject({ code: 'tenant_not_found' });
    expect(entries).toMatchObject([
      { tenantId: 'home', outcome: 'denied', metadata: { tenant_named: 'away', code: 'crossing_refused' } },
      { tenantId: 'home', outcome: 'failure', metadata: { tenant_named: 'gone', code: 'tenant_not_found' } },
    ]);
  });

  it('an admin’s key without tenants:read in its scopes is refused', async () => {
    const { open } = pipeline();
    const narrowed = (...scopes: string[]): Caller => ({ ...admin, scopes });
    await expect(open.begin(narrowed('tasks:*'), inboundFor('away'), called)).rejects.toMatchObject({
      code: 'crossing_refused',
    });
    const call = await open.begin(narrowed('tasks:read', 'tenants:read'), inboundFor('away'), called);
    expect(call.caller.tenantId).toBe('away');
    // The override alone is not enough: the operation's own permission is still required.
    await expect(open.begin(narrowed('tenants:*'), inboundFor('away'), called)).rejects.toMatchObject({
      code: 'permission_missing',
    });
  });

  it('a policy server that allows everything does not allow it to other roles', async () => {
    const policy = { allows: () => true };
    const open = openTestAdmissions({ policy, tenants: { has: () => Promise.resolve(true) } });
    const operator: Caller = { ...admin, roles: ['operator'] };
    await expect(open.begin(operator, inboundFor('away'), called)).rejects.toMatchObject({ code: 'crossing_refused' });
  });

  it('is refused while the policy server is unreachable', async () => {
    const policy = { allows: () => false };
    const open = openTestAdmissions({ policy, tenants: { has: () => Promise.resolve(true) } });
    await expect(open.begin(admin, inboundFor('away'), called)).rejects.toMatchObject({ code: 'crossing_refused' });
  });
});
