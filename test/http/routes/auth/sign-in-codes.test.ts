// One-time sign-in codes: used once, for one session, which ends with the credential that made the code.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ApiReply, type TestService } from '../../../support/service.ts';
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

async function makeCode(token: string, on = service): Promise<string> {
  const reply = await on.call('POST', '/v1/auth/sign-in-codes', { token, body: {} });
  if (reply.status !== 201) throw new Error(`no code: ${JSON.stringify(reply.body)}`);
  return reply.body.code;
}

const use = (code: string, on = service): Promise<ApiReply> =>
  on.call('POST', '/v1/auth/sessions', { token: code, body: {} });

const endSession = (id: string, token: string) => service.call('DELETE', `/v1/auth/sessions/${id}`, { token });

describe('a sign-in code', () => {
  it('is made by any credential, as an address whose fragment holds it, for two minutes [ui-6.14.1, ui-6.14.2]', async () => {
    const { token: session } = await signIn(service, service.token('viewer'));
    const { key } = await makeKey(service, 'editor');
    for (const token of [service.token('admin'), service.token('agent'), key, session]) {
      const reply = await service.call('POST', '/v1/auth/sign-in-codes', { token, body: {} });
      expect([reply.status, Object.keys(reply.body).toSorted()]).toEqual([201, ['code', 'expires_at', 'url']]);
      const { code, url, expires_at: expiresAt } = reply.body;
      expect(code).toMatch(/^cc_[\w-]{43}$/);
      expect(url).toBe(`${service.url}/v1/monitor/#code=${code}`);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      const [row] = await service.db.query<{ left: number }>(
        `select extract(epoch from $1::timestamptz - now())::float8 as left`,
        [expiresAt],
      );
      expect(row?.left).toBeLessThanOrEqual(120);
    }
    expectUnauthenticated(await service.call('POST', '/v1/auth/sign-in-codes', { token: null, body: {} }));
    await using known = await openService({ config: { baseUrl: 'https://switchyard.example' } });
    const { body } = await known.call('POST', '/v1/auth/sign-in-codes', { body: {} });
    expect(body.url).toBe(`https://switchyard.example/v1/monitor/#code=${body.code}`);
  });

  it('is stored as a hash alone, and stands in no audit entry', async () => {
    const code = await makeCode(service.token('editor'));
    const stored = JSON.stringify(await service.db.query('select *, hash::text as hash from sign_in_codes'));
    expect(stored).not.toContain(code);
    await use(code);
    await use(code);
    await service.call('GET', `/v1/monitor/${code}`);
    const { body } = await service.call('GET', '/v1/audit/events?limit=200');
    expect(body.events.length).toBeGreaterThan(3);
    expect(JSON.stringify(body)).not.toContain(code);
  });

  it('makes one session, with the answer and the cookie of any sign-in; used again it is 401 [ui-6.14.3]', async () => {
    const code = await makeCode(service.token('editor'));
    const first = await use(code);
    expect([first.status, Object.keys(first.body).toSorted()]).toEqual([
      201,
      ['access_token', 'expires_at', 'session_id'],
    ]);
    expect(first.headers.get('set-cookie')).toMatch(/^switchyard_session=cp_/);
    expect((await me(service, first.body.access_token)).body).toMatchObject({
      subject: 'token:editor',
      tenant_id: 'default',
      roles: ['editor'],
      credential: 'session',
    });
    expectUnauthenticated(await use(code));
    const both = await service.call('GET', '/v1/auth/sessions', { token: first.body.access_token });
    expect(both.body.sessions[0]).toMatchObject({ user_id: 'token:editor', created_by: 'token:editor', current: true });
  });

  it('is used once, also by twenty at the same moment [ui-6.14.3]', async () => {
    const code = await makeCode(service.token('editor'));
    const replies = await Promise.all(Array.from({ length: 20 }, () => use(code)));
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 201) expect([401, 429]).toContain(reply.status);
  });

  it('opens no other call, and no page [ui-6.14.4]', async () => {
    await using own = await openService();
    const code = await makeCode(own.token('admin'), own);
    const calls = own.instance.operations.filter(({ name }) => name !== 'sign_in_sessions.create');
    expect(calls.length).toBeGreaterThan(40);
    for (const { method, path } of calls) {
      const reply = await own.call(method, path.replaceAll(/\/:\w+/g, '/x'), { token: code });
      expect([401, 429]).toContain(reply.status);
    }
    for (const path of ['/v1/monitor/', '/v1/nothing']) {
      expect([401, 429]).toContain((await own.call('GET', path, { token: code })).status);
    }
  });

  it('that has expired is 401 [ui-6.14.3]', async () => {
    const code = await makeCode(service.token('editor'));
    await service.db.query(`update sign_in_codes set expires_at = now() - interval '1 second'`);
    expect(await service.db.query('select 1 from sign_in_codes where expires_at > now()')).toEqual([]);
    expectUnauthenticated(await use(code));
  });
});

