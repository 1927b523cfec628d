// Refusals for missing permission and for wrong requests: HTTP statuses for what HTTP defines, the protocol's codes for all else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles, permissionsOf } from '../../../../src/domain/model/access/permission.ts';
import { openService, type TestService } from '../../../support/service.ts';
import { rpcPaths, faults, message, openRpcStream, rpc, sent } from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('without a valid credential', () => {
  it.each(rpcPaths)(
    '%s answers 401 with the problem body, whatever the body holds [choices-3.5, choices-6.1]',
    async (path) => {
      for (const token of [null, 'wrong']) {
        const reply = await rpc(service, 'tasks/list', {}, { path, token, raw: '{"not json' });
        expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated', request_id: expect.any(String) } });
        expect(reply.headers.get('www-authenticate')).toContain('Bearer');
        expect(reply.headers.get('content-type')).toContain('application/problem+json');
      }
    },
  );
});

describe('the methods', () => {
  it('name their permission, a2a:read or a2a:write, each once [choices-4.31, choices-4.40]', () => {
    const { rpcOperations } = service.instance;
    expect(new Set(rpcOperations.map(({ method }) => method)).size).toBe(rpcOperations.length);
    expect(Object.fromEntries(rpcOperations.map(({ method, permission }) => [method, permission]))).toEqual({
      SendMessage: 'a2a:write',
      SendStreamingMessage: 'a2a:write',
      GetTask: 'a2a:read',
      ListTasks: 'a2a:read',
      CancelTask: 'a2a:write',
      SubscribeToTask: 'a2a:read',
      CreateTaskPushNotificationConfig: 'a2a:write',
      GetTaskPushNotificationConfig: 'a2a:read',
      ListTaskPushNotificationConfigs: 'a2a:read',
      DeleteTaskPushNotificationConfig: 'a2a:write',
      GetExtendedAgentCard: 'any_credential',
      'message/send': 'a2a:write',
      'message/stream': 'a2a:write',
      'tasks/get': 'a2a:read',
      'tasks/list': 'a2a:read',
      'tasks/cancel': 'a2a:write',
      'tasks/resubscribe': 'a2a:read',
      'tasks/subscribe': 'a2a:read',
      'tasks/pushNotificationConfig/set': 'a2a:write',
      'tasks/pushNotificationConfig/get': 'a2a:read',
      'tasks/pushNotificationConfig/list': 'a2a:read',
      'tasks/pushNotificationConfig/delete': 'a2a:write',
      'agent/getAuthenticatedExtendedCard': 'any_credential',
    });
  });

  it.each(roles)(
    'are open to the role %s as the matrix says, else 403 as HTTP [choices-4.20, core-1.8.2]',
    async (role) => {
      const held = permissionsOf([role]);
      for (const { method, permission } of service.instance.rpcOperations) {
        const may = typeof permission !== 'string' || permission === 'any_credential' || held.has(permission);
        const { status, body } = await rpc(service, method, { id: 'nothing' }, { as: role });
        expect([method, status]).toEqual([method, may ? 200 : 403]);
        if (!may) expect(body).toMatchObject({ code: 'permission_missing', request_id: expect.any(String) });
      }
    },
  );

  it('answer for another tenant’s task as for a missing one: nothing changes, and its existence is not revealed', async () => {
    const task = await sent(service);
    const missing = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
    const before = (await rpc(service, 'tasks/get', { id: task.id })).body;
    const calls = (id: string): [string, unknown][] => [
      ['tasks/get', { id }],
      ['tasks/cancel', { id }],
      ['tasks/resubscribe', { id }],
      ['tasks/subscribe', { id }],
      ['message/send', { message: { ...message(), messageId: 'same', taskId: id } }],
      ['message/stream', { message: { ...message(), messageId: 'same', taskId: id } }],
    ];
    for (const as of ['other', 'otheradmin'] as const) {
      const foreign = calls(task.id);
      for (const [i, [method, params]] of calls(missing).entries()) {
        const [ofMissing, ofForeign] = [
          await rpc(service, method, params, { as }),
          await rpc(service, method, foreign[i]?.[1], { as }),
        ];
        expect([method, ofForeign.status, ofForeign.body]).toEqual([method, 200, ofMissing.body]);
        expect(ofForeign.body.error.code).toBe(-32001);
      }
      expect((await rpc(service, 'tasks/list', {}, { as })).body.result.tasks).toEqual([]);
      const named = await rpc(service, 'tasks/list', { contextId: task.contextId }, { as });
      expect(named.body.result).toMatchObject({ tasks: [], totalSize: 0 });
    }
    expect((await rpc(service, 'tasks/get', { id: task.id })).body).toEqual(before);
  });
});

