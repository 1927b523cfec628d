// The mandatory and capability demands of the protocol's test kit, over JSON-RPC and REST. What is left out of them, and
// why, is in docs/A2A.md.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ManualWorker, type TestService, type ApiReply } from '../../support/service.ts';
import { checks, envelopes, sending, type Action, type Kit, type KitReply } from './tck-checks.ts';
import { claimed } from '../../support/a2a/client.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService({ config: { egressAllow: ['hooks.example.org'] } });
  worker = await service.worker({ slots: 10 });
});
afterAll(() => service[Symbol.asyncDispose]());

const headers = { 'a2a-version': '1.0' };

async function finish(taskId: string): Promise<void> {
  const artifacts = [{ name: 'notes', text: 'n' }];
  await worker.release(await claimed(worker, taskId), { status: 'completed', result: 'done', artifacts });
}

/** The first frame of a stream. */
function frameIn(text: string): ApiReply['body'] {
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
}

const rpc = (raw: string, options = {}): Promise<ApiReply> =>
  service.call('POST', '/a2a/jsonrpc', { as: 'editor', raw, headers, ...options });

async function overRpc(action: Action, params: Record<string, unknown>): Promise<KitReply> {
  const streams = action === 'SendStreamingMessage' || action === 'SubscribeToTask';
  const body = { jsonrpc: '2.0', id: 1, method: action, params };
  if (streams) return firstFrame('POST', '/a2a/jsonrpc', body);
  const { result, error } = (await rpc(JSON.stringify(body))).body;
  return error === undefined ? { result } : { code: error.code };
}

const codes: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  UNSUPPORTED_OPERATION: -32004,
  INVALID_PARAMS: -32602,
};

/** A stream is left once its first frame, or its refusal, has come. */
async function firstFrame(method: string, path: string, body?: unknown): Promise<KitReply> {
  const gone = new AbortController();
  const response = await fetch(`${service.url}${path}`, {
    method,
    signal: gone.signal,
    headers: { ...headers, authorization: `Bearer ${service.token('editor')}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (/^data: .*\n/m.test(text)) break;
  }
  gone.abort();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return replyIn(isStream ? frameIn(text) : JSON.parse(text));
}

function replyIn(body: ApiReply['body']): KitReply {
  if (body.jsonrpc !== undefined) return body.error === undefined ? { result: body.result } : { code: body.error.code };
  const reason = body.error?.details?.[0]?.reason;
  return reason === undefined ? { result: body } : { code: codes[reason] ?? 0 };
}

async function overRest(action: Action, actionParams: Record<string, unknown>): Promise<KitReply> {
  const { id, taskId, ...rest } = actionParams;
  const task = `/a2a/rest/tasks/${String(taskId ?? id)}`;
  const configs = `${task}/pushNotificationConfigs`;
  const queryParams = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
  const query = new URLSearchParams(queryParams).toString();
  const routes: Record<Action, readonly [method: string, path: string, body?: unknown]> = {
    SendMessage: ['POST', '/a2a/rest/message:send', actionParams],
    SendStreamingMessage: ['POST', '/a2a/rest/message:stream', actionParams],
    GetTask: ['GET', `${task}?${query}`],
    ListTasks: ['GET', `/a2a/rest/tasks?${query}`],
    CancelTask: ['POST', `${task}:cancel`, {}],
    SubscribeToTask: ['POST', `${task}:subscribe`, {}],
    CreateTaskPushNotificationConfig: ['POST', configs, { id, ...rest }],
    GetTaskPushNotificationConfig: ['GET', `${configs}/${String(id)}`],
    ListTaskPushNotificationConfigs: ['GET', configs],
    DeleteTaskPushNotificationConfig: ['DELETE', `${configs}/${String(id)}`],
    GetExtendedAgentCard: ['GET', '/a2a/rest/extendedAgentCard'],
  };
  const [method, path, body] = routes[action];
  if (path.endsWith(':stream') || path.endsWith(':subscribe')) return firstFrame(method, path, body);
  return replyIn(
    (await service.call(method, path, { as: 'editor', headers, ...(body === undefined ? {} : { body }) })).body,
  );
}

const transports: readonly { readonly name: string; readonly ask: Kit['call'] }[] = [
  { name: 'JSON-RPC', ask: overRpc },
  { name: 'REST', ask: overRest },
];

describe.each(transports)('over $name', ({ ask: send }) => {
  it.each(checks)('$demands (§$section)', async ({ run }) => {
    const [got, wanted] = await run({ call: send, finish });
    expect(got).toEqual(wanted);
  });
});

describe('an envelope of JSON-RPC', () => {
  it.each(envelopes)('%s (§9)', async (_demands, raw, code, id) => {
    const { status, body } = await rpc(raw);
    expect([status, body.jsonrpc, body.error.code, body.id]).toEqual([200, '2.0', code, id]);
  });

  it('may reuse the id of another: each is answered under it (§9)', async () => {
    for (const text of ['one', 'two']) {
      const params = sending({ parts: [{ text }] });
      const { body } = await rpc(JSON.stringify({ jsonrpc: '2.0', id: 'same', method: 'SendMessage', params }));
      expect([body.id, body.error]).toEqual(['same', undefined]);
    }
  });
});

describe('authentication (§7)', () => {
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} });

  it.each([null, 'wrong-token-of-nobody', ''])(
    'is asked for where the token is %j, by its challenge',
    async (token) => {
      for (const [method, path] of [
        ['POST', '/a2a/jsonrpc'],
        ['GET', '/a2a/rest/tasks'],
        ['GET', '/a2a/rest/extendedAgentCard'],
      ] as const) {
        const reply = await service.call(method, path, {
          token,
          headers,
          ...(method === 'POST' ? { raw: request } : {}),
        });
        expect([path, reply.status, reply.headers.get('www-authenticate')]).toEqual([
          path,
          401,
          expect.stringMatching(/^Bearer/),
        ]);
      }
    },
  );

  it('is declared in the card: each required scheme is described, with one kind', async () => {
    const { body: card } = await service.call('GET', '/.well-known/agent-card.json', { headers });
    for (const { schemes } of card.securityRequirements) {
      for (const name of Object.keys(schemes)) expect(Object.keys(card.securitySchemes[name])).toHaveLength(1);
    }
  });
});

describe('the card (§8)', () => {
  it('names an interface for each transport, and each answers', async () => {
    const { body: card } = await service.call('GET', '/.well-known/agent-card.json', { headers });
    const bindings = card.supportedInterfaces.map(
      ({ protocolBinding }: { protocolBinding: string }) => protocolBinding,
    );
    expect(new Set(bindings)).toEqual(new Set(['JSONRPC', 'HTTP+JSON']));
    expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true, extendedAgentCard: true });
    for (const member of ['name', 'description', 'version', 'defaultInputModes', 'defaultOutputModes', 'skills']) {
      expect([member, card[member] !== undefined]).toEqual([member, true]);
    }
    for (const { id, name, description, tags } of card.skills) {
      expect([typeof id, typeof name, typeof description, Array.isArray(tags)]).toEqual([
        'string',
        'string',
        'string',
        true,
      ]);
    }
  });
});