describe('the session of a code', () => {
  it('has tenant, roles and scopes of the code’s maker, and no more than its owner has now [ui-6.14.5]', async () => {
    const theirs = (await use(await makeCode(service.token('other')))).body;
    expect((await me(service, theirs.access_token)).body).toMatchObject({ tenant_id: 'other', roles: ['operator'] });
    const { key } = await makeKey(service, 'editor', { scopes: ['tasks:read'] });
    const narrow = (await use(await makeCode(key))).body;
    expect((await me(service, narrow.access_token)).body).toMatchObject({ roles: ['editor'], scopes: ['tasks:read'] });
    const ada = await userWithKey(service, 'ada', ['editor'], { scopes: ['tasks:*'] });
    const code = await makeCode(ada.key);
    await putUser(service, 'ada', { roles: ['viewer'] });
    expect((await me(service, (await use(code)).body.access_token)).body).toMatchObject({ roles: ['viewer'] });
  });

  it('ends no later than the credential that made the code [ui-6.14.6]', async () => {
    const key = await makeKey(service, 'editor');
    await service.db.query(`update api_keys set expires_at = now() + interval '1 hour' where key_id = $1`, [key.id]);
    const hour = Date.now() + 3_600_000 + 60_000;
    const ofKey = (await use(await makeCode(key.key))).body;
    expect(Date.parse(ofKey.expires_at)).toBeLessThanOrEqual(hour);
    const maker = await signIn(service, service.token('viewer'));
    await service.db.query(`update sign_in_sessions set expires_at = now() + interval '1 hour' where session_id = $1`, [
      maker.id,
    ]);
    // A session makes a code, whose session makes a code: nobody is renewed by it.
    const second = (await use(await makeCode(maker.token))).body;
    const third = (await use(await makeCode(second.access_token))).body;
    expect(Date.parse(third.expires_at)).toBeLessThanOrEqual(hour);
  });

  it('is refused from the moment its maker is revoked or ended, and so is an unused code [ui-6.14.6]', async () => {
    const key = await makeKey(service, 'editor');
    const [unused, ofKey] = [await makeCode(key.key), (await use(await makeCode(key.key))).body];
    await service.call('DELETE', `/v1/auth/api-keys/${key.id}`, { as: 'editor' });
    expectUnauthenticated(await me(service, ofKey.access_token));
    expectUnauthenticated(await use(unused));

    const maker = await signIn(service, service.token('viewer'));
    const [waiting, reply] = [await makeCode(maker.token), await use(await makeCode(maker.token))];
    const grandchild = (await use(await makeCode(reply.body.access_token))).body;
    const cookie = (reply.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    expect((await service.call('GET', '/docs', { token: null, headers: { cookie } })).status).toBe(200);
    expect((await endSession(maker.id, maker.token)).status).toBe(200);
    expectUnauthenticated(await me(service, reply.body.access_token));
    expectUnauthenticated(await me(service, grandchild.access_token));
    expectUnauthenticated(await service.call('GET', '/docs', { token: null, headers: { cookie } }));
    expectUnauthenticated(await use(waiting));
  });

  it('that was made while its maker ended is refused all the same', async () => {
    const maker = await signIn(service, service.token('viewer'));
    const child = (await use(await makeCode(maker.token))).body;
    expect((await me(service, child.access_token)).status).toBe(200);
    // As in a race: the end of the maker did not see the child.
    await service.db.query('delete from sign_in_sessions where session_id = $1', [maker.id]);
    await service.restart();
    expectUnauthenticated(await me(service, child.access_token));
  });

  it('makes no endless chain of codes', async () => {
    let token = (await signIn(service, service.token('viewer'))).token;
    for (let i = 0; i < 16; i += 1) token = (await use(await makeCode(token))).body.access_token;
    const reply = await service.call('POST', '/v1/auth/sign-in-codes', { token, body: {} });
    expect([reply.status, reply.body.code]).toEqual([403, 'too_many_sign_ins']);
  });

  it('ends with a user who is disabled or deleted [ui-6.14.6]', async () => {
    const grace = await userWithKey(service, 'grace', ['editor']);
    const [unused, session] = [await makeCode(grace.key), (await use(await makeCode(grace.key))).body];
    await putUser(service, 'grace', { status: 'disabled' });
    expectUnauthenticated(await me(service, session.access_token));
    expectUnauthenticated(await use(unused));
    await putUser(service, 'grace', { status: 'active' });
    await service.call('DELETE', '/v1/auth/users/grace');
    expect(await service.db.query(`select 1 from sign_in_codes where user_id = 'grace'`)).toEqual([]);
  });

  it('ends when the configured token that made the code is replaced by another of its name [ui-6.14.6]', async () => {
    await using own = await openService();
    const unused = await makeCode(own.token('editor'), own);
    const reply = await use(await makeCode(own.token('editor'), own), own);
    const cookie = (reply.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const tokens = own.config.tokens.map((one) => (one.name === 'editor' ? { ...one, token: 'a-new-one' } : one));
    await using changed = await openService({ db: own.db, config: { tokens } });
    expectUnauthenticated(await me(changed, reply.body.access_token));
    expectUnauthenticated(await changed.call('GET', '/docs', { token: null, headers: { cookie } }));
    expectUnauthenticated(await use(unused, changed));
    expect((await own.call('GET', '/docs', { token: null, headers: { cookie } })).status).toBe(200);
  });
});

it('an admin makes no code in another tenant', async () => {
  await service.call('POST', '/v1/auth/tenants', { body: { tenant_id: 'third', name: 'third' } });
  const headers = { 'x-tenant-id': 'third' };
  const reply = await service.call('POST', '/v1/auth/sign-in-codes', { headers, body: {} });
  expect([reply.status, reply.body.code]).toEqual([403, 'not_at_home']);
});
