// The caller of an access token: tenant, roles and scopes from its verified claims, through the whole service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type CallOptions, type TestService, type ApiReply } from '../../support/service.ts';
import { makeSigningKey, openDecoy, openProvider, type TestProvider } from '../../support/peers/identity-provider.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let provider: TestProvider;
beforeAll(async () => {
  provider = await openProvider('RS256');
  service = await openService({
    config: {
      oidc: {
        issuer: provider.issuer,
        audiences: [provider.audience, 'https://switchyard.example'],
        tenantClaim: 'tenant_id',
        rolesClaim: 'realm_access.roles',
      },
    },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** Claims of somebody with these roles. */
function having(roles: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { realm_access: { roles }, ...more };
}

async function call(
  claims: Record<string, unknown>,
  path = '/v1/auth/me',
  options: CallOptions = {},
): Promise<ApiReply> {
  return service.call(options.body === undefined ? 'GET' : 'POST', path, {
    token: await provider.token(claims),
    ...options,
  });
}

async function outcome(claims: Record<string, unknown>): Promise<unknown> {
  const { status, body } = await call(claims);
  return status === 200 ? body.roles : `${status} ${body.code}`;
}

describe('an access token', () => {
  it('of the client-credentials grant opens REST and RPC [core-5.4, core-5.2]', async () => {
    provider.clients.set('ci-robot', { secret: 'hush', claims: having(['editor']) });
    const token = await provider.grant('ci-robot');
    const me = await service.call('GET', '/v1/auth/me', { token });
    expect(me.body).toEqual({
      subject: 'oidc:ci-robot',
      name: 'ci-robot',
      tenant_id: 'default',
      roles: ['editor'],
      scopes: null,
      credential: 'access_token',
      permissions: expect.arrayContaining(['tasks:write', 'a2a:write']),
      session: null,
    });
    const message = { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'do it' }] };
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: { message, configuration: { blocking: false } },
    };
    const sent = await service.call('POST', '/a2a/jsonrpc', { token, body });
    const task = await service.call('GET', `/v1/agent/tasks/${sent.body.result.id}`, { token });
    expect(task.body.task.created_by).toBe('oidc:ci-robot');
  });

  it('is for any one of our audiences, alone or in a list [choices-1.45]', async () => {
    for (const aud of [
      'switchyard',
      'https://switchyard.example',
      ['switchyard'],
      ['x', 'https://switchyard.example'],
    ]) {
      expect(await outcome(having(['viewer'], { aud }))).toEqual(['viewer']);
    }
  });

  it('has a name to show: what it calls itself, or else its client, or its subject', async () => {
    const nameOf = async (claims: Record<string, unknown>): Promise<string> =>
      (await call(having(['viewer'], { sub: 'f:1', ...claims }))).body.name;
    expect(await nameOf({ name: 'Ada', preferred_username: 'ada', client_id: 'c' })).toBe('Ada');
    expect(await nameOf({ name: '  ', preferred_username: 'ada', client_id: 'c' })).toBe('ada');
    expect(await nameOf({ name: 7, client_id: 'c' })).toBe('c');
    expect(await nameOf({})).toBe('f:1');
    expect(await nameOf({ name: `a\nb\u0000${'😀'.repeat(300)}` })).toBe(`a b ${'😀'.repeat(196)}`);
  });

  it('may be 30 seconds out of time, for clocks differ', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await outcome(having(['viewer'], { exp: now - 20 }))).toEqual(['viewer']);
    expect(await outcome(having(['viewer'], { nbf: now + 25, iat: now + 25 }))).toEqual(['viewer']);
    expect(await outcome(having(['viewer'], { exp: now - 40 }))).toBe('401 unauthenticated');
    expect(await outcome(having(['viewer'], { nbf: now + 60 }))).toBe('401 unauthenticated');
  });

  it('may change the subject’s things alone: others’ need operator', async () => {
    const task = await service.task({}, 'editor');
    const cancel = { body: {} };
    const path = `/v1/agent/tasks/${task.id}/cancel`;
    expect((await call(having(['editor']), path, cancel)).body.code).toBe('not_owner');
    expect((await call(having(['operator']), path, cancel)).status).toBe(200);
  });

  it('of an admin crosses tenants, of anybody else it does not [choices-4.34]', async () => {
    const headers = { 'x-tenant-id': 'other' };
    expect((await call(having(['admin']), '/v1/agent/tasks', { headers })).status).toBe(200);
    expect((await call(having(['operator']), '/v1/agent/tasks', { headers })).body.code).toBe('crossing_refused');
  });

  it('of a user whom an admin has disabled here is 401, though the provider vouches for it', async () => {
    const claims = having(['editor'], { sub: 'gone' });
    expect((await call(claims)).status).toBe(200);
    await service.db.query(
      `insert into users (tenant_id, user_id, name, roles, status, source)
       values ('default', 'oidc:gone', 'gone', '{editor}', 'disabled', 'admin')
       on conflict (tenant_id, user_id) do update set status = 'disabled'`,
    );
    await until('refused', async () => (await call(claims)).status === 401);
  });

  it('is an unknown token where no provider is configured', async () => {
    await using plain = await openService({ db: service.db });
    const token = await provider.token(having(['admin']));
    expect((await plain.call('GET', '/v1/auth/me', { token })).status).toBe(401);
  });
});