describe('a body', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } };

  it.each([
    ['nothing', ''],
    ['no JSON', '{"jsonrpc":'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ])('with %s in it is -32700 with a null id', async (_what, raw) => {
    const { status, body } = await rpc(service, '', {}, { raw });
    expect([status, body.id, body.error.code]).toEqual([200, null, -32700]);
    expect(faults('JSONRPCErrorResponse', body)).toEqual([]);
  });

  it.each([
    [[call, call]],
    [[]],
    ['text'],
    [7],
    [null],
    [{}],
    [{ ...call, id: { a: 1 } }],
    [{ ...call, id: true }],
    [{ ...call, id: 1.5 }],
  ])('that is not a request and has no id, %j, is -32600 with a null id', async (input) => {
    const { status, body } = await rpc(service, '', {}, { raw: JSON.stringify(input) });
    expect([status, body.id, body.error.code]).toEqual([200, null, -32600]);
    expect(faults('JSONRPCErrorResponse', body)).toEqual([]);
  });

  it.each([
    [{ ...call, jsonrpc: '1.0' }],
    [{ ...call, jsonrpc: undefined }],
    [{ ...call, method: undefined }],
    [{ ...call, method: 7 }],
    [{ ...call, method: '' }],
    [{ ...call, method: 7, id: 'seven' }],
    [{ ...call, method: 7, id: 0 }],
  ])('that is not a request but has an id, %j, is -32600 with that id', async (input) => {
    const { status, body } = await rpc(service, '', {}, { raw: JSON.stringify(input) });
    expect([status, body.id, body.error.code]).toEqual([200, input.id, -32600]);
    expect(faults('JSONRPCErrorResponse', body)).toEqual([]);
  });

  it('that is not a request is rejected in the form of the version that the call names', async () => {
    for (const [raw, reason] of [
      ['{', 'PARSE_ERROR'],
      ['[]', 'INVALID_REQUEST'],
    ] as const) {
      const { body } = await rpc(service, '', {}, { raw, headers: { 'a2a-version': '1.0' } });
      expect(body.error.data).toEqual([expect.objectContaining({ reason, domain: 'a2a-protocol.org' })]);
      for (const version of ['0.3', '7.0']) {
        const older = await rpc(service, '', {}, { raw, headers: { 'a2a-version': version } });
        expect(older.body.error).not.toHaveProperty('data');
      }
    }
  });

  it('with another media type than JSON is 415, as HTTP [choices-3.5]', async () => {
    const reply = await rpc(
      service,
      '',
      {},
      { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    );
    expect(reply).toMatchObject({ status: 415, body: { code: 'not_json' } });
  });
});

