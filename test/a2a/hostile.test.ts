// Requests that nobody should send: never a 5xx, never a hang, always an answer in the protocol's words.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type House } from '../house.ts';
import { doors, faults, rpc, sent } from './support.ts';

let house: House;
let taskId = '';
beforeAll(async () => {
  house = await openHouse();
  const task = await sent(house);
  await rpc(house, 'tasks/cancel', { id: task.id });
  taskId = task.id;
});
afterAll(() => house[Symbol.asyncDispose]());

const numRuns = process.env['SCALE'] === 'full' ? 10_000 : 300;
const codes = [-32700, -32600, -32601, -32602, -32001, -32002, -32003, -32004, -32007, -32009];

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    null,
    '',
    '\0',
    '\ud800',
    -1,
    1e308,
    2 ** 53,
    [],
    {},
    [[]],
    '__proto__',
    'constructor',
    '../../etc',
  ),
  fc.string({ unit: 'binary' }),
);
const methods = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'message/send',
      'message/stream',
      'tasks/get',
      'tasks/list',
      'tasks/cancel',
      'tasks/resubscribe',
      'tasks/subscribe',
      'tasks/pushNotificationConfig/set',
      'agent/getAuthenticatedExtendedCard',
    ),
  },
  { weight: 1, arbitrary: odd },
);
/** Often right, sometimes anything: so that what is odd is reached deep inside. */
const mostly = (...right: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: odd });
/** Never `true`: that may wait a minute, and nobody runs these tasks. */
const notWaiting = fc.constantFrom<unknown>(false, 'yes', 0, null, []);
const part = fc.oneof(
  fc.record({ kind: mostly('text'), text: mostly('x') }, { requiredKeys: [] }),
  fc.record({ type: mostly('text'), content: mostly('x') }, { requiredKeys: [] }),
  fc.record(
    {
      kind: mostly('file'),
      file: fc.oneof(fc.record({ bytes: mostly('AA=='), uri: mostly('https://e.example') }, { requiredKeys: [] }), odd),
    },
    { requiredKeys: [] },
  ),
  fc.record({ kind: mostly('data'), data: mostly({}), metadata: mostly({}) }, { requiredKeys: [] }),
  odd,
);
const routing = fc.record(
  {
    codebase_id: mostly('global'),
    priority: mostly(1),
    required_capabilities: mostly([]),
    deadline_at: mostly('2100-01-01T00:00:00Z'),
    target_worker_id: odd,
    webhook_url: odd,
    model: odd,
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    kind: mostly('message'),
    messageId: mostly('m'),
    role: mostly('user', 'agent'),
    parts: fc.oneof(fc.array(part, { maxLength: 3 }), odd),
    contextId: mostly('c'),
    taskId: fc.oneof(fc.constantFrom(undefined, undefined, 'x'), odd),
    metadata: fc.oneof(routing, odd),
    extensions: mostly([]),
    referenceTaskIds: mostly([]),
  },
  { requiredKeys: ['parts'] },
);
const params = fc.oneof(
  fc.record(
    {
      message: fc.oneof(message, odd),
      configuration: fc.oneof(fc.record({ blocking: notWaiting, historyLength: mostly(0) }, { requiredKeys: [] }), odd),
      metadata: fc.oneof(routing, odd),
    },
    { requiredKeys: ['message'] },
  ),
  fc.record(
    {
      id: mostly('x', '01a1fe54-4a4a-7000-89aa-ee8f27cb4186'),
      historyLength: mostly(1),
      contextId: mostly('c'),
      status: mostly('working'),
      pageSize: mostly(1),
      pageToken: mostly(''),
      statusTimestampAfter: mostly('2020-01-01T00:00:00Z'),
    },
    { requiredKeys: [] },
  ),
  odd,
);
const envelope = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      { jsonrpc: mostly('2.0'), id: mostly(1, 'a'), method: methods, params },
      { requiredKeys: ['jsonrpc', 'method'] },
    ),
  },
  { weight: 1, arbitrary: odd },
);

/** Milliseconds after which a call counts as hanging. */
const hangMs = 20_000;

/** Streams of tasks that nobody runs would never end: the call leaves as soon as the answer has begun. */
async function ask(raw: string | Uint8Array, path: string): Promise<{ status: number; body: unknown }> {
  const gone = new AbortController();
  const response = await fetch(`${house.url}${path}`, {
    method: 'POST',
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(hangMs)]),
    headers: { authorization: `Bearer ${house.token('editor')}`, 'content-type': 'application/json' },
    body: typeof raw === 'string' ? raw : Buffer.from(raw),
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    gone.abort();
    return { status: response.status, body: undefined };
  }
  return { status: response.status, body: await response.json() };
}

/** What is wrong with an answer; empty for one in the protocol's words. */
function wrongIn({ status, body }: { status: number; body: unknown }): string[] {
  if (status !== 200) return [`HTTP ${status}`];
  if (body === undefined) return [];
  const { error, ...rest } = body as { error?: { code: number }; result?: unknown };
  if (error === undefined) return 'result' in rest ? [] : ['neither result nor error'];
  return [...faults('JSONRPCErrorResponse', body), ...(codes.includes(error.code) ? [] : [`code ${error.code}`])];
}

describe('hostile requests', () => {
  it('of any shape get an answer in the protocol’s words', async () => {
    await fc.assert(
      fc.asyncProperty(envelope, fc.constantFrom(...doors), async (given, path) => {
        expect(wrongIn(await ask(JSON.stringify(given) ?? '', path))).toEqual([]);
      }),
      { numRuns, endOnFailure: true },
    );
  }, 600_000);

  it('of any bytes get an answer in the protocol’s words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...doors), async (given, path) => {
        expect(wrongIn(await ask(given, path))).toEqual([]);
      }),
      { numRuns: numRuns / 5 },
    );
  }, 600_000);

  it('leave a finished task as it was', async () => {
    const before = await rpc(house, 'tasks/get', { id: taskId });
    await fc.assert(
      fc.asyncProperty(message, fc.constantFrom('message/send', 'message/stream'), async (given, method) => {
        const raw = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message: { ...given, taskId } } });
        const { body } = await ask(raw, '/');
        expect(body).toMatchObject({ error: { code: -32602 } });
      }),
      { numRuns: numRuns / 5 },
    );
    expect((await rpc(house, 'tasks/get', { id: taskId })).body).toEqual(before.body);
  }, 600_000);

  it('are refused at no more cost than reading them takes', async () => {
    const many = '1,'.repeat(500_000);
    const raw = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"parts":[${many}1]}}}`;
    expect(wrongIn(await ask(raw, '/'))).toEqual([]);
    const capabilities = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","role":"user","parts":[{"text":"x"}],"metadata":{"required_capabilities":[${many}1]}}}}`;
    const { body } = await ask(capabilities, '/');
    expect((body as { error: { data: { errors: unknown[] } } }).error.data.errors).toHaveLength(1);
  });
});
