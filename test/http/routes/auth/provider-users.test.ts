// Keys and sessions of users of the identity provider, who are stored as users when they create one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { openProvider, type TestProvider } from '../../../support/peers/identity-provider.ts';
import { expectUnauthenticated, me, putUser, signIn, userPath } from '../../../support/client/credentials.ts';

let service: TestService;
let provider: TestProvider;
beforeAll(async () => {
  provider = await openProvider('ES256');
  const oidc = {
    issuer: provider.issuer,
    audiences: [provider.audience],
    tenantClaim: 'tenant_id',
    rolesClaim: 'roles',
  };
  service = await openService({ config: { oidc } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** A key that somebody with this token made. */
async function keyOf(token: string): Promise<string> {
  const made = await service.call('POST', '/v1/auth/api-keys', { token, body: { name: 'a', scopes: ['tasks:*'] } });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body.key;
}

async function userOf(sub: string): Promise<unknown> {
  return (await service.call('GET', userPath(`oidc:${sub}`))).body.user;
}

describe('an access token', () => {
  it('creates keys; with the first one its subject becomes a user with its latest roles', async () => {
    const token = await provider.token({ sub: 'ada', name: 'Ada', roles: ['editor'] });
    expect(await userOf('ada')).toBeUndefined();
    const key = await keyOf(token);
    expect(await userOf('ada')).toMatchObject({
      user_id: 'oidc:ada',
      name: 'Ada',
      roles: ['editor'],
      source: 'provider',
    });
    expect((await me(service, key)).body).toMatchObject({
      subject: 'oidc:ada',
      roles: ['editor'],
      scopes: ['tasks:*'],
    });
    await signIn(service, await provider.token({ sub: 'ada', name: 'Ada', roles: ['viewer'] }));
    expect((await me(service, key)).body).toMatchObject({ roles: ['viewer'] });
    expect((await service.call('GET', '/v1/auth/status')).body.credentials.identity_provider).toBe(true);
  });

  it('of a disabled user is rejected, with all keys and sessions created from it', async () => {
    const token = await provider.token({ sub: 'eve', roles: ['editor'] });
    const key = await keyOf(token);
    const session = await signIn(service, token);
    await putUser(service, 'oidc:eve', { status: 'disabled' });
    for (const bearer of [key, session.token]) expectUnauthenticated(await me(service, bearer));
    // Remembered from its last use for less than a second, as keys are.
    await service.restart();
    expectUnauthenticated(await me(service, token));
    await putUser(service, 'oidc:eve', { status: 'active' });
    await service.restart();
    for (const bearer of [token, key, session.token]) expect((await me(service, bearer)).status).toBe(200);
  });

  it('creates a session that expires no later than itself and gains no later roles; a key outlives it', async () => {
    const exp = Math.floor(Date.now() / 1000) + 600;
    const token = await provider.token({ sub: 'max', roles: ['editor'], exp });
    const reply = await service.call('POST', '/v1/auth/sessions', { token, body: {} });
    expect(reply.body.expires_at).toBe(new Date(exp * 1000).toISOString());
    expect(reply.headers.get('set-cookie')).toMatch(/Max-Age=(5\d\d|600);/);
    const made = await service.call('POST', '/v1/auth/api-keys', { token, body: { name: 'a' } });
    expect(made.body.api_key.expires_at).toBeNull();
    await keyOf(await provider.token({ sub: 'max', roles: ['admin'] }));
    expect((await me(service, reply.body.access_token)).body).toMatchObject({ roles: ['editor'] });
  });
});
