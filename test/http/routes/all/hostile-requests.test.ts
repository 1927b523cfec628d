// Bad input on every operation: a clear 4xx with a problem body, nothing half-done, never a 5xx.
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../../src/http/pipeline/operation.ts';
import { joinForgedCluster } from '../../../support/cluster/forged-cluster.ts';
import { openService, type TestService, type ApiReply } from '../../../support/service.ts';

const full = process.env['SCALE'] === 'full';

const closing = new AsyncDisposableStack();
let service: TestService;
beforeAll(async () => {
  const cluster = await joinForgedCluster(closing);
  service = closing.use(await openService({ config: { automationCallsPerMinute: 1_000_000, cluster } }));
  await service.worker();
});
afterAll(() => closing.disposeAsync());

const id = '01a1fe3a-a67c-7000-bbb2-66e11402a1ff';
const pathOf = (path: string, value = id): string => path.replaceAll(/(?<=\/):\w+/g, value);

/** Operations that answer errors with the problem body; those with words of their own have tests of their own. */
const plainRows = (): Operation[] =>
  service.instance.operations.filter(({ renderError: refuse }) => refuse === undefined);

async function rowCount(): Promise<number> {
  const tables = ['tasks', 'workspaces', 'workers', 'sessions', 'task_events', 'routes', 'idempotency_keys'];
  const [row] = await service.db.query<{ n: string }>(
    `select ${tables.map((table) => `(select count(*) from ${table})`).join(' + ')} as n`,
  );
  return Number(row?.n);
}

function expectProblem(reply: ApiReply, what: string): void {
  expect({ what, status: reply.status >= 400 && reply.status < 500 }).toEqual({ what, status: true });
  expect(reply.headers.get('content-type'), what).toMatch(/^application\/problem\+json/);
  expect(reply.body, what).toMatchObject({ code: expect.any(String), request_id: expect.any(String) });
  expect(JSON.stringify(reply.body), what).not.toMatch(/select |insert |violates|at .*\.ts|node_modules/i);
}

describe('bad input', () => {
  it('as a body is a clear 4xx on every operation that takes one, and makes nothing [core-7.2]', async () => {
    const bodies = [
      'null',
      '[]',
      '"text"',
      '1',
      'true',
      '{"surprise":1}',
      '{"__proto__":{"a":1}}',
      '{"constructor":1}',
      '{',
      '',
      '\u0000',
    ];
    const before = await rowCount();
    for (const row of plainRows().filter((operation) => operation.body !== undefined)) {
      const needsNone = row.body?.safeParse({}).success === true;
      for (const raw of bodies) {
        const reply = await service.call(row.method, pathOf(row.path), { raw });
        // A call that needs no body takes an empty one; the thing it names is not there, or made.
        if (raw === '' && needsNone && reply.status < 300) continue;
        expectProblem(reply, `${row.name} ${raw}`);
      }
    }
    expect(await rowCount()).toBe(before);
  });

  it('as a query or a path is a clear 4xx', async () => {
    const queries = [
      'limit=-1',
      'limit=1e9',
      'limit=',
      'limit=1&limit=2',
      'cursor=%00',
      'cursor=..',
      'surprise=1',
      'status=x',
      'after=-1',
      'worker_id=x',
    ];
    for (const row of plainRows().filter((operation) => operation.query !== undefined)) {
      for (const query of queries) {
        const reply = await service.call(row.method, `${pathOf(row.path)}?${query}`);
        if (reply.status !== 200) expectProblem(reply, `${row.name} ?${query}`);
        else expect(query, row.name).toMatch(/^(after|worker_id|status)/);
      }
    }
    // A user may have any name without control characters: one that is put is made.
    for (const row of plainRows().filter(({ path, name }) => path.includes(':') && name !== 'users.put')) {
      for (const value of ['%00', '%2e%2e%2f', 'x'.repeat(400), '%F0%9F%92%A9', '%ff', `${id}'--`, id.toUpperCase()]) {
        const body = row.body === undefined ? undefined : {};
        expectProblem(await service.call(row.method, pathOf(row.path, value), { body }), `${row.name} ${value}`);
      }
    }
  });

  it(
    'made at random never ends in a 5xx, and makes nothing but what was asked for well',
    async () => {
      const fields = [
        'title',
        'prompt',
        'priority',
        'codebase_id',
        'metadata',
        'deadline_at',
        'required_capabilities',
        'name',
        'path',
        'slots',
        'lease_token',
        'events',
        'status',
        'worker_id',
        'message',
        'artifacts',
        'usage',
        'sessions',
        'running',
        'limit',
      ];
      const value = fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom(
          1e308,
          -1,
          2 ** 53,
          '',
          ' ',
          '\u202e',
          '\ud83d\ude00',
          id,
          '2026-01-01T00:00:00Z',
          '9999999-01-01T00:00:00Z',
          '0000-00-00',
        ),
        fc.string({ unit: 'binary', maxLength: 50 }),
      );
      const body = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 6 });
      const row = fc.constantFrom(...plainRows().filter((operation) => operation.body !== undefined));
      await fc.assert(
        fc.asyncProperty(row, body, async (operation, payload) => {
          const reply = await service.call(operation.method, pathOf(operation.path), { body: payload });
          expect(reply.status).toBeLessThan(500);
          if (reply.status >= 400) expectProblem(reply, operation.name);
        }),
        { numRuns: full ? 20_000 : 600 },
      );
    },
    full ? 900_000 : 60_000,
  );

  it('half-sent, or with a wrong length, holds nothing up and makes nothing', async () => {
    const before = await rowCount();
    const { port, hostname } = new URL(service.url);
    const head = `POST /v1/agent/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token('editor')}\r\nContent-Type: application/json\r\n`;
    const validBody = JSON.stringify({ title: 't', prompt: 'p' });
    const half = [
      `${head}Content-Length: ${validBody.length}\r\n\r\n${validBody.slice(0, 5)}`,
      `${head}Content-Length: 5\r\n\r\n${validBody.slice(0, 5)}`,
      `${head}Content-Length: -1\r\n\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"tit\r\n`,
      `${head}Content-Length: ${validBody.length}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ];
    await Promise.all(
      half.map(
        (text) =>
          new Promise<void>((resolve) => {
            const socket = connect(Number(port), hostname, () => socket.end(text));
            socket.on('error', () => undefined);
            socket.on('close', () => resolve());
            socket.resume();
          }),
      ),
    );
    expect((await service.call('GET', '/health', { token: null })).status).toBe(200);
    expect(await rowCount()).toBe(before);
  });
});
