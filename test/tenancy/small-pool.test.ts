// Three tenants share a pool of two connections, and callers err, leave and break off in between: nobody gets another's.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type CallOptions, type House, type Who } from '../house.ts';
import { strayCanaries } from '../support/canaries.ts';
import { mustBeWhole } from '../support/invariants.ts';
import { chance, type Chance } from '../support/random.ts';
import { until } from '../support/until.ts';
import { buildWorld, type World } from '../support/world.ts';

const requests = process.env['SCALE'] === 'full' ? 10_000 : 1_000;
/** Callers at once: many times the connections. */
const callers = 24;

interface Tenant {
  readonly who: Who;
  readonly tenantId: string;
  /** Stands in every text of theirs and in no other. */
  readonly word: string;
}
const tenants: [Tenant, Tenant, Tenant] = [
  { who: 'operator', tenantId: 'one', word: `canary-one-${randomUUID()}` },
  { who: 'other', tenantId: 'two', word: `canary-two-${randomUUID()}` },
  { who: 'admin', tenantId: 'three', word: `canary-three-${randomUUID()}` },
];

let house: House;
const worlds = new Map<Tenant, World>();
beforeAll(async () => {
  const tokens = tenants.map(({ who, tenantId }) => ({
    name: who,
    token: `token-of-the-${who}`,
    role: 'operator' as const,
    tenantId,
    credential: 'shared_token' as const,
  }));
  house = await openHouse({ config: { tokens }, poolSize: 2 });
  for (const tenant of tenants) worlds.set(tenant, await buildWorld(house, tenant.who, tenant.word));
});
afterAll(() => house[Symbol.asyncDispose]());

function worldOf(tenant: Tenant): World {
  const world = worlds.get(tenant);
  if (world === undefined) throw new Error('no such tenant');
  return world;
}

function othersOf(tenant: Tenant): Tenant[] {
  return tenants.filter((one) => one !== tenant);
}

/** One request: what is asked, and what an answer to it must have. */
interface Ask {
  readonly method: string;
  readonly path: string;
  readonly options?: CallOptions;
  /** The caller's own word stands in an answer of 2xx. */
  readonly own?: true;
  /** Whatever is asked for is not the caller's: no 2xx. */
  readonly foreign?: true;
}