describe('a call without an id', () => {
  const faulty: Record<string, unknown> = { id: 7, taskId: 7, message: { role: 'user', parts: [] }, pageSize: 'many' };
  const withoutId = (
    method: unknown,
    params: unknown,
    fields: Record<string, unknown> = {},
    as: 'editor' | 'viewer' = 'editor',
  ) => rpc(service, '', {}, { raw: JSON.stringify({ jsonrpc: '2.0', method, params, ...fields }), as });
  const codeOf = async (...callParams: Parameters<typeof withoutId>): Promise<unknown> => {
    const { status, body } = await withoutId(...callParams);
    expect([status, body.id, body.result]).toEqual([200, null, undefined]);
    return body.error.code;
  };

  it.each([{}, { id: null }])('gets the most precise error, with %j [choices-6.21]', async (fields) => {
    expect(await codeOf('nothing/here', {}, fields)).toBe(-32601);
    expect(await codeOf('GetTask', {}, { ...fields, method: 7 })).toBe(-32600);
    const takesAnything = ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard'];
    for (const { method } of service.instance.rpcOperations) {
      expect([method, await codeOf(method, 'text', fields)]).toEqual([method, -32602]);
      const code = takesAnything.includes(method) ? -32600 : -32602;
      expect([method, await codeOf(method, faulty, fields)]).toEqual([method, code]);
    }
    const twoContents = { parts: [{ text: 'a', url: 'http://a.example' }], role: 'ROLE_USER', messageId: 'm' };
    expect(await codeOf('SendMessage', { message: twoContents }, fields)).toBe(-32602);
  });

  it('is -32600 when it has no other error, and never executed [choices-6.21]', async () => {
    const task = await sent(service);
    const before = (await rpc(service, 'tasks/list', { contextId: task.contextId })).body.result;
    const url = 'https://hooks.example.org/a';
    const sends = { message: { ...message(), contextId: task.contextId } };
    const push = { taskId: task.id, pushNotificationConfig: { url } };
    for (const [method, params] of [
      ['message/send', sends],
      ['message/stream', sends],
      ['tasks/cancel', { id: task.id }],
      ['CancelTask', { id: task.id }],
      ['tasks/pushNotificationConfig/set', push],
      ['SendMessage', { message: { ...sends.message, kind: undefined, role: 'ROLE_USER', parts: [{ text: 'a' }] } }],
    ] as const) {
      expect([method, await codeOf(method, params)]).toEqual([method, -32600]);
    }
    expect((await rpc(service, 'tasks/list', { contextId: task.contextId })).body.result).toEqual(before);
    expect((await rpc(service, 'tasks/pushNotificationConfig/list', { id: task.id })).body.result).toEqual([]);
  });

  it('needs the permission of its method', async () => {
    expect(await withoutId('message/send', { message: message() }, {}, 'viewer')).toMatchObject({ status: 403 });
  });
});

describe('an unknown method', () => {
  it.each(['nothing/here', 'sendMessage', 'Get', '__proto__', 'constructor', 'tasks/GET'])(
    '%s is -32601, with the id of the call',
    async (method) => {
      const { status, body } = await rpc(service, method, { message: message() }, { id: 'mine' });
      expect([status, body.id, body.error.code]).toEqual([200, 'mine', -32601]);
    },
  );

  it('is -32009 in an unsupported version; 0.3 is supported in any spelling', async () => {
    for (const version of ['1.1', '0.2', '2', 'x']) {
      const reply = await rpc(service, 'tasks/list', {}, { headers: { 'a2a-version': version } });
      expect(reply.body.error).toMatchObject({ code: -32009, data: [{ reason: 'VERSION_NOT_SUPPORTED' }] });
    }
    for (const version of ['0.3', '0.3.0', '']) {
      const reply = await rpc(service, 'tasks/list', {}, { headers: { 'a2a-version': version } });
      expect(reply.body.result.tasks).toBeDefined();
    }
  });

  it('may name its version in the query instead of the header', async () => {
    const listTasks = (query: string, headers: Record<string, string> = {}) =>
      rpc(service, 'tasks/list', {}, { path: `/a2a/jsonrpc?${query}`, headers });
    expect((await listTasks('A2A-Version=0.3')).body.result.tasks).toBeDefined();
    expect((await listTasks('A2A-Version=1.0')).body.error.code).toBe(-32601);
    expect((await listTasks('A2A-Version=9.9')).body.error.code).toBe(-32009);
    expect((await listTasks('A2A-Version=9.9', { 'a2a-version': '0.3' })).body.result.tasks).toBeDefined();
  });
});

