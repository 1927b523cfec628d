// Sign-in sessions: created from a bearer token, with no more permissions and no longer lifetime. choices-4.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import {
  expectUnauthenticated,
  makeKey,
  me,
  putUser,
  signIn,
  userWithKey,
} from '../../../support/client/credentials.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const end = (id: string, token: string) => service.call('DELETE', `/v1/auth/sessions/${id}`, { token });

describe('a session', () => {
  it('is created from any bearer token, lasts twelve hours, and has the identity and tenant of its creator [core-1.12, core-2.11.1, choices-4.10, choices-4.50]', async () => {
    const reply = await service.call('POST', '/v1/auth/sessions', { as: 'viewer', body: {} });
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.body).toSorted()).toEqual(['access_token', 'expires_at', 'session_id']);
    expect(reply.body.access_token).toMatch(/^cs_[\w-]{43}$/);
    const [row] = await service.db.query<{ hours: number; tenant_id: string }>(
      `select extract(epoch from expires_at - created_at)::float8 / 3600 as hours, tenant_id
       from sign_in_sessions where session_id = $1`,
      [reply.body.session_id],
    );
    expect(row).toEqual({ hours: 12, tenant_id: 'default' });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect((await me(service, reply.body.access_token)).body).toEqual({
      subject: 'token:viewer',
      name: 'viewer',
      tenant_id: 'default',
      roles: ['viewer'],
      scopes: null,
      credential: 'session',
      permissions: expect.arrayContaining(['tasks:read']),
      session: { id: reply.body.session_id, expires_at: reply.body.expires_at },
    });
    const text = JSON.stringify(await service.db.query('select * from sign_in_sessions'));
    expect(text).not.toContain(reply.body.access_token);
    const theirs = await signIn(service, service.token('other'));
    expect((await me(service, theirs.token)).body).toMatchObject({ tenant_id: 'other' });
  });

  it('sets a cookie that scripts cannot read and other sites cannot send, over https only if the service uses it [choices-4.48]', async () => {
    const plain = await service.call('POST', '/v1/auth/sessions', { body: {} });
    const cookie = plain.headers.get('set-cookie') ?? '';
    expect(cookie.split('; ').toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=43200',
      'Path=/',
      'SameSite=Strict',
      expect.stringMatching(/^switchyard_session=cp_[\w-]{43}$/),
    ]);
    await using secure = await openService({ config: { baseUrl: 'https://switchyard.example' } });
    const reply = await secure.call('POST', '/v1/auth/sessions', { body: {} });
    expect(reply.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  it('is listed for its owner, and for admins with all=true; only they can end it [choices-4.11]', async () => {
    await using own = await openService();
    const [first, second] = [await signIn(own, own.token('editor')), await signIn(own, own.token('editor'))];
    await signIn(own, own.token('viewer'));
    const list = async (token: string, query = '') => own.call('GET', `/v1/auth/sessions${query}`, { token });
    const ours = await list(second.token);
    expect(
      ours.body.sessions.map((one: { session_id: string; current: boolean }) => [one.session_id, one.current]),
    ).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    expect(ours.body.sessions[0]).toMatchObject({ user_id: 'token:editor', created_by: 'token:editor' });
    expect((await list(own.token('admin'), '?all=true')).body.sessions).toHaveLength(3);
    expect((await list(own.token('operator'), '?all=true')).status).toBe(403);
    const remove = (token: string) => own.call('DELETE', `/v1/auth/sessions/${first.id}`, { token });
    for (const who of ['viewer', 'editor2', 'operator'] as const)
      expect((await remove(own.token(who))).status).toBe(403);
    expect((await remove(own.token('otheradmin'))).body.code).toBe('sign_in_session_not_found');
    expect((await remove(second.token)).status).toBe(200);
    expectUnauthenticated(await me(own, first.token));
    expect((await remove(second.token)).status).toBe(404);
    expect((await own.call('DELETE', `/v1/auth/sessions/${second.id}`, { as: 'admin' })).status).toBe(200);
    expectUnauthenticated(await me(own, second.token));
  });

  it('that ends itself removes its cookie', async () => {
    const { id, token } = await signIn(service, service.token('editor'));
    const ended = await end(id, token);
    expect(ended.headers.get('set-cookie')).toMatch(/^switchyard_session=; Max-Age=0/);
  });

  it('has the permissions of the key that created it, and ends with that key', async () => {
    const key = await makeKey(service, 'editor', { scopes: ['tasks:read'], expires_in_days: 1 });
    const { id, token } = await signIn(service, key.key);
    expect((await me(service, token)).body).toMatchObject({ roles: ['editor'], scopes: ['tasks:read'] });
    const write = await service.call('POST', '/v1/agent/tasks', { token, body: { title: 'a', prompt: 'b' } });
    expect(write.status).toBe(403);
    await service.db.query(`update api_keys set expires_at = now() + interval '1 hour' where key_id = $1`, [key.id]);
    const short = await service.call('POST', '/v1/auth/sessions', { token: key.key, body: {} });
    expect(Date.parse(short.body.expires_at)).toBeLessThanOrEqual(Date.now() + 3_600_000 + 60_000);
    await service.call('DELETE', `/v1/auth/api-keys/${key.id}`, { as: 'editor' });
    expectUnauthenticated(await me(service, token));
    expect(await service.db.query('select 1 from sign_in_sessions where session_id = $1', [id])).toEqual([]);
  });

  it('of an expired or revoked key is rejected even if its own row still exists', async () => {
    const key = await makeKey(service, 'editor');
    const { id, token } = await signIn(service, key.key);
    await service.db.query('update api_keys set revoked_at = now() where key_id = $1', [key.id]);
    await service.restart();
    expectUnauthenticated(await me(service, token));
    expect(await service.db.query('select 1 from sign_in_sessions where session_id = $1', [id])).toHaveLength(1);
  });

  it('ends when its owner is disabled, and never has more permissions than its creator', async () => {
    const { key } = await userWithKey(service, 'linus', ['editor'], { scopes: ['tasks:*'] });
    const { token } = await signIn(service, key);
    await putUser(service, 'linus', { roles: ['admin'] });
    expect((await me(service, token)).body).toMatchObject({ roles: ['editor'] });
    await putUser(service, 'linus', { roles: ['viewer', 'agent'] });
    const less = (await me(service, token)).body.roles;
    expect(less).toContain('viewer');
    expect(less).not.toContain('editor');
    await putUser(service, 'linus', { status: 'disabled' });
    expectUnauthenticated(await me(service, token));
  });

  it('ends when the configured token that created it is replaced by another of its name', async () => {
    const { token } = await signIn(service, service.token('editor'));
    const tokens = service.config.tokens.map((one) => (one.name === 'editor' ? { ...one, token: 'a-new-one' } : one));
    await using changed = await openService({ db: service.db, config: { tokens } });
    expectUnauthenticated(await me(changed, token));
    expect((await me(service, token)).status).toBe(200);
  });

  it('expires, and cannot create another session', async () => {
    const { id, token } = await signIn(service, service.token('editor'));
    const another = await service.call('POST', '/v1/auth/sessions', { token, body: {} });
    expect(another).toMatchObject({ status: 403, body: { code: 'session_of_session' } });
    await service.db.query(`update sign_in_sessions set expires_at = now() - interval '1 ms' where session_id = $1`, [
      id,
    ]);
    await service.restart();
    expectUnauthenticated(await me(service, token));
    expect((await end(id, service.token('editor'))).status).toBe(404);
  });

  it('creates keys for its owner, with no more permissions than itself and no longer lifetime than its own key', async () => {
    const key = await makeKey(service, 'editor', { scopes: ['api_keys:*', 'tasks:read'], expires_in_days: 3 });
    const { token } = await signIn(service, key.key);
    const make = (body: unknown) => service.call('POST', '/v1/auth/api-keys', { token, body });
    expect((await make({ name: 'a', scopes: ['tasks:write'] })).status).toBe(403);
    const made = await make({ name: 'a' });
    const [row] = await service.db.query<{ at: Date }>('select expires_at as at from api_keys where key_id = $1', [
      key.id,
    ]);
    expect(made.body.api_key).toMatchObject({
      user_id: 'token:editor',
      scopes: ['api_keys:*', 'tasks:read'],
      expires_at: row?.at.toISOString(),
    });
  });
});
