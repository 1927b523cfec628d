// Requests that nobody should send: never a 5xx, never a hang, always an answer in the protocol's words.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { actions } from '../../../../src/http/a2a/protocol/actions.ts';
import { restRoutes } from '../../../../src/http/a2a/rest/rest-routes.ts';
import { rpcPaths, faults, rpc, sent } from '../../../support/a2a/client.ts';

let service: TestService;
let taskId = '';
beforeAll(async () => {
  service = await openService();
  const task = await sent(service);
  await rpc(service, 'tasks/cancel', { id: task.id });
  taskId = task.id;
});
afterAll(() => service[Symbol.asyncDispose]());

const numRuns = process.env['SCALE'] === 'full' ? 20_000 : 1_000;
const codes = [-32700, -32600, -32601, -32602, -32001, -32002, -32003, -32004, -32005, -32007, -32009];

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
const methodsOf = (version: '0.3' | '1.0'): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(...Object.values(actions).flatMap(({ methods }) => methods[version])),
    },
    { weight: 1, arbitrary: odd },
  );
/** Often right, sometimes anything: so that what is odd is reached deep inside. */
const mostly = (...right: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: odd });
/** Never `true`: that may wait a minute, and nobody runs these tasks. */
const notWaiting = fc.constantFrom<unknown>(false, 'yes', 0, null, []);
/** Never without it, never `false`: v1.0 waits unless the call asks it not to. */
const immediately = fc.constantFrom<unknown>(true, true, 'yes', 0, []);
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
  fc.record({ text: mostly('x'), raw: odd, url: odd, data: odd, mediaType: mostly('a/b') }, { requiredKeys: [] }),
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
    role: mostly('user', 'ROLE_USER', 'agent'),
    parts: fc.oneof(fc.array(part, { maxLength: 3 }), odd),
    contextId: mostly('c'),
    taskId: fc.oneof(fc.constantFrom(undefined, undefined, 'x'), odd),
    metadata: fc.oneof(routing, odd),
    extensions: mostly([]),
    referenceTaskIds: mostly([]),
  },
  { requiredKeys: ['parts'] },
);
const push = fc.record(
  { url: mostly('https://example.com/p'), id: mostly('p'), token: odd, authentication: odd },
  { requiredKeys: ['url'] },
);
const sendParams = fc.record(
  {
    message: fc.oneof(message, odd),
    configuration: fc.record(
      {
        blocking: notWaiting,
        returnImmediately: immediately,
        historyLength: mostly(0),
        acceptedOutputModes: mostly([], ['text/plain']),
        pushNotificationConfig: fc.oneof(push, odd),
        taskPushNotificationConfig: fc.oneof(push, odd),
      },
      { requiredKeys: ['returnImmediately'] },
    ),
    metadata: fc.oneof(routing, odd),
  },
  { requiredKeys: ['message', 'configuration'] },
);
const params = fc.oneof(
  sendParams,
  fc.record(
    {
      id: mostly('x', '01a1fe54-4a4a-7000-89aa-ee8f27cb4186'),
      taskId: mostly('x', '01a1fe54-4a4a-7000-89aa-ee8f27cb4186'),
      historyLength: mostly(1),
      contextId: mostly('c'),
      status: mostly('working', 'TASK_STATE_WORKING'),
      pageSize: mostly(1),
      pageToken: mostly(''),
      statusTimestampAfter: mostly('2020-01-01T00:00:00Z'),
      pushNotificationConfig: fc.oneof(push, odd),
      pushNotificationConfigId: mostly('p'),
      url: mostly('https://example.com/p'),
    },
    { requiredKeys: [] },
  ),
  odd,
);
const envelopeOf = (version: '0.3' | '1.0'): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record(
        { jsonrpc: mostly('2.0'), id: mostly(1, 'a'), method: methodsOf(version), params },
        { requiredKeys: ['jsonrpc', 'method'] },
      ),
    },
    { weight: 1, arbitrary: odd },
  );

/** Milliseconds after which a call counts as hanging. */
const hangMs = 60_000;

interface HostileRequest {
  readonly method?: string;
  readonly raw?: string | Uint8Array | undefined;
  readonly headers?: Record<string, string>;
}

/** Streams of tasks that nobody runs would never end: the call leaves as soon as the answer has begun. */
async function sendHostile(
  path: string,
  { method = 'POST', raw, headers }: HostileRequest,
): Promise<{ status: number; body: unknown }> {
  const gone = new AbortController();
  const response = await fetch(`${service.url}${path}`, {
    method,
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(hangMs)]),
    headers: { authorization: `Bearer ${service.token('editor')}`, 'content-type': 'application/json', ...headers },
    ...(raw === undefined ? {} : { body: typeof raw === 'string' ? raw : Buffer.from(raw) }),
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    gone.abort();
    return { status: response.status, body: undefined };
  }
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** The violations in an answer; empty for one in the protocol's words. */
function wrongIn({ status, body }: { status: number; body: unknown }): string[] {
  if (status !== 200) return [`HTTP ${status}`];
  if (body === undefined) return [];
  const { error, ...rest } = body as { error?: { code: number }; result?: unknown };
  if (error === undefined) return 'result' in rest ? [] : ['neither result nor error'];
  return [...faults('JSONRPCErrorResponse', body), ...(codes.includes(error.code) ? [] : [`code ${error.code}`])];
}