describe('invalid params', () => {
  const send = (fields: Record<string, unknown>) => ({ message: message('x', fields) });
  const file = (content: Record<string, unknown>) => send({ parts: [{ kind: 'file', file: content }] });
  const routed = (metadata: Record<string, unknown>) => send({ metadata });
  it.each<[string, string, unknown]>([
    ['no params', 'message/send', undefined],
    ['an array', 'message/send', []],
    ['a text', 'tasks/get', 'x'],
    ['no message', 'message/send', {}],
    ['no parts', 'message/send', send({ parts: undefined })],
    ['empty parts', 'message/send', send({ parts: [] })],
    ['parts that say nothing', 'message/send', send({ parts: [{ text: ' ' }] })],
    ['no role', 'message/send', send({ role: undefined })],
    ['an unknown role', 'message/send', send({ role: 'system' })],
    ['the agent’s role', 'message/send', send({ role: 'agent' })],
    ['no messageId', 'message/send', send({ messageId: undefined })],
    ['an empty messageId', 'message/send', send({ messageId: '' })],
    ['a part of no kind', 'message/send', send({ parts: [{}] })],
    ['a part of an unknown kind', 'message/send', send({ parts: [{ kind: 'sound', sound: 'x' }] })],
    ['a text that is a number', 'message/send', send({ parts: [{ kind: 'text', text: 7 }] })],
    ['data that is none', 'message/send', send({ parts: [{ kind: 'data' }] })],
    ['data that is a list', 'message/send', send({ parts: [{ kind: 'data', data: [] }] })],
    ['a file without content', 'message/send', file({ name: 'a' })],
    ['a file with two contents', 'message/send', file({ bytes: 'AA==', uri: 'https://example.com' })],
    ['a file that is not base64', 'message/send', file({ bytes: 'not base64!' })],
    ['too many parts', 'message/send', send({ parts: Array.from({ length: 1001 }, () => ({ text: 'x' })) })],
    ['a prompt that is too long', 'message/send', send({ parts: [{ text: 'x'.repeat(200_001) }] })],
    ['a negative historyLength', 'message/send', { ...send({}), configuration: { historyLength: -1 } }],
    ['a blocking that is a text', 'message/send', { ...send({}), configuration: { blocking: 'yes' } }],
    ['a configuration that is a list', 'message/send', { ...send({}), configuration: [] }],
    ['metadata that is a list', 'message/send', { ...send({}), metadata: [] }],
    ['a NUL character', 'message/send', send({ parts: [{ text: 'a\0b' }] })],
    ['half a surrogate pair', 'message/send', send({ parts: [{ text: 'a\ud800' }] })],
    ['a priority beyond 100', 'message/send', routed({ priority: 101 })],
    ['a priority that is a text', 'message/send', routed({ priority: 'high' })],
    ['a webhook that is no address', 'message/send', routed({ webhook_url: 'here' })],
    ['a deadline that is no time', 'message/send', routed({ deadline_at: 'soon' })],
    ['capabilities that are a text', 'message/send', routed({ required_capabilities: 'deploy' })],
    ['a worker that is no id', 'message/send', routed({ target_worker_id: 'x' })],
    ['a codebase that is not there', 'message/send', routed({ codebase_id: '01a1fe54-4a4a-7000-89aa-ee8f27cb4186' })],
    ['a codebase that is kept', 'message/send', routed({ codebase_id: '__pending__' })],
    [
      'a worker that is not there',
      'message/send',
      routed({ target_worker_id: '01a1fe54-4a4a-7000-89aa-ee8f27cb4186' }),
    ],
    ['metadata beyond 16 KiB', 'message/send', { ...send({}), metadata: { x: 'y'.repeat(17_000) } }],
    ['the same on a stream', 'message/stream', send({ parts: [] })],
    ['no id', 'tasks/get', {}],
    ['an id that is a number', 'tasks/cancel', { id: 7 }],
    ['an id that is a list', 'tasks/resubscribe', { id: [] }],
    ['a historyLength that is no number', 'tasks/get', { id: 'x', historyLength: '1' }],
  ])('%s (%s) are -32602, and create nothing', async (_what, method, params) => {
    const { status, body } = await rpc(service, method, params, { as: 'otheradmin', id: 'mine' });
    expect([status, body.id, body.error?.code]).toEqual([200, 'mine', -32602]);
    expect(faults('JSONRPCErrorResponse', body)).toEqual([]);
    expect((await rpc(service, 'tasks/list', {}, { as: 'otheradmin' })).body.result.totalSize).toBe(0);
  });

  it.each<[string, unknown, string, string]>([
    ['a wrong role', send({ role: 'system' }), '/params/message/role', 'must be "user"'],
    ['an unknown kind', send({ parts: [{ kind: 'sound' }] }), '/params/message/parts/0/kind', 'is not a known value'],
  ])('%s is reported with its path and what would be valid', async (_what, params, path, detail) => {
    const { body } = await rpc(service, 'message/send', params);
    expect(body.error.data.errors).toEqual([{ path, message: detail }]);
  });

  it.each<[string, (config: object) => object, string]>([
    [
      'message/send',
      (pushNotificationConfig) => ({ message: message(), configuration: { pushNotificationConfig } }),
      '/params/configuration/pushNotificationConfig/url',
    ],
    [
      'SendMessage',
      (config) => ({
        message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] },
        configuration: { taskPushNotificationConfig: config },
      }),
      '/params/configuration/taskPushNotificationConfig/url',
    ],
    [
      'tasks/pushNotificationConfig/set',
      (pushNotificationConfig) => ({ taskId: 't', pushNotificationConfig }),
      '/params/pushNotificationConfig/url',
    ],
    ['CreateTaskPushNotificationConfig', (config) => ({ taskId: 't', ...config }), '/params/url'],
  ])('with an address that %s rejects are reported with their path', async (method, paramsOf, path) => {
    const { id } = await sent(service);
    const params = paramsOf({ url: 'ftp://example.com/' });
    const { error } = (await rpc(service, method, { ...params, ...('taskId' in params ? { taskId: id } : {}) })).body;
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`: ${path} must`) });
    expect(JSON.stringify(error.data)).toContain(`"${path}"`);
  });

  it.each([
    [{ metadata: { webhook_url: 'ftp://example.com/' } }, {}, '/params/message/metadata/webhook_url must'],
    [{}, { metadata: { note: 'x'.repeat(20_000) } }, '/params/metadata may'],
  ])('of the routing are reported with their path: %#', async (fields, params, path) => {
    const { body } = await rpc(service, 'message/send', { message: message('go', fields), ...params });
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining(path) });
  });

  it('nested too deeply are rejected, with their path', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const raw = `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x","metadata":{"a":${deep}}}}`;
    expect((await rpc(service, '', {}, { raw })).body.error.code).toBe(-32602);
  });
});

