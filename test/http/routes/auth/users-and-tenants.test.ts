// Users, tenants, and what the service says of access itself. choices-4.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { makeKey, me, putUser, userPath, userWithKey } from '../../../support/client/credentials.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('identity and access configuration', () => {
  it('are readable with any valid credential, and contain no secret [core-1.3.3, choices-4.6, choices-4.14]', async () => {
    for (const as of ['viewer', 'agent', 'other'] as const) {
      const status = await service.call('GET', '/v1/auth/status', { as });
      expect(status.body).toEqual({
        credentials: {
          service_token: false,
          shared_tokens: true,
          api_keys: true,
          sessions: true,
          identity_provider: false,
        },
        policy: { mode: 'local' },
        row_level_security: true,
        session_hours: 12,
      });
    }
    expect((await me(service, service.token('other'))).body).toEqual({
      subject: 'token:other',
      name: 'other',
      tenant_id: 'other',
      roles: ['operator'],
      scopes: null,
      credential: 'shared_token',
      permissions: expect.arrayContaining(['workers:write']),
      session: null,
    });
  });
});

describe('users', () => {
  it('are created, updated, listed and deleted by admins [choices-4.12, choices-4.30]', async () => {
    const path = userPath('oidc:https://idp.example|ä b');
    const made = await service.call('PUT', path, { body: { name: 'Ada', roles: ['editor'] } });
    expect(made).toMatchObject({
      status: 200,
      body: { user: { name: 'Ada', roles: ['editor'], status: 'active', source: 'admin' } },
    });
    const changed = await service.call('PUT', path, { body: { status: 'disabled' } });
    expect(changed.body.user).toMatchObject({ name: 'Ada', roles: ['editor'], status: 'disabled' });
    expect((await service.call('GET', path)).body.user.user_id).toBe('oidc:https://idp.example|ä b');
    await putUser(service, 'zoe', {});
    const users = async (query: string) => (await service.call('GET', `/v1/auth/users?${query}`)).body;
    const first = await users('limit=1');
    const rest = await users(`limit=1&cursor=${first.next_cursor}`);
    expect([first, rest].flatMap((page) => page.users.map((user: { user_id: string }) => user.user_id))).toEqual([
      'oidc:https://idp.example|ä b',
      'zoe',
    ]);
    expect(rest.next_cursor).toBeNull();
    expect((await service.call('DELETE', path)).body.user.name).toBe('Ada');
    for (const method of ['GET', 'DELETE']) {
      expect(await service.call(method, path)).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    }
  });

  it('of one tenant are invisible to another', async () => {
    await putUser(service, 'ours', { roles: ['viewer'] });
    expect((await service.call('GET', userPath('ours'), { as: 'otheradmin' })).status).toBe(404);
    expect((await service.call('GET', '/v1/auth/users', { as: 'otheradmin' })).body.users).toEqual([]);
    const theirs = await service.call('PUT', userPath('ours'), { as: 'otheradmin', body: { roles: ['admin'] } });
    expect(theirs.status).toBe(200);
    expect((await service.call('GET', userPath('ours'))).body.user.roles).toEqual(['viewer']);
  });

  it.each(['token:editor', 'service:reaper', 'system:runs', 'key:x', 'session:x', 'anonymous', 'system'])(
    'may not take a name that the service gives out: %s',
    async (name) => {
      const reply = await service.call('PUT', userPath(name), { body: { roles: ['admin'] } });
      expect(reply).toMatchObject({ status: 400, body: { code: 'reserved_user' } });
    },
  );

  it('cannot be granted a role with more permissions than the granting credential', async () => {
    const { key } = await makeKey(service, 'admin', { scopes: ['users:*', 'tasks:read'] });
    const give = (roles: string[]) => service.call('PUT', userPath('max'), { token: key, body: { roles } });
    expect(await give(['viewer'])).toMatchObject({ status: 403, body: { code: 'roles_too_wide' } });
    expect((await give([])).status).toBe(200);
    expect((await service.call('PUT', userPath('max'), { body: { roles: ['king'] } })).status).toBe(400);
  });

  it('cannot get keys while disabled', async () => {
    await userWithKey(service, 'eve', ['viewer']);
    await putUser(service, 'eve', { status: 'disabled' });
    const reply = await service.call('POST', '/v1/auth/api-keys', { body: { name: 'a', user_id: 'eve' } });
    expect(reply).toMatchObject({ status: 409, body: { code: 'user_disabled' } });
  });
});

describe('tenants', () => {
  it('are created and listed by admins [choices-4.12, choices-4.30]', async () => {
    const body = { tenant_id: 'third', name: 'The third' };
    const made = await service.call('POST', '/v1/auth/tenants', { body });
    expect(made).toMatchObject({ status: 201, body: { tenant: body } });
    expect(await service.call('POST', '/v1/auth/tenants', { body })).toMatchObject({
      status: 409,
      body: { code: 'tenant_exists' },
    });
    const list = await service.call('GET', '/v1/auth/tenants');
    expect(list.body.tenants.map((tenant: { tenant_id: string }) => tenant.tenant_id)).toEqual([
      'default',
      'other',
      'system',
      'third',
    ]);
    for (const as of ['operator', 'agent'] as const) {
      expect((await service.call('POST', '/v1/auth/tenants', { as, body })).status).toBe(403);
    }
    for (const id of ['', 'A', '-a', 'a b', 'x'.repeat(64)]) {
      const reply = await service.call('POST', '/v1/auth/tenants', { body: { tenant_id: id, name: 'a' } });
      expect([id, reply.status]).toEqual([id, 400]);
    }
  });

  it('just created can be entered by tenant override, and get users with keys of their own', async () => {
    await service.call('POST', '/v1/auth/tenants', { body: { tenant_id: 'fourth', name: 'The fourth' } });
    const headers = { 'x-tenant-id': 'fourth' };
    const put = await service.call('PUT', userPath('ada'), { headers, body: { roles: ['operator'] } });
    expect(put.status).toBe(200);
    const made = await service.call('POST', '/v1/auth/api-keys', { headers, body: { name: 'a', user_id: 'ada' } });
    expect((await me(service, made.body.key)).body).toMatchObject({ subject: 'ada', tenant_id: 'fourth' });
  });
});
