// How long a credential is accepted, and on which replica: a revocation takes effect everywhere within a second.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../../src/domain/model/access/permission.ts';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import {
  expectUnauthenticated,
  makeKey,
  me,
  putUser,
  signIn,
  userPath,
  userWithKey,
} from '../../support/client/credentials.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** A second replica on the same database. */
function replica(config: Parameters<typeof openService>[0] = {}): Promise<TestService> {
  return openService({ ...config, db: service.db });
}

/** Seconds after which `look` is refused, from now on. */
async function refusedWithinASecond(call: () => Promise<{ status: number }>): Promise<void> {
  const since = performance.now();
  await until('the refusal', async () => {
    const sentAfterMs = performance.now() - since;
    const { status } = await call();
    if (status === 401) return true;
    expect([status, sentAfterMs < 1000]).toEqual([200, true]);
    return false;
  });
}

describe('a key', () => {
  it('lives through a restart, on every replica, and under many calls at once', async () => {
    await using other = await replica();
    const { key } = await makeKey(service, 'editor');
    await service.restart();
    for (const at of [service, other]) expect((await me(at, key)).status).toBe(200);
    const replies = await Promise.all(Array.from({ length: 100 }, () => me(other, key)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is 503 while the database hangs, and taken again when it does not', async () => {
    const { key } = await makeKey(service, 'editor');
    await using other = await replica();
    const client = new pg.Client(service.db.superuser);
    await client.connect();
    try {
      await client.query('begin');
      await client.query('lock table api_keys in access exclusive mode');
      const replies = await Promise.all(Array.from({ length: 20 }, () => me(other, key)));
      expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
        replies.map(() => [503, 'store_unavailable']),
      );
      await client.query('rollback');
      expect((await me(other, key)).status).toBe(200);
    } finally {
      await client.end();
    }
  });

  it('that is revoked on one replica is refused on another within a second', async () => {
    await using other = await replica();
    const { id, key } = await makeKey(service, 'editor');
    expect((await me(other, key)).status).toBe(200);
    await service.call('DELETE', `/v1/auth/api-keys/${id}`, { as: 'editor' });
    expectUnauthenticated(await me(service, key));
    await refusedWithinASecond(() => me(other, key));
  });

  it('is refused after its revocation however many use it meanwhile, and no call breaks', async () => {
    await using other = await replica();
    const { id, key } = await makeKey(service, 'editor', { scopes: ['tasks:read'] });
    const state = { revokedAt: Infinity };
    const use = async (at: TestService): Promise<void> => {
      for (let status = 200; status !== 401;) {
        const sentAt = performance.now();
        ({ status } = await at.call('GET', '/v1/agent/tasks', { token: key }));
        expect([200, 401]).toContain(status);
        if (status === 200) expect(sentAt - state.revokedAt).toBeLessThan(1000);
      }
    };
    const users = [service, other].flatMap((at) => Array.from({ length: 8 }, () => use(at)));
    await until('the first use', async () => (await me(service, key)).status === 200);
    expect((await service.call('DELETE', `/v1/auth/api-keys/${id}`, { as: 'editor' })).status).toBe(200);
    state.revokedAt = performance.now();
    await Promise.all(users);
  });

  it('whose owner is disabled, deleted or demoted is worth at once what the owner is', async () => {
    await using other = await replica();
    const { key } = await userWithKey(service, 'grace', ['operator'], { scopes: ['tasks:*', 'workers:write'] });
    const tasks = (at: TestService) => at.call('GET', '/v1/agent/tasks', { token: key });
    expect((await tasks(other)).status).toBe(200);
    await putUser(service, 'grace', { status: 'disabled' });
    expectUnauthenticated(await tasks(service));
    await refusedWithinASecond(() => tasks(other));
    await putUser(service, 'grace', { status: 'active', roles: ['viewer'] });
    expect((await me(service, key)).body).toMatchObject({ subject: 'grace', roles: ['viewer'] });
    const write = await service.call('POST', '/v1/agent/tasks', { token: key, body: { title: 'a', prompt: 'b' } });
    expect(write.status).toBe(403);
    await service.call('DELETE', userPath('grace'));
    expectUnauthenticated(await tasks(service));
    // A later user of that name does not get the keys of the earlier one.
    await putUser(service, 'grace', { roles: ['operator'] });
    expectUnauthenticated(await tasks(service));
  });

  it('of a configured token has that token’s role, and is dead where the token is gone', async () => {
    const { key } = await makeKey(service, 'editor', { scopes: ['tasks:*'] });
    const without = service.config.tokens.filter(({ name }) => name !== 'editor');
    await using gone = await replica({ config: { tokens: without } });
    expectUnauthenticated(await me(gone, key));
    const demoted = service.config.tokens.map((token) =>
      token.name === 'editor' ? { ...token, role: 'viewer' as const } : token,
    );
    await using changed = await replica({ config: { tokens: demoted } });
    expect((await me(changed, key)).body).toMatchObject({ subject: 'token:editor', roles: ['viewer'] });
    const moved = service.config.tokens.map((token) =>
      token.name === 'editor' ? { ...token, tenantId: 'other' } : token,
    );
    await using elsewhere = await replica({ config: { tokens: moved } });
    expectUnauthenticated(await me(elsewhere, key));
  });

  it('knows when it was last used, to the minute and not before it is needed', async () => {
    const { id, key } = await makeKey(service, 'editor');
    const lastUse = async (): Promise<string | null> => {
      const [row] = await service.db.query<{ at: Date | null }>(
        'select last_used_at as at from api_keys where key_id = $1',
        [id],
      );
      return row?.at?.toISOString() ?? null;
    };
    expect(await lastUse()).toBeNull();
    await me(service, key);
    const first = await until('the time of the last use', async () => (await lastUse()) ?? false);
    await service.restart();
    await me(service, key);
    await service.restart();
    expect(await lastUse()).toBe(first);
    await service.db.query(`update api_keys set last_used_at = now() - interval '61 s' where key_id = $1`, [id]);
    await me(service, key);
    await until('a later use', async () => Date.parse((await lastUse()) ?? '') >= Date.parse(first));
  });
});

describe('what is no credential', () => {
  it('is the same 401 whatever its form [choices-4.5]', async () => {
    await using fresh = await openService();
    const { key } = await makeKey(fresh, 'editor');
    const { token } = await signIn(fresh, key);
    const body = key.slice(3);
    const wrong = [
      'ct_',
      `ct_${'A'.repeat(43)}`,
      `CT_${body}`,
      `ct-${body}`,
      `ct_${body}A`,
      `ct_${body.slice(0, -1)}`,
      `ct_${body.slice(0, -1)}!`,
      `${key}=`,
      body,
      `cs_${body}`,
      `ct_${token.slice(3)}`,
      `cs_${'_'.repeat(43)}`,
      `${token}.${token}.`,
      'a.b.c',
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln',
      `key:${body}`,
      'x'.repeat(8192),
    ];
    for (const bearer of wrong) expectUnauthenticated(await me(fresh, bearer));
    expect((await me(fresh, key)).status).toBe(200);
  });
});

describe('scopes', () => {
  const samples: readonly (readonly [owner: 'admin' | 'editor', scopes: readonly string[]])[] = [
    ['admin', []],
    ['admin', ['tasks:read']],
    ['admin', ['tasks:*', 'a2a:read']],
    ['admin', ['workers:*', 'codebases:write', 'monitor:read', 'users:*', 'tenants:read']],
    ['editor', ['tasks:*', 'codebases:*', 'automation:*']],
    ['editor', ['api_keys:*', 'a2a:*', 'sessions:read', 'monitor:*']],
  ];

  let fresh: TestService;
  beforeAll(async () => {
    fresh = await openService();
  });
  afterAll(() => fresh[Symbol.asyncDispose]());

  it.each(samples)(
    'of a key of an %s narrow every operation to what is in them: %j [choices-4.33, core-5.6.3]',
    async (owner, scopes) => {
      const { key } = await makeKey(fresh, owner, { scopes });
      const missing = '01a1fe3a-a67c-7000-bbb2-66e11402a1f1';
      const holds = held(owner, scopes);
      const may = ({ permission }: { permission: string | { anyOf: readonly string[] } }): boolean => {
        if (permission === 'any_credential') return true;
        return (typeof permission === 'string' ? [permission] : permission.anyOf).some((one) => holds.has(one));
      };
      for (const row of fresh.instance.operations) {
        const path = row.path.replaceAll(/\/:\w+/g, `/${missing}`);
        const body = row.method === 'GET' ? {} : { body: {} };
        const reply = await fresh.call(row.method, path, { token: key, headersOnly: true, ...body });
        // By its status: the A2A REST binding has error bodies of its own.
        expect([row.name, reply.status !== 401, reply.status !== 403]).toEqual([row.name, true, may(row)]);
      }
      for (const row of fresh.instance.rpcOperations) {
        const body = { jsonrpc: '2.0', id: 1, method: row.method, params: {} };
        const reply = await fresh.call('POST', '/a2a/jsonrpc', { token: key, body });
        expect([row.method, reply.status !== 403]).toEqual([row.method, may(row)]);
      }
    },
  );
});

/** The permissions of a role within scopes, written down here once more. */
function held(owner: 'admin' | 'editor', scopes: readonly string[]): ReadonlySet<string> {
  const editor: readonly Permission[] = [
    'tasks:read',
    'tasks:write',
    'tasks:execute',
    'codebases:read',
    'codebases:write',
    'workers:read',
    'sessions:read',
    'sessions:write',
    'automation:read',
    'automation:write',
    'a2a:read',
    'a2a:write',
    'mcp:read',
    'mcp:write',
    'monitor:read',
    'api_keys:read',
    'api_keys:write',
    'api_keys:delete',
  ];
  const named = (permission: string): boolean =>
    scopes.includes(permission) || scopes.includes(permission.replace(/:.*/, ':*'));
  const every = ['read', 'write', 'execute', 'delete', 'admin'];
  const resources = [
    'tasks',
    'codebases',
    'workers',
    'sessions',
    'automation',
    'a2a',
    'mcp',
    'monitor',
    'api_keys',
    'users',
    'tenants',
    'audit',
  ];
  const role =
    owner === 'admin' ? resources.flatMap((resource) => every.map((action) => `${resource}:${action}`)) : editor;
  return new Set(role.filter(named));
}