/** Lets nobody but the test into a service's database, and throws out who is in it. */
async function shut(alone: TestService): Promise<void> {
  const { database, user } = alone.db.superuser;
  await alone.db.query(`alter database ${database} connection limit 0`);
  await alone.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename <> $1`,
    [user],
  );
}

describe('a database that cannot be reached', () => {
  it('is 503 with Retry-After, as HTTP, and calls succeed when it is back [choices-3.5]', async () => {
    await using alone = await openService();
    const task = await sent(alone);
    await shut(alone);
    for (const [method, params] of [
      ['tasks/get', { id: task.id }],
      ['tasks/list', {}],
      ['tasks/cancel', { id: task.id }],
      ['tasks/resubscribe', { id: task.id }],
      ['message/send', { message: message() }],
      ['message/stream', { message: message() }],
    ] as const) {
      const reply = await rpc(alone, method, params);
      expect([method, reply.status, reply.body.code]).toEqual([method, 503, 'store_unavailable']);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await alone.db.query(`alter database ${alone.db.superuser.database} connection limit -1`);
    expect((await rpc(alone, 'tasks/get', { id: task.id })).body.result.status.state).toBe('submitted');
  });
});

describe('an internal error', () => {
  it('is -32603 with a neutral message that names only the request id', async () => {
    await using alone = await openService();
    const task = await sent(alone);
    await alone.db.query('alter table task_messages rename to hidden_from_view');
    for (const method of ['tasks/get', 'tasks/resubscribe']) {
      const { status, headers, body } = await rpc(alone, method, { id: task.id }, { id: 'mine' });
      const message_ = `An internal error occurred. The log has the details under the request id ${headers.get('x-request-id')}.`;
      expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 'mine', error: { code: -32603, message: message_ } }]);
    }
    const list = await rpc(alone, 'tasks/list', { historyLength: 1 });
    expect(JSON.stringify(list.body)).not.toMatch(/task_messages|relation|select/);
    expect(list.body.error.code).toBe(-32603);
  });

  it('ends a stream that has begun with an error as its last frame; the stream can be resumed from the last id', async () => {
    await using alone = await openService();
    const task = await sent(alone);
    await using stream = await openRpcStream(alone, 'tasks/resubscribe', { id: task.id });
    const seen = await stream.next();
    await alone.db.query('revoke select on task_events from a2a_app');
    await rpc(alone, 'tasks/cancel', { id: task.id });
    const [last, ...more] = await stream.rest();
    expect([last?.id, last?.data.error.code, more]).toEqual([undefined, -32603, []]);
    expect(faults('JSONRPCErrorResponse', last?.data)).toEqual([]);
    expect(last?.data.error.message).not.toContain('task_events');
    await alone.db.query('grant select on task_events to a2a_app');
    const headers = { 'last-event-id': seen?.id ?? '' };
    await using again = await openRpcStream(alone, 'tasks/resubscribe', { id: task.id }, { headers });
    expect((await again.rest()).map(({ data }) => [data.result.status.state, data.result.final])).toEqual([
      ['canceled', true],
    ]);
  });
});
