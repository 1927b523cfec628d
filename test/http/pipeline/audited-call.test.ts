// Audit entries: every call of every endpoint, whether it succeeds, fails or is denied.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { entriesOf, eventsOf, linesOf } from '../../support/audit/audit-files.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const requestOf = (reply: ApiReply): string | null => reply.headers.get('x-request-id');

/** The one entry of a call; a look's line is written with the next ones. */
async function entryOf(reply: ApiReply) {
  const [entry, second] = await until('its line', async () => {
    const found = await entriesOf(service, requestOf(reply));
    return found.length > 0 && found;
  });
  expect(second).toBeUndefined();
  if (entry === undefined) throw new Error('no entry');
  return entry;
}

describe('an entry of the audit', () => {
  it('has nine fields and its place in the chain; that of a change is in the file before the answer [core-2.8.1, choices-3.91, choices-3.99]', async () => {
    const reply = await service.call('POST', '/v1/agent/tasks', {
      as: 'editor',
      body: { title: 't', prompt: 'a prompt that nobody keeps', codebase_id: 'global' },
    });
    expect(reply.status).toBe(201);
    const [entry] = await entriesOf(service, requestOf(reply));
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: 'token:editor',
      action: 'tasks.create',
      resource: '/v1/agent/tasks',
      outcome: 'success',
      metadata: expect.objectContaining({ request_id: requestOf(reply), task_id: reply.body.task.id }),
      ip: '127.0.0.1',
      session_id: null,
      seq: expect.any(Number),
      tenant_id: 'default',
      prev_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(entry)).not.toContain('prompt that nobody');
  });

  it.each([
    ['a read', 'GET', '/v1/agent/tasks', 'viewer', undefined, 200, 'tasks.list', 'success'],
    ['a missing permission', 'POST', '/v1/agent/tasks', 'viewer', {}, 403, 'tasks.create', 'denied'],
    ['bad input', 'POST', '/v1/agent/tasks', 'editor', { title: 7 }, 400, 'tasks.create', 'failure'],
    ['an unknown path', 'GET', '/v1/nothing/here', 'viewer', undefined, 404, 'http.unknown', 'failure'],
    [
      'an unknown method',
      'POST',
      '/a2a/jsonrpc',
      'viewer',
      { jsonrpc: '2.0', id: 1, method: 'no/such' },
      200,
      'rpc.unknown',
      'failure',
    ],
    [
      'a method of the protocol',
      'POST',
      '/a2a/jsonrpc',
      'viewer',
      { jsonrpc: '2.0', id: 1, method: 'tasks/list', params: {} },
      200,
      'a2a.list',
      'success',
    ],
  ] as const)(
    'is written once for %s [choices-3.95, core-6.4]',
    async (_, method, path, as, body, status, action, outcome) => {
      const reply = await service.call(method, path, { as, body });
      expect(reply.status).toBe(status);
      expect(await entryOf(reply)).toMatchObject({ action, outcome, actor: `token:${as}` });
    },
  );

  it('is written for a body that is not JSON, in REST and JSON-RPC [choices-3.95]', async () => {
    const rest = await service.call('POST', '/v1/agent/tasks', { as: 'editor', raw: '{' });
    expect(await entryOf(rest)).toMatchObject({ action: 'tasks.create', outcome: 'failure' });
    const rpc = await service.call('POST', '/a2a/jsonrpc', { as: 'editor', raw: '{' });
    expect(await entryOf(rpc)).toMatchObject({ action: 'rpc.unknown', outcome: 'failure' });
  });

  it.each([
    ['plain JSON-RPC', 'application/json'],
    ['the protocol’s own transport', 'application/json, text/event-stream'],
  ])('is written once for an unknown toolset, by %s', async (_, accept) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const reply = await service.call('POST', '/mcp/x/nowhere', { as: 'viewer', body, headers: { accept } });
    expect(reply.body.error).toBeDefined();
    expect(await entryOf(reply)).toMatchObject({ action: 'mcp.unknown', outcome: 'failure', actor: 'token:viewer' });
  });

  it('names both tenants of a tenant override [choices-4.36]', async () => {
    const reply = await service.call('GET', '/v1/agent/tasks', { as: 'admin', headers: { 'x-tenant-id': 'other' } });
    expect(reply.status).toBe(200);
    expect(await entryOf(reply)).toMatchObject({ tenant_id: 'other', metadata: { crossed_from: 'default' } });
  });

  it('is not written for GET /health [choices-3.95]', async () => {
    const before = (await linesOf(service.config.audit.logPath)).length;
    const health = await service.call('GET', '/health', { token: null });
    expect(health.body.status).toBe('ok');
    const listed = await service.call('GET', '/v1/agent/tasks', { as: 'viewer' });
    await entryOf(listed);
    const after = await linesOf(service.config.audit.logPath);
    expect(after.slice(before).filter((line) => line.resource.includes('health'))).toEqual([]);
  });

  it('keeps only the known parts of a path', async () => {
    const reply = await service.call('GET', '/v1/agent/tasks/ct_0123456789abcdef/what%20is%20this?token=secret', {
      as: 'viewer',
    });
    const entry = await entryOf(reply);
    expect(entry.resource).toBe('/v1/agent/tasks/…/…');
    expect(JSON.stringify(entry)).not.toContain('secret');
  });
});

