// Calls that wait for a task hold nobody else up: they have no place among the calls in flight, however many keys they
// come by, and are bounded as streams of their credential are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { openService, type TestService, type ApiReply } from '../../support/service.ts';
import { message, rpc } from '../../support/a2a/client.ts';
import { toolRpc } from '../../support/mcp/client.ts';
import { until } from '../../support/until.ts';

const maxCallsInFlight = 2;
const maxStreamsPerCredential = 3;
let service: TestService;
const gone = new AbortController();
beforeAll(async () => {
  service = await openService({ config: { maxCallsInFlight, maxStreamsPerCredential } });
});
afterAll(async () => {
  gone.abort();
  await service[Symbol.asyncDispose]();
});

/** The tokens of eight keys of the editor. */
async function eightKeys(scopes: string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (let i = 0; i < 8; i += 1) {
    const body = { name: `key ${i}`, scopes };
    // Calls of the test before may be on their way out.
    const made = await until('a key', async () => {
      const reply = await service.call('POST', '/v1/auth/api-keys', { as: 'editor', body });
      return reply.status === 201 && reply.body.key;
    });
    tokens.push(made);
  }
  return tokens;
}

async function taskCount(): Promise<number> {
  const { body } = await service.call('GET', '/v1/agent/tasks?limit=200', { as: 'viewer' });
  return body.tasks.length;
}

/** Each way to wait for what comes of a message, as a call that is under way. */
const waits: [string, (token: string, signal: AbortSignal) => Promise<ApiReply>][] = [
  [
    'message/send of v0.3',
    (token, signal) =>
      rpc(service, 'message/send', { message: message(), configuration: { blocking: true } }, { token, signal }),
  ],
  [
    'SendMessage of v1.0',
    (token, signal) => {
      const newMessage = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'x' }] };
      return rpc(service, 'SendMessage', { message: newMessage }, { token, signal, headers: { 'a2a-version': '1.0' } });
    },
  ],
  [
    'POST /a2a/rest/message:send',
    (token, signal) =>
      service.call('POST', '/a2a/rest/message:send', {
        token,
        signal,
        headers: { 'a2a-version': '1.0' },
        body: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'x' }] } },
      }),
  ],
  [
    'the tool send_message',
    (token, signal) => {
      const args = { message: 'x', wait_seconds: 50 };
      return toolRpc(service, 'tools/call', { name: 'send_message', arguments: args }, { token, signal });
    },
  ],
  [
    'POST /mcp/tools/call',
    (token, signal) => {
      const body = { name: 'send_message', arguments: { message: 'x', wait_seconds: 50 } };
      return service.call('POST', '/mcp/tools/call', { token, signal, body });
    },
  ],
];

describe('waiting calls', () => {
  it.each(waits)(
    'by %s, by eight keys of one subject, leave every place to others and to that subject',
    async (_, wait) => {
      await using leave = leaving();
      const tokens = await eightKeys(['a2a:*', 'mcp:*', 'tasks:*']);
      const before = await taskCount();
      const calls: Promise<unknown>[] = [];
      // One key after the other and one call after the other: what is refused is refused for those that wait.
      for (const token of tokens) {
        for (let i = 0; i < maxStreamsPerCredential; i += 1) {
          const there = await taskCount();
          const call = wait(token, leave.signal);
          calls.push(call.catch(() => undefined));
          const next = await Promise.race([call, until('its task', async () => (await taskCount()) > there)]);
          if (next !== true) throw new Error(`refused: ${JSON.stringify(next)}`);
        }
      }
      expect(await taskCount()).toBe(before + tokens.length * maxStreamsPerCredential);
      expect(
        (await service.call('POST', '/v1/agent/tasks', { as: 'other', body: { title: 'a', prompt: 'b' } })).status,
      ).toBe(201);
      expect((await service.call('GET', '/v1/agent/codebases', { as: 'editor' })).status).toBe(200);
      leave.now();
      await Promise.all(calls);
    },
  );

  it.each(waits)(
    'by %s have the limit of streams, and are rejected before a task is created [choices-9.13]',
    async (_, wait) => {
      await using leave = leaving();
      const [token = ''] = await eightKeys(['a2a:*', 'mcp:*', 'tasks:*']);
      const calls: Promise<unknown>[] = [];
      for (let i = 0; i < maxStreamsPerCredential; i += 1) {
        const there = await taskCount();
        calls.push(wait(token, leave.signal).catch(() => undefined));
        await until('its task', async () => (await taskCount()) > there);
      }
      const there = await taskCount();
      const refused = await wait(token, leave.signal);
      expect(JSON.stringify(refused.body)).toContain('too_many_streams');
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(await taskCount()).toBe(there);
      leave.now();
      await Promise.all(calls);
      // A call whose client has gone frees its place for the next.
      await until('room', async () => {
        const reply = service.call('GET', `/v1/monitor/stream`, { token: service.token('editor'), headersOnly: true });
        return (await reply).status === 200;
      });
    },
  );
});

describe('calls that do not wait', () => {
  it('of one subject, by many keys, have an eighth of the slots; others are served meanwhile', async () => {
    const tokens = await eightKeys(['workers:read']);
    const slow = await slowWorkers();
    const calls = [...tokens, ...tokens].map((token) => service.call('GET', '/v1/agent/workers', { token }));
    const refused = await Promise.race(calls);
    expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await service.call('GET', '/v1/agent/codebases', { as: 'other' })).status).toBe(200);
    expect((await service.call('GET', '/v1/agent/codebases', { as: 'viewer' })).status).toBe(200);
    await slow[Symbol.asyncDispose]();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(maxCallsInFlight);
    expect(statuses.filter((status) => status === 503)).toHaveLength(16 - maxCallsInFlight);
  });
});

/** A signal by which clients go away, at the end of a test at the latest. */
function leaving(): AsyncDisposable & { readonly signal: AbortSignal; now(): void } {
  const away = new AbortController();
  const now = (): void => away.abort();
  return {
    signal: AbortSignal.any([away.signal, gone.signal]),
    now,
    [Symbol.asyncDispose]: () => Promise.resolve(now()),
  };
}

/** Holds every read of workers up until it is disposed of. */
async function slowWorkers(): Promise<AsyncDisposable> {
  const client = new pg.Client(service.db.superuser);
  await client.connect();
  await client.query('begin');
  await client.query('lock table workers in access exclusive mode');
  return {
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      await client.end();
    },
  };
}
