// Three tenants share a pool of two connections, and callers err, leave and break off in between: nobody gets another's.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type CallOptions, type TestService, type TestUser } from '../../support/service.ts';
import { strayCanaries } from '../../support/database/canaries.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { chance, type Chance } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { createTenantData, type TenantData } from '../../support/builders/tenant-data.ts';

const requests = process.env['SCALE'] === 'full' ? 10_000 : 1_000;
/** Callers at once: many times the connections. */
const callers = 24;

interface Tenant {
  readonly user: TestUser;
  readonly tenantId: string;
  /** Stands in every text of theirs and in no other. */
  readonly canary: string;
}
const tenants: [Tenant, Tenant, Tenant] = [
  { user: 'operator', tenantId: 'one', canary: `canary-one-${randomUUID()}` },
  { user: 'other', tenantId: 'two', canary: `canary-two-${randomUUID()}` },
  { user: 'admin', tenantId: 'three', canary: `canary-three-${randomUUID()}` },
];

let service: TestService;
const worlds = new Map<Tenant, TenantData>();
beforeAll(async () => {
  const tokens = tenants.map(({ user: who, tenantId }) => ({
    name: who,
    token: `token-of-the-${who}`,
    role: 'operator' as const,
    tenantId,
    credential: 'shared_token' as const,
  }));
  service = await openService({ config: { tokens }, poolSize: 2 });
  for (const tenant of tenants) worlds.set(tenant, await createTenantData(service, tenant.user, tenant.canary));
});
afterAll(() => service[Symbol.asyncDispose]());

function dataOf(tenant: Tenant): TenantData {
  const data = worlds.get(tenant);
  if (data === undefined) throw new Error('no such tenant');
  return data;
}

function othersOf(tenant: Tenant): Tenant[] {
  return tenants.filter((one) => one !== tenant);
}

/** One request: what is asked, and what an answer to it must have. */
interface PoolRequest {
  readonly method: string;
  readonly path: string;
  readonly options?: CallOptions;
  /** The caller's own word stands in an answer of 2xx. */
  readonly isOwnTenant?: true;
  /** The call asks for things of another tenant: no 2xx. */
  readonly foreign?: true;
}

/** Calls that a caller of this tenant may make, some of them wrong, some for things of another tenant. */
function buildPoolRequest(tenant: Tenant, { pick, below }: Chance): PoolRequest {
  const own = dataOf(tenant);
  const other = dataOf(othersOf(tenant)[below(2)] ?? tenant);
  const text = { title: tenant.canary, prompt: tenant.canary };
  const create = { method: 'POST', path: '/v1/agent/tasks' };
  const rpc = (method: string, params: unknown): PoolRequest => ({
    method: 'POST',
    path: '/a2a/jsonrpc',
    options: { body: { jsonrpc: '2.0', id: 1, method, params } },
  });
  const message = {
    kind: 'message',
    messageId: randomUUID(),
    role: 'user',
    parts: [{ kind: 'text', text: tenant.canary }],
  };
  const { worker, codebaseId } = own;
  return pick<PoolRequest>([
    { ...create, options: { body: { ...text, codebase_id: codebaseId } }, isOwnTenant: true },
    // The same keys in all tenants.
    { ...create, options: { body: text, headers: { 'idempotency-key': `key-${below(5)}` } }, isOwnTenant: true },
    { ...create, options: { body: { ...text, codebase_id: other.codebaseId } }, foreign: true },
    { ...create, options: { body: { ...text, priority: 1_000 } } },
    { ...create, options: { body: { ...text, retry_of: other.running.task.id, title: 'x'.repeat(100_000) } } },
    { ...create, options: { raw: '{"title": "' } },
    { method: 'GET', path: '/v1/agent/tasks?limit=200', isOwnTenant: true },
    { method: 'GET', path: `/v1/agent/tasks?q=${tenant.canary.slice(0, 10)}`, isOwnTenant: true },
    { method: 'GET', path: '/v1/agent/tasks?cursor=nonsense' },
    { method: 'GET', path: `/v1/agent/tasks/${own.running.task.id}`, isOwnTenant: true },
    { method: 'GET', path: `/v1/agent/tasks/${other.running.task.id}`, foreign: true },
    { method: 'GET', path: `/v1/agent/tasks/${own.tasks.completed}/events`, isOwnTenant: true },
    { method: 'GET', path: `/v1/agent/tasks/${other.tasks.completed}/events`, foreign: true },
    { method: 'POST', path: `/v1/agent/tasks/${own.tasks.cancelled}/cancel` },
    { method: 'POST', path: `/v1/agent/tasks/${other.tasks.pending}/cancel`, foreign: true },
    { method: 'GET', path: '/v1/agent/codebases', isOwnTenant: true },
    { method: 'GET', path: `/v1/agent/codebases/${codebaseId}/sessions`, isOwnTenant: true },
    { method: 'GET', path: `/v1/agent/codebases/${other.codebaseId}/sessions`, foreign: true },
    { method: 'GET', path: '/v1/monitor/stats' },
    { method: 'GET', path: '/v1/agent/workers', isOwnTenant: true },
    { method: 'POST', path: '/v1/worker/tasks/claim', options: { body: { worker_id: worker.id, limit: 1 } } },
    {
      method: 'POST',
      path: '/v1/worker/tasks/claim',
      options: { body: { worker_id: other.worker.id } },
      foreign: true,
    },
    {
      method: 'POST',
      path: `/v1/agent/workers/${worker.id}/heartbeat`,
      options: { body: { running: [{ task_id: other.running.task.id, lease_token: other.running.lease_token }] } },
    },
    rpc('message/send', { message, configuration: { blocking: false } }),
    rpc('tasks/get', { id: own.tasks.completed }),
    rpc('tasks/get', { id: other.tasks.completed }),
    rpc('tasks/list', {}),
    rpc('tasks/cancel', { id: other.tasks.needs_input }),
  ]);
}