/** Routes of the REST binding, by its rows. */
const routes = restRoutes.map(([, method, path]) => [method, path] as const);
const oddPath = odd.map((value) => encodeURIComponent((JSON.stringify(value) ?? '').toWellFormed()).slice(0, 300));
const pathId = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('x', '01a1fe54-4a4a-7000-89aa-ee8f27cb4186') },
  { weight: 1, arbitrary: oddPath },
);
const query = fc.dictionary(
  fc.constantFrom('historyLength', 'pageSize', 'pageToken', 'status', 'contextId', 'includeArtifacts', 'id', 'x'),
  fc.oneof(fc.constantFrom('1', '-1', '', 'true', 'TASK_STATE_WORKING'), fc.string()),
  { maxKeys: 3 },
);
const restCall = fc.record({
  route: fc.constantFrom(...routes),
  id: pathId,
  configId: pathId,
  query,
  body: fc.oneof(
    { weight: 3, arbitrary: sendParams },
    { weight: 2, arbitrary: params },
    { weight: 1, arbitrary: push },
  ),
});
const restBindings = [
  ['the document’s REST', '/a2a/rest', undefined],
  ['v0.3 over REST', '/a2a/rest/v1', '0.3'],
  ['v1.0 over REST', '/a2a/rest', '1.0'],
] as const;

/** The violations in an answer over REST; empty for one in the protocol's words, or in HTTP's where HTTP answers. */
function wrongOverRest({ status, body }: { status: number; body: unknown }): string[] {
  if (status < 300) return [];
  if (status >= 500) return [`HTTP ${status}`];
  const { code, error } = body as { code?: unknown; error?: { code: number; details: unknown[] } };
  if (typeof code === 'number') return codes.includes(code) && [400, 404, 409].includes(status) ? [] : [`code ${code}`];
  if (error !== undefined) return error.code === status && error.details.length > 0 ? [] : [`error ${error.code}`];
  // No such path, or one that is none: the router answers before any row is known.
  return [400, 404].includes(status) && typeof code === 'string' ? [] : [`HTTP ${status} ${String(code)}`];
}

describe('hostile requests', () => {
  it.each(['0.3', '1.0'] as const)(
    'of any shape to v%s over JSON-RPC get an answer in the protocol’s words',
    async (version) => {
      const headers = { 'a2a-version': version };
      await fc.assert(
        fc.asyncProperty(envelopeOf(version), fc.constantFrom(...rpcPaths), async (payload, path) => {
          const raw = JSON.stringify(payload) ?? '';
          expect(wrongIn(await sendHostile(path, { raw, headers }))).toEqual([]);
        }),
        { numRuns, endOnFailure: true },
      );
    },
    1_200_000,
  );

  it.each(restBindings)(
    'of any shape to %s get an answer in the protocol’s words',
    async (_name, base, version) => {
      const headers: Record<string, string> = version === undefined ? {} : { 'a2a-version': version };
      await fc.assert(
        fc.asyncProperty(restCall, async ({ route: [method, path], id, configId, query: searchParameters, body }) => {
          const filled = path.replace(':id', id).replace(':config_id', configId);
          const search = new URLSearchParams(searchParameters).toString();
          const raw = method === 'POST' ? JSON.stringify(body) : undefined;
          const answer = await sendHostile(`${base}${filled}${search === '' ? '' : `?${search}`}`, {
            method,
            raw,
            headers,
          });
          expect(wrongOverRest(answer)).toEqual([]);
        }),
        { numRuns, endOnFailure: true },
      );
    },
    1_200_000,
  );

  it('of any bytes get an answer of the protocol', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...rpcPaths), async (payload, path) => {
        expect(wrongIn(await sendHostile(path, { raw: payload }))).toEqual([]);
      }),
      { numRuns: numRuns / 5 },
    );
  }, 600_000);

  it('leave a finished task as it was', async () => {
    const before = await rpc(service, 'tasks/get', { id: taskId });
    await fc.assert(
      fc.asyncProperty(message, fc.constantFrom('message/send', 'message/stream'), async (payload, method) => {
        const raw = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message: { ...payload, taskId } } });
        const { body } = await sendHostile('/', { raw });
        expect(body).toMatchObject({ error: { code: -32602 } });
      }),
      { numRuns: numRuns / 5 },
    );
    expect((await rpc(service, 'tasks/get', { id: taskId })).body).toEqual(before.body);
  }, 600_000);

  it('are rejected at no more cost than reading them', async () => {
    const many = '1,'.repeat(500_000);
    const raw = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"parts":[${many}1]}}}`;
    expect(wrongIn(await sendHostile('/', { raw }))).toEqual([]);
    const capabilities = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","role":"user","parts":[{"text":"x"}],"metadata":{"required_capabilities":[${many}1]}}}}`;
    const { status, body } = await sendHostile('/', { raw: capabilities });
    expect(wrongIn({ status, body })).toEqual([]);
    expect(JSON.stringify(body).length).toBeLessThan(1000);
  });
});