/** What a caller of this tenant may ask, some of it wrong, some of it for what is another's. */
function askOf(tenant: Tenant, { pick, below }: Chance): Ask {
  const own = worldOf(tenant);
  const other = worldOf(othersOf(tenant)[below(2)] ?? tenant);
  const text = { title: tenant.word, prompt: tenant.word };
  const create = { method: 'POST', path: '/v1/agent/tasks' };
  const rpc = (method: string, params: unknown): Ask => ({
    method: 'POST',
    path: '/a2a/jsonrpc',
    options: { body: { jsonrpc: '2.0', id: 1, method, params } },
  });
  const message = {
    kind: 'message',
    messageId: randomUUID(),
    role: 'user',
    parts: [{ kind: 'text', text: tenant.word }],
  };
  const { worker, codebaseId } = own;
  return pick<Ask>([
    { ...create, options: { body: { ...text, codebase_id: codebaseId } }, own: true },
    // The same keys in all tenants.
    { ...create, options: { body: text, headers: { 'idempotency-key': `key-${below(5)}` } }, own: true },
    { ...create, options: { body: { ...text, codebase_id: other.codebaseId } }, foreign: true },
    { ...create, options: { body: { ...text, priority: 1_000 } } },
    { ...create, options: { body: { ...text, retry_of: other.running.task.id, title: 'x'.repeat(100_000) } } },
    { ...create, options: { raw: '{"title": "' } },
    { method: 'GET', path: '/v1/agent/tasks?limit=200', own: true },
    { method: 'GET', path: `/v1/agent/tasks?q=${tenant.word.slice(0, 10)}`, own: true },
    { method: 'GET', path: '/v1/agent/tasks?cursor=nonsense' },
    { method: 'GET', path: `/v1/agent/tasks/${own.running.task.id}`, own: true },
    { method: 'GET', path: `/v1/agent/tasks/${other.running.task.id}`, foreign: true },
    { method: 'GET', path: `/v1/agent/tasks/${own.tasks.completed}/events`, own: true },
    { method: 'GET', path: `/v1/agent/tasks/${other.tasks.completed}/events`, foreign: true },
    { method: 'POST', path: `/v1/agent/tasks/${own.tasks.cancelled}/cancel` },
    { method: 'POST', path: `/v1/agent/tasks/${other.tasks.pending}/cancel`, foreign: true },
    { method: 'GET', path: '/v1/agent/codebases', own: true },
    { method: 'GET', path: `/v1/agent/codebases/${codebaseId}/sessions`, own: true },
    { method: 'GET', path: `/v1/agent/codebases/${other.codebaseId}/sessions`, foreign: true },
    { method: 'GET', path: '/v1/monitor/stats' },
    { method: 'GET', path: '/v1/agent/workers', own: true },
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
async function leave(tenant: Tenant, { method, path, options }: Ask, afterMs: number): Promise<void> {
  const signal = AbortSignal.timeout(afterMs);
  await house.call(method, path, { ...options, as: tenant.who, signal }).catch(() => undefined);
}

/** Sends a part of a request, or all of it, over a connection that breaks off at once. */
async function breakOff(tenant: Tenant, { method, path, options }: Ask, part: number): Promise<void> {
  const body = JSON.stringify(options?.body ?? {});
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${house.token(tenant.who)}\r\n`;
  const whole = `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const { port, hostname } = new URL(house.url);
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname, () => {
    socket.write(whole.slice(0, Math.ceil(whole.length * part)), () => socket.destroy());
  });
  socket.on('error', () => undefined);
  socket.on('close', () => resolve());
  await promise;
}

/** Opens a stream of theirs and drops it after its first bytes. */
async function dropStream(tenant: Tenant, others: readonly string[]): Promise<void> {
  const gone = new AbortController();
  const { running } = worldOf(tenant);
  const response = await fetch(`${house.url}/v1/agent/tasks/${running.task.id}/events`, {
    headers: { authorization: `Bearer ${house.token(tenant.who)}`, accept: 'text/event-stream' },
    signal: gone.signal,
  });
  const { value } = (await response.body?.getReader().read()) ?? {};
  expectNothingOf(others, new TextDecoder().decode(value), 'a stream');
  gone.abort();
}

function expectNothingOf(words: readonly string[], text: string, what: string): void {
  const found = words.find((word) => text.includes(word));
  expect([what, found]).toEqual([what, undefined]);
}

describe('10,000 mixed requests of three tenants over two connections', () => {
  it('answer nobody what is another’s, and write nothing under another’s name [core-5.6.2, core-5.8]', async () => {
    const { next, below, pick } = chance(20_251_121);
    const statuses = new Map<number, number>();
    let left = requests;
    const one = async (): Promise<void> => {
      const tenant = pick(tenants);
      const others = othersOf(tenant).map(({ word }) => word);
      const ask = askOf(tenant, { next, below, pick });
      const kind = below(100);
      if (kind < 12) return leave(tenant, ask, below(8));
      if (kind < 20) return breakOff(tenant, ask, pick([0.3, 0.9, 1, 1]));
      if (kind < 24) return dropStream(tenant, others);
      const what = `${tenant.tenantId} ${ask.method} ${ask.path}`;
      const reply = await house.call(ask.method, ask.path, { headers, ...ask.options, as: tenant.who });
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const text = `${JSON.stringify(reply.body)} ${JSON.stringify([...reply.headers])}`;
      expectNothingOf(others, text, what);
      const isGiven = reply.status < 300;
      if (ask.own === true && isGiven) expect([what, text.includes(tenant.word)]).toEqual([what, true]);
      if (ask.foreign === true) expect([what, reply.status]).toEqual([what, expect.toSatisfy(isRefusal)]);
    };
    /** A connection dies now and then, in whatever it was doing. */
    const killOne = async (): Promise<void> => {
      await house.db.query(
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
    // Of every kind there were many: it was no run of refusals.
    const count = (from: number, to: number): number =>
      [...statuses].reduce((sum, [status, n]) => sum + (status >= from && status < to ? n : 0), 0);
    expect(count(200, 300)).toBeGreaterThan(requests / 4);
    expect(count(400, 500)).toBeGreaterThan(requests / 20);
    expect(count(500, 503) + count(504, 600)).toBe(0);
    await until('everything that was left has ended', async () => {
      const busy = await house.db.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'switchyard'
           and state in ('active', 'idle in transaction')`,
      );
      return busy.length === 0;
    });
    expect(
      await strayCanaries(house.db, Object.fromEntries(tenants.map(({ tenantId, word }) => [tenantId, word]))),
    ).toEqual([]);
    await mustBeWhole(house.db);
  }, 900_000);
});

/** 404 as for nothing, 409 for a state, 503 for a connection that was killed: never the thing. */
function isRefusal(status: number): boolean {
  return status === 404 || status === 409 || status === 503;
}