describe('the roles', () => {
  it('are the known ones among those that the claim names, in a list or in words', async () => {
    expect(await outcome(having(['viewer', 'offline_access', 'operator']))).toEqual(['operator', 'viewer']);
    expect(await outcome(having('uma_authorization agent'))).toEqual(['agent']);
    expect(await outcome(having([7, null, 'editor', { admin: true }]))).toEqual(['editor']);
    const called = await call(having(['viewer']), '/v1/agent/tasks', { body: { title: 't', prompt: 'p' } });
    expect(called).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
  });

  it.each([
    ['missing', {}],
    ['empty', having([])],
    ['of others', having(['Admin', 'ADMIN', 'superuser', 'admin,editor'])],
    ['no list', having({ admin: true })],
    ['beside the path', { roles: ['admin'], realm_access: {} }],
    ['along the prototype', { realm_access: JSON.parse('{"__proto__":{"roles":["admin"]}}') }],
  ])('that are %s give no role: 403 [choices-4.43]', async (_, claims) => {
    expect(await outcome(claims)).toBe('403 no_role');
  });

  it('may stand in a claim whose very name has dots', async () => {
    const name = 'https://id.example/claims.roles';
    const oidc = { issuer: provider.issuer, audiences: ['switchyard'], tenantClaim: 'org.tenant', rolesClaim: name };
    await using home = await openService({ config: { oidc }, db: service.db });
    const token = await provider.token({ tenant_id: undefined, org: { tenant: 'other' }, [name]: 'operator viewer' });
    const { body } = await home.call('GET', '/v1/auth/me', { token });
    expect(body).toMatchObject({ tenant_id: 'other', roles: ['operator', 'viewer'] });
  });
});

describe('the tenant', () => {
  it('comes from the claim: the token sees that tenant’s rows and no others [choices-1.44]', async () => {
    const [ours, theirs] = [await service.task({ title: 'ours' }), await service.task({ title: 'theirs' }, 'other')];
    const claims = having(['editor'], { tenant_id: 'other' });
    expect((await call(claims, `/v1/agent/tasks/${theirs.id}`)).body.task.title).toBe('theirs');
    expect((await call(claims, `/v1/agent/tasks/${ours.id}`)).status).toBe(404);
  });

  it.each([
    ['missing', undefined, 'no_tenant'],
    ['null', null, 'no_tenant'],
    ['empty', '', 'no_tenant'],
    ['a list', ['default'], 'no_tenant'],
    ['a number', 1, 'no_tenant'],
    ['not there', 'nowhere', 'unknown_tenant'],
    ['of other letters', 'Default', 'unknown_tenant'],
    ['with a blank', 'default ', 'unknown_tenant'],
    ['SQL', `default' or true --`, 'unknown_tenant'],
    ['the one of the service itself', 'system', 'unknown_tenant'],
  ])('that is %s is 403, makes nothing and falls to nobody [choices-4.43, choices-4.44]', async (_, tenant, code) => {
    const count =
      'select (select count(*) from tenants) + (select count(*) from users) + (select count(*) from tasks) as n';
    const before = await service.db.query(count);
    const claims = having(['admin'], { tenant_id: tenant });
    expect(await outcome(claims)).toBe(`403 ${code}`);
    const made = await call(claims, '/v1/agent/tasks', { body: { title: 't', prompt: 'p' } });
    expect(made).toMatchObject({ status: 403, body: { code } });
    expect(await service.db.query(count)).toEqual(before);
  });

  it('is known as soon as it is made', async () => {
    const claims = having(['viewer'], { tenant_id: 'fresh' });
    expect(await outcome(claims)).toBe('403 unknown_tenant');
    await service.db.query(`insert into tenants (tenant_id, name) values ('fresh', 'Fresh')`);
    expect(await outcome(claims)).toEqual(['viewer']);
  });

  it('that is wrong is no wrong token: its holder is not throttled', async () => {
    for (let i = 0; i < 40; i += 1) expect(await outcome(having(['admin'], { tenant_id: 'nowhere' }))).toMatch(/^403/);
  });
});