describe('the audit of a tenant', () => {
  it('lists the entries of the caller’s tenant, newest first, in pages [choices-3.87, choices-3.93, core-4.7.1, core-1.14]', async () => {
    await service.task({}, 'editor');
    await service.task({}, 'other');
    const ours = await eventsOf(service, 'operator');
    expect(ours.length).toBeGreaterThan(3);
    expect(new Set(ours.map((event) => event.tenant_id))).toEqual(new Set(['default']));
    expect(ours.map((event) => event.id)).toEqual(
      ours
        .map((event) => event.id)
        .toSorted()
        .toReversed(),
    );
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await service.call('GET', `/v1/audit/events?limit=3${from}`, { as: 'operator' });
      paged.push(...page.body.events.map((event: { id: string }) => event.id));
      cursor = page.body.next_cursor;
    }
    // Each page was a call, and stands in the audit itself.
    expect(paged.filter((one) => ours.some((event) => event.id === one))).toEqual(ours.map((event) => event.id));
    expect(new Set(paged).size).toBe(paged.length);
    const theirs = await eventsOf(service, 'other');
    expect(new Set(theirs.map((event) => event.tenant_id))).toEqual(new Set(['other']));
  });

  it('is searched by actor, action, resource, outcome and time [core-4.7.2, choices-3.87]', async () => {
    const reply = await service.call('POST', '/v1/agent/tasks', { as: 'viewer', body: {} });
    const query = async (filter: Record<string, unknown>): Promise<string[]> => {
      const page = await service.call('POST', '/v1/audit/query', { as: 'operator', body: filter });
      expect(page.status).toBe(200);
      return page.body.events.map((event: { metadata: Record<string, unknown> }) => event.metadata['request_id']);
    };
    const id = requestOf(reply) ?? '';
    const fits = { actor: 'token:viewer', action: 'tasks.create', resource: '/v1/agent', outcome: 'denied' };
    expect(await query(fits)).toContain(id);
    expect(await query({ ...fits, actor: 'token:editor' })).not.toContain(id);
    expect(await query({ ...fits, action: 'tasks.list' })).not.toContain(id);
    expect(await query({ ...fits, resource: '/v1/monitor' })).not.toContain(id);
    expect(await query({ ...fits, outcome: 'success' })).not.toContain(id);
    const keyExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
    expect(await query({ ...fits, to: keyExpiresAt })).toContain(id);
    expect(await query({ ...fits, from: keyExpiresAt })).toEqual([]);
    expect((await service.call('POST', '/v1/audit/query', { as: 'operator', body: { from: 'noon' } })).status).toBe(
      400,
    );
    expect((await service.call('GET', '/v1/audit/events?cursor=x', { as: 'operator' })).status).toBe(400);
  });

  it('of the system tenant is open to admins by a tenant override [choices-3.98]', async () => {
    const events = await eventsOf(service, 'admin', { 'x-tenant-id': 'system' });
    expect(events.map((event) => event.action)).toContain('audit.chain_opened');
    expect(new Set(events.map((event) => event.tenant_id))).toEqual(new Set(['system']));
  });

  it('is verified as unchanged [choices-3.88, choices-3.90]', async () => {
    const { status, body } = await service.call('GET', '/v1/audit/verify', { as: 'operator' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      entries: expect.any(Number),
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(body.chains).toHaveLength(1);
    expect(body.first_bad_seq).toBeUndefined();
  });

  it('leaves no intent in the database', async () => {
    await service.task();
    const empty = await until('the outbox to be empty', async () => {
      const [row] = await service.db.query<{ n: string }>('select count(*) as n from audit_intents');
      return row?.n === '0';
    });
    expect(empty).toBe(true);
  });
});