const headers = { accept: '*/*' };

/** Asks, and leaves before the answer is there. */
async function leave(tenant: Tenant, { method, path, options }: PoolRequest, afterMs: number): Promise<void> {
  const signal = AbortSignal.timeout(afterMs);
  await service.call(method, path, { ...options, as: tenant.user, signal }).catch(() => undefined);
}

/** Sends a part of a request, or all of it, over a connection that breaks off at once. */
async function breakOff(tenant: Tenant, { method, path, options }: PoolRequest, part: number): Promise<void> {
  const body = JSON.stringify(options?.body ?? {});
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token(tenant.user)}\r\n`;
  const requestText = `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const { port, hostname } = new URL(service.url);
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname, () => {
    socket.write(requestText.slice(0, Math.ceil(requestText.length * part)), () => socket.destroy());
  });
  socket.on('error', () => undefined);
  socket.on('close', () => resolve());
  await promise;
}

/** Opens a stream of theirs and drops it after its first bytes. */
async function dropStream(tenant: Tenant, others: readonly string[]): Promise<void> {
  const gone = new AbortController();
  const { running } = dataOf(tenant);
  const response = await fetch(`${service.url}/v1/agent/tasks/${running.task.id}/events`, {
    headers: { authorization: `Bearer ${service.token(tenant.user)}`, accept: 'text/event-stream' },
    signal: gone.signal,
  });
  const { value } = (await response.body?.getReader().read()) ?? {};
  expectNothingOf(others, new TextDecoder().decode(value), 'a stream');
  gone.abort();
}

function expectNothingOf(canaries: readonly string[], text: string, what: string): void {
  const found = canaries.find((word) => text.includes(word));
  expect([what, found]).toEqual([what, undefined]);
}

describe('10,000 mixed requests of three tenants over two connections', () => {
  it('answer nobody what is another’s, and write nothing under another’s name [core-5.6.2, core-5.8]', async () => {
    const { next, below, pick } = chance(20_251_121);
    const statuses = new Map<number, number>();
    let left = requests;
    const one = async (): Promise<void> => {
      const tenant = pick(tenants);
      const others = othersOf(tenant).map(({ canary: word }) => word);
      const request = buildPoolRequest(tenant, { next, below, pick });
      const kind = below(100);
      if (kind < 12) return leave(tenant, request, below(8));
      if (kind < 20) return breakOff(tenant, request, pick([0.3, 0.9, 1, 1]));
      if (kind < 24) return dropStream(tenant, others);
      const what = `${tenant.tenantId} ${request.method} ${request.path}`;
      const reply = await service.call(request.method, request.path, { headers, ...request.options, as: tenant.user });
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const text = `${JSON.stringify(reply.body)} ${JSON.stringify([...reply.headers])}`;
      expectNothingOf(others, text, what);
      const isAccepted = reply.status < 300;
      if (request.isOwnTenant === true && isAccepted)
        expect([what, text.includes(tenant.canary)]).toEqual([what, true]);
      if (request.foreign === true) expect([what, reply.status]).toEqual([what, expect.toSatisfy(isRefusal)]);
    };
    /** A connection dies now and then, in whatever it was doing. */
    const killOne = async (): Promise<void> => {
      await service.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'switchyard' order by random() limit 1`,
      );
    };
    const caller = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        if (left % 200 === 100) await killOne();
        await one();
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    // There were many of every kind, so it was no series of refusals.
    const count = (from: number, to: number): number =>
      [...statuses].reduce((sum, [status, n]) => sum + (status >= from && status < to ? n : 0), 0);
    expect(count(200, 300)).toBeGreaterThan(requests / 4);
    expect(count(400, 500)).toBeGreaterThan(requests / 20);
    expect(count(500, 503) + count(504, 600)).toBe(0);
    await until('everything that was left has ended', async () => {
      const busy = await service.db.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'switchyard'
           and state in ('active', 'idle in transaction')`,
      );
      return busy.length === 0;
    });
    expect(
      await strayCanaries(
        service.db,
        Object.fromEntries(tenants.map(({ tenantId, canary: word }) => [tenantId, word])),
      ),
    ).toEqual([]);
    await assertInvariants(service.db);
  }, 900_000);
});

/** 404 as for nothing, 409 for a state, 503 for a connection that was killed: never the thing. */
function isRefusal(status: number): boolean {
  return status === 404 || status === 409 || status === 503;
}