describe('the scopes', () => {
  const mayRead = async (scope: unknown): Promise<number> =>
    (await call(having(['operator'], { scope }), '/v1/agent/tasks')).status;

  it('of our form narrow what the roles may do, and never add [core-5.6.3]', async () => {
    expect(await mayRead('tasks:read')).toBe(200);
    expect(await mayRead('tasks:*')).toBe(200);
    expect(await mayRead('openid tasks:read')).toBe(200);
    expect(await mayRead(['tasks:read'])).toBe(200);
    expect(await mayRead('workers:read')).toBe(403);
    // A word of ours that is misspelt narrows too: it does not open all.
    expect(await mayRead('tasks:raed')).toBe(403);
    const viewer = having(['viewer'], { scope: 'tasks:write tasks:read' });
    expect((await call(viewer, '/v1/agent/tasks', { body: { title: 't', prompt: 'p' } })).status).toBe(403);
  });

  it('of others say nothing here', async () => {
    for (const scope of [
      'openid profile email',
      'api:read',
      'https://www.example/auth/tasks',
      '',
      7,
      null,
      ':',
      'tasks',
    ]) {
      expect({ scope, status: await mayRead(scope) }).toEqual({ scope, status: 200 });
    }
  });
});

describe('a provider', () => {
  it('is named on the agent card, for clients that look for their tokens', async () => {
    const card = await service.call('GET', '/.well-known/agent-card.json', { headers: { 'a2a-version': '0.3' } });
    expect(card.body.securitySchemes.openid).toEqual({
      type: 'openIdConnect',
      openIdConnectUrl: `${provider.issuer}/.well-known/openid-configuration`,
    });
  });

  it('whose discovery names keys at a private address of another origin is not followed there', async () => {
    await using other = await openProvider();
    await using decoy = await openDecoy(other.keys);
    const oidc = { issuer: other.issuer, audiences: [other.audience], tenantClaim: 'tenant_id', rolesClaim: 'roles' };
    for (const place of [
      decoy.url,
      decoy.url.replace('http:', 'https:'),
      decoy.url.replace('127.0.0.1', 'localhost'),
    ]) {
      other.discovery = { jwks_uri: `${place}/jwks` };
      await using home = await openService({ config: { oidc }, db: service.db });
      const reply = await home.call('GET', '/v1/auth/me', { token: await other.token() });
      expect(reply).toMatchObject({ status: 503, body: { code: 'identity_provider_unavailable' } });
    }
    expect(decoy.visits).toBe(0);
  });
});

describe('a provider that is down', () => {
  it('does not keep the service from starting; its tokens are 503 with a time to wait, all others are served', async () => {
    await using down = await openProvider();
    down.break('cut');
    const oidc = { issuer: down.issuer, audiences: [down.audience], tenantClaim: 'tenant_id', rolesClaim: 'roles' };
    await using home = await openService({ config: { oidc }, db: service.db });
    const token = await down.token();
    for (const path of ['/v1/auth/me', '/v1/nothing']) {
      const reply = await home.call('GET', path, { token });
      expect(reply).toMatchObject({ status: 503, body: { code: 'identity_provider_unavailable' } });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const body = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } };
    expect((await home.call('POST', '/a2a/jsonrpc', { token, body })).status).toBe(503);
    expect((await home.call('GET', '/v1/auth/me')).status).toBe(200);
    expect((await home.call('GET', '/health', { token: null })).status).toBe(200);
    // A token that cannot be one of the provider's is refused without it.
    const foreign = await down.token({ iss: 'https://elsewhere.example' }, { key: await makeSigningKey('ES256', 'x') });
    expect((await home.call('GET', '/v1/auth/me', { token: foreign })).status).toBe(401);
  });
});
