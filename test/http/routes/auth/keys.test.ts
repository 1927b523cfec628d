// API keys: creation, scopes, revocation and expiry. core-5.4, choices-4.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { expectUnauthenticated, makeKey, me, userWithKey } from '../../../support/client/credentials.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const create = (body: unknown, as: 'admin' | 'editor' | 'viewer' | 'agent' = 'editor') =>
  service.call('POST', '/v1/auth/api-keys', { as, body });

describe('an API key', () => {
  it('is returned once, identifies its owner, and is stored only as a hash [core-5.4.2, choices-4.7]', async () => {
    const made = await create({ name: 'build machine', scopes: ['tasks:read'], expires_in_days: 30 });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { api_key: shown, key } = made.body;
    expect(key).toMatch(/^ct_[\w-]{43}$/);
    expect(shown).toMatchObject({
      name: 'build machine',
      prefix: key.slice(0, 10),
      scopes: ['tasks:read'],
      user_id: 'token:editor',
      last_used_at: null,
      revoked_at: null,
    });
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(30 * 86_400_000);
    expect((await me(service, key)).body).toEqual({
      subject: 'token:editor',
      name: 'editor',
      tenant_id: 'default',
      roles: ['editor'],
      scopes: ['tasks:read'],
      credential: 'api_key',
      permissions: ['tasks:read'],
      session: null,
    });
    const task = await service.call('POST', '/v1/agent/tasks', {
      token: (await makeKey(service, 'editor', { scopes: ['tasks:write'] })).key,
      body: { title: 'a', prompt: 'b' },
    });
    expect(task.body.task.created_by).toBe('token:editor');
    const list = await service.call('GET', '/v1/auth/api-keys', { as: 'editor' });
    expect(JSON.stringify(list.body)).not.toContain(key);
    await expectNowhere(key);
  });

  it('is in the lists of its owner, newest first, page by page; an admin sees all and those of one user [choices-4.9]', async () => {
    await using own = await openService();
    const list = async (query: string, as: 'admin' | 'editor' | 'editor2' = 'editor') =>
      own.call('GET', `/v1/auth/api-keys${query}`, { as });
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await makeKey(own, 'editor')).id);
    await makeKey(own, 'editor2');
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...body.api_keys.map((key: { id: string }) => key.id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(ids);
    expect((await list('?all=true', 'admin')).body.api_keys).toHaveLength(6);
    expect((await list('?user_id=token:editor', 'admin')).body.api_keys).toHaveLength(5);
    expect((await list('', 'admin')).body.api_keys).toEqual([]);
    for (const query of ['?all=true', '?user_id=token:editor']) {
      expect(await list(query, 'editor2')).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
    }
  });

  it('is revoked only by its owner or an admin, and is rejected at once by this replica [choices-4.9, choices-4.32]', async () => {
    const ours = await makeKey(service, 'editor');
    const path = `/v1/auth/api-keys/${ours.id}`;
    const others = await service.call('DELETE', path, { as: 'operator' });
    expect(others).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
    expect(await service.call('DELETE', path, { as: 'editor2' })).toMatchObject({ status: 403 });
    expect(await service.call('DELETE', path, { as: 'otheradmin' })).toMatchObject({
      status: 404,
      body: { code: 'api_key_not_found', detail: 'There is no such api key.' },
    });
    expect((await me(service, ours.key)).status).toBe(200);
    const revoked = await service.call('DELETE', path, { as: 'editor' });
    expect(revoked.status).toBe(200);
    expect(revoked.body.api_key.revoked_at).not.toBeNull();
    expectUnauthenticated(await me(service, ours.key));
    const again = await service.call('DELETE', path, { as: 'admin' });
    expect(again.body.api_key.revoked_at).toBe(revoked.body.api_key.revoked_at);
    const theirs = await makeKey(service, 'editor2');
    expect((await service.call('DELETE', `/v1/auth/api-keys/${theirs.id}`, { as: 'admin' })).status).toBe(200);
    expectUnauthenticated(await me(service, theirs.key));
  });

  it('expires', async () => {
    const { id, key } = await makeKey(service, 'editor', { expires_in_days: 1 });
    expect((await me(service, key)).status).toBe(200);
    await service.db.query(`update api_keys set expires_at = now() - interval '1 ms' where key_id = $1`, [id]);
    await service.restart();
    expectUnauthenticated(await me(service, key));
  });

  it('created by a key names it and expires no later, but is not revoked with it', async () => {
    const parent = await makeKey(service, 'editor', { expires_in_days: 2, scopes: ['api_keys:*', 'tasks:read'] });
    const child = await service.call('POST', '/v1/auth/api-keys', {
      token: parent.key,
      body: { name: 'child', expires_in_days: 3650 },
    });
    const [row] = await service.db.query<{ expires_at: Date }>('select expires_at from api_keys where key_id = $1', [
      parent.id,
    ]);
    expect(child.body.api_key.expires_at).toBe(row?.expires_at.toISOString());
    expect(child.body.api_key.created_by).toBe(`key:${parent.id}`);
    await service.call('DELETE', `/v1/auth/api-keys/${parent.id}`, { as: 'editor' });
    expectUnauthenticated(await me(service, parent.key));
    expect((await me(service, child.body.key)).status).toBe(200);
  });
});

describe('creating keys', () => {
  it('needs api_keys:write, which viewers and agents do not have [choices-4.28]', async () => {
    for (const as of ['viewer', 'agent'] as const) expect((await create({ name: 'a' }, as)).status).toBe(403);
    expect((await create({ name: 'a' })).status).toBe(201);
  });

  it('for another user needs an admin; the key belongs to that user', async () => {
    const { key } = await userWithKey(service, 'ada', ['viewer']);
    expect((await me(service, key)).body).toMatchObject({ subject: 'ada', roles: ['viewer'], credential: 'api_key' });
    expect(await create({ name: 'a', user_id: 'ada' })).toMatchObject({
      status: 403,
      body: { code: 'permission_missing' },
    });
    expect(await create({ name: 'a', user_id: 'token:editor' })).toMatchObject({ status: 201 });
    expect(await create({ name: 'a', user_id: 'nobody' }, 'admin')).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
    // A token of another tenant is nobody here.
    expect(await create({ name: 'a', user_id: 'token:other' }, 'admin')).toMatchObject({ status: 404 });
  });

  it('in another tenant must name one of its users: an admin gets no own credentials there', async () => {
    const headers = { 'x-tenant-id': 'other' };
    const post = (path: string, body: unknown) => service.call('POST', path, { as: 'admin', headers, body });
    for (const reply of [await post('/v1/auth/api-keys', { name: 'a' }), await post('/v1/auth/sessions', {})]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'not_at_home' } });
    }
    expect(await post('/v1/auth/api-keys', { name: 'a', user_id: 'token:admin' })).toMatchObject({ status: 404 });
    const made = await post('/v1/auth/api-keys', { name: 'a', user_id: 'token:other' });
    expect((await me(service, made.body.key)).body).toMatchObject({ subject: 'token:other', tenant_id: 'other' });
  });
});

describe('the scopes of a key', () => {
  it('never exceed the permissions of its creator, by role or by scopes [choices-4.8, core-5.6.3]', async () => {
    const narrow = await makeKey(service, 'editor', { scopes: ['api_keys:*', 'tasks:read', 'codebases:*'] });
    const give = async (token: string, scopes: string[]): Promise<number> =>
      (await service.call('POST', '/v1/auth/api-keys', { token, body: { name: 'a', scopes } })).status;
    const editor = service.token('editor');
    expect(await give(editor, ['tasks:read', 'tasks:*', 'automation:write'])).toBe(201);
    for (const scope of ['tasks:delete', 'users:read', 'users:*', 'api_keys:admin', 'audit:read', 'workers:write']) {
      expect([scope, await give(editor, [scope])]).toEqual([scope, 403]);
    }
    expect(await give(narrow.key, ['tasks:read', 'codebases:*', 'codebases:write'])).toBe(201);
    for (const scope of ['tasks:write', 'tasks:*', 'monitor:read', 'codebases:delete']) {
      expect([scope, await give(narrow.key, [scope])]).toEqual([scope, 403]);
    }
    const refused = await create({ name: 'a', scopes: ['tasks:read', 'users:write'] });
    expect(refused.body).toMatchObject({ code: 'scopes_too_wide', detail: expect.stringContaining('users:write') });
    expect(refused.body.detail).not.toContain('tasks:read');
  });

  it('default to the creator’s permissions at that time, and stay when its role changes', async () => {
    const all = await create({ name: 'all' });
    expect(all.body.api_key.scopes).toContain('tasks:write');
    expect(all.body.api_key.scopes).not.toContain('tasks:delete');
    const narrow = await makeKey(service, 'editor', { scopes: ['api_keys:write', 'tasks:*'] });
    const child = await service.call('POST', '/v1/auth/api-keys', { token: narrow.key, body: { name: 'child' } });
    expect(child.body.api_key.scopes).toEqual(['api_keys:write', 'tasks:*']);
  });

  it('that are unknown are rejected by name', async () => {
    const reply = await create({ name: 'a', scopes: ['tasks:read', 'task:read', 'tasks:fly', '*', '*:*', 'tasks'] });
    expect(reply.status).toBe(400);
    expect(reply.body.errors.map((error: { path: string }) => error.path)).toEqual(
      [1, 2, 3, 4, 5].map((i) => `/scopes/${i}`),
    );
  });

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: 'x'.repeat(201) }],
    [{ name: 'a', expires_in_days: 0 }],
    [{ name: 'a', expires_in_days: 3651 }],
    [{ name: 'a', expires_in_days: 1.5 }],
    [{ name: 'a', scopes: 'tasks:read' }],
    [{ name: 'a', key: 'ct_mine' }],
    [{ name: 'a', user_id: 'with\u0007bell' }],
  ])('and other fields are validated: %j', async (body) => {
    expect((await create(body)).status).toBe(400);
  });
});

/** The text is in no column of any table. */
async function expectNowhere(text: string): Promise<void> {
  const tables = await service.db.query<{ t: string }>(
    `select format('%I.%I', schemaname, tablename) as t from pg_tables where schemaname = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { t } of tables) {
    const rows = await service.db.query(`select 1 from ${t} x where strpos(x::text, $1) > 0`, [text]);
    expect([t, rows]).toEqual([t, []]);
    // Nor as bytes, which show as hex.
    const hex = Buffer.from(text).toString('hex');
    expect([t, await service.db.query(`select 1 from ${t} x where strpos(x::text, $1) > 0`, [hex])]).toEqual([t, []]);
  }
}
