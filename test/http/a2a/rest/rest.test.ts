// The REST binding: its three versions by path and header, its error bodies, its streams.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply } from '../../../support/service.ts';
import { protoFaults } from '../../../support/a2a/proto-schema.ts';
import { claimed, faults, message } from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const v10 = { 'a2a-version': '1.0' };
const v10Message = (fields = {}) => ({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'do it' }], ...fields });

function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiReply> {
  return service.call(method, path, { as: 'editor', headers, ...(body === undefined ? {} : { body }) });
}

async function made(): Promise<string> {
  return (await call('POST', '/a2a/rest/message:send', { message: message() })).body.id;
}

interface Frame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

function framesOf(reply: ApiReply): Frame[] {
  const frames: Frame[] = [];
  const parser = createParser({ onEvent: ({ id, event, data }) => frames.push({ id, event, data: JSON.parse(data) }) });
  parser.feed(reply.body);
  return frames;
}

describe('v0.3 without a version', () => {
  it('accepts {message: {role, parts}} and answers a task [core-1.9, core-4.3.1, choices-6.14]', async () => {
    const body = { message: { role: 'user', parts: [{ text: 'do it' }] } };
    const sent = await call('POST', '/a2a/rest/message:send', body);
    expect(sent.status).toBe(200);
    expect(faults('Task', sent.body)).toEqual([]);
    expect(sent.body).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
    // [core-4.3.3]
    const got = await call('GET', `/a2a/rest/tasks/${sent.body.id}?historyLength=1`);
    expect(got.body).toMatchObject({ id: sent.body.id, history: [{ role: 'user' }] });
    // [core-4.3.4]
    const cancelled = await service.call('POST', `/a2a/rest/tasks/${sent.body.id}:cancel`, { as: 'editor' });
    expect([cancelled.status, cancelled.body.status.state]).toEqual([200, 'canceled']);
  });

  it('accepts the legacy form without a role, and the form of the proto file', async () => {
    for (const acceptHeader of [
      { parts: [{ type: 'text', content: 'do it' }] },
      { role: 'ROLE_USER', content: [{ text: 'do it' }], message_id: 'm' },
    ]) {
      const { body } = await call('POST', '/a2a/rest/message:send', { message: acceptHeader });
      expect(body).toMatchObject({ kind: 'task', history: [{ parts: [{ kind: 'text', text: 'do it' }] }] });
    }
  });

  it('is strict with a caller that names the version', async () => {
    const body = { message: { role: 'user', parts: [{ text: 'do it' }] } };
    const { status, body: refused } = await call('POST', '/a2a/rest/message:send', body, { 'a2a-version': '0.3' });
    expect([status, refused.code]).toEqual([400, -32602]);
  });

  it('streams with event ids that resume the stream [core-4.3.2, core-6.2.3]', async () => {
    const worker = await service.worker();
    const id = await made();
    const held = await claimed(worker, id);
    await worker.report(held, [{ type: 'artifact', n: 1, name: 'a', text: 'one' }]);
    await worker.release(held, { status: 'completed', result: 'done' });
    const reply = await call('POST', `/a2a/rest/tasks/${id}:subscribe`, undefined, { 'last-event-id': '0' });
    const all = framesOf(reply);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(all.map(({ data }) => data.kind)).toEqual([
      'status-update',
      'status-update',
      'artifact-update',
      'status-update',
    ]);
    expect(all.at(-1)?.data).toMatchObject({ final: true, status: { state: 'completed' } });
    for (const [i, { id: seen }] of all.entries()) {
      const rest = await call('GET', `/a2a/rest/tasks/${id}:subscribe`, undefined, { 'last-event-id': seen ?? '' });
      if (i < all.length - 1) expect(framesOf(rest)).toEqual(all.slice(i + 1));
    }
  });
});

describe('v0.3 in proto JSON', () => {
  const base = '/a2a/rest/v1';

  it('accepts and answers the forms of its proto file [choices-6.15]', async () => {
    const body = { message: { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'do it' }] } };
    const sent = await call('POST', `${base}/message:send`, body);
    expect(protoFaults('0.3', 'SendMessageResponse', sent.body)).toEqual([]);
    const { id } = sent.body.task;
    expect(protoFaults('0.3', 'Task', (await call('GET', `${base}/tasks/${id}`)).body)).toEqual([]);
    const cancelled = await call('POST', `${base}/tasks/${id}:cancel`);
    expect(cancelled.body.status.state).toBe('TASK_STATE_CANCELLED');
    const frames = framesOf(await call('GET', `${base}/tasks/${id}:subscribe`));
    for (const { data } of frames) expect(protoFaults('0.3', 'StreamResponse', data)).toEqual([]);
    expect(frames.map(({ data }) => Object.keys(data)[0])).toEqual(['task', 'statusUpdate']);
  });

  it('finds the id of a push config inside it, beside it, in the query, or in its resource name', async () => {
    const configs = `${base}/tasks/${await made()}/pushNotificationConfigs`;
    const url = 'https://example.com/push';
    for (const [body, query, id] of [
      [{ config: { push_notification_config: { id: 'a', url } }, config_id: 'z' }, '', 'a'],
      [{ config: { pushNotificationConfig: { url } }, configId: 'b' }, '', 'b'],
      [{ push_notification_config: { url } }, '?config_id=c', 'c'],
      [{ name: 'tasks/x/pushNotificationConfigs/d', pushNotificationConfig: { url } }, '', 'd'],
      [{ config: { name: 'tasks/x/pushNotificationConfigs/e', pushNotificationConfig: { url } } }, '', 'e'],
      [{ url }, '?configId=f', 'f'],
      [{ url }, '', 'default'],
    ] as const) {
      const { body: set } = await call('POST', `${configs}${query}`, body);
      expect(protoFaults('0.3', 'TaskPushNotificationConfig', set)).toEqual([]);
      expect(set.pushNotificationConfig).toEqual({ id, url });
    }
  });

  it('requires messageId and role, and rejects any other version', async () => {
    for (const acceptHeader of [{ role: 'ROLE_USER' }, { messageId: 'm' }]) {
      const refused = await call('POST', `${base}/message:send`, {
        message: { ...acceptHeader, content: [{ text: 'x' }] },
      });
      expect([refused.status, refused.body.code]).toEqual([400, -32602]);
    }
    const newer = await call('GET', `${base}/tasks`, undefined, v10);
    expect(newer).toMatchObject({ status: 400, body: { error: { details: [{ reason: 'VERSION_NOT_SUPPORTED' }] } } });
  });
});

describe('v1.0', () => {
  it('accepts and answers its own forms, by header or query [choices-6.19]', async () => {
    const body = { message: v10Message(), configuration: { returnImmediately: true } };
    const sent = await call('POST', '/a2a/rest/message:send', body, v10);
    expect(protoFaults('1.0', 'SendMessageResponse', sent.body)).toEqual([]);
    const { id } = sent.body.task;
    const got = await call('GET', `/a2a/rest/tasks/${id}?A2A-Version=1.0`);
    expect(protoFaults('1.0', 'Task', got.body)).toEqual([]);
    const list = await call(
      'GET',
      '/a2a/rest/tasks?pageSize=2&includeArtifacts=true&status=TASK_STATE_SUBMITTED',
      undefined,
      v10,
    );
    expect(protoFaults('1.0', 'ListTasksResponse', list.body)).toEqual([]);
    expect(list.body).toMatchObject({ pageSize: 2, nextPageToken: expect.any(String) });
  });

  it('ignores a tenant that a caller names, has no paths with a tenant, and names none in the card', async () => {
    const query = await call('GET', '/a2a/rest/tasks?tenant=other', undefined, v10);
    expect([query.status, query.body.tasks.length > 0]).toEqual([200, true]);
    expect((await call('GET', '/a2a/rest/other/tasks', undefined, v10)).status).toBe(404);
    const card = await call('GET', '/.well-known/agent-card.json', undefined, v10);
    const interfaces: { tenant?: string }[] = card.body.supportedInterfaces;
    expect(interfaces.map(({ tenant }) => tenant)).toEqual(interfaces.map(() => undefined));
  });

  it('answers as application/a2a+json to a client that accepts it, and accepts it too', async () => {
    const accept = await call('GET', '/a2a/rest/tasks', undefined, { ...v10, accept: 'application/a2a+json' });
    expect(accept.headers.get('content-type')).toContain('application/a2a+json');
    const refused = await call('GET', '/a2a/rest/tasks/x', undefined, { ...v10, accept: 'application/a2a+json' });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([404, accept.headers.get('content-type')]);
    const plain = await call('GET', '/a2a/rest/tasks', undefined, v10);
    expect(plain.headers.get('content-type')).toContain('application/json');
    const headers = { ...v10, 'content-type': 'application/a2a+json' };
    const body = { message: v10Message(), configuration: { returnImmediately: true } };
    expect((await call('POST', '/a2a/rest/message:send', body, headers)).status).toBe(200);
  });

  it('waits for the outcome by default, and reports a question [choices-6.18]', async () => {
    const worker = await service.worker();
    const waiting = call('POST', '/a2a/rest/message:send', { message: v10Message({ contextId: 'waits' }) }, v10);
    let held = await worker.claim(1);
    while (held.every(({ task }) => task.conversation_id !== 'waits')) held = await worker.claim(1);
    const [assignment] = held;
    if (assignment === undefined) throw new Error('nothing claimed');
    await worker.release(assignment, { status: 'needs_input', message: { text: 'which?' } });
    expect((await waiting).body.task.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' });
  });

  it('streams a task past its question to its end, beginning with a snapshot', async () => {
    const worker = await service.worker();
    const id = await made();
    await worker.release(await claimed(worker, id), { status: 'needs_input', message: { text: 'which?' } });
    const following = call('GET', `/a2a/rest/tasks/${id}:subscribe`, undefined, v10);
    await call('POST', '/a2a/rest/message:send', { message: message('this', { taskId: id }) });
    await worker.release(await claimed(worker, id), { status: 'completed' });
    const frames = framesOf(await following);
    for (const { data } of frames) expect(protoFaults('1.0', 'StreamResponse', data)).toEqual([]);
    expect(Object.keys(frames[0]?.data)).toEqual(['task']);
    expect(frames.at(-1)?.data.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('rejects a subscription to a finished task, unless it resumes after an event', async () => {
    const id = await made();
    await call('POST', `/a2a/rest/tasks/${id}:cancel`);
    const refused = await call('POST', `/a2a/rest/tasks/${id}:subscribe`, undefined, v10);
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ reason: 'UNSUPPORTED_OPERATION' }] } } });
    const resumed = await call('POST', `/a2a/rest/tasks/${id}:subscribe`, undefined, { ...v10, 'last-event-id': '1' });
    expect(framesOf(resumed).map(({ data }) => data.statusUpdate.status.state)).toEqual(['TASK_STATE_CANCELED']);
  });
});

describe('an error', () => {
  it('has the body of its version [choices-3.12]', async () => {
    const [older, newer] = [
      await call('GET', '/a2a/rest/tasks/nothing'),
      await call('GET', '/a2a/rest/tasks/nothing', undefined, v10),
    ];
    expect([older.status, newer.status]).toEqual([404, 404]);
    expect(older.body).toEqual({ code: -32001, message: expect.any(String) });
    expect(newer.body).toEqual({
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: expect.any(String),
        details: [
          { '@type': expect.stringContaining('ErrorInfo'), reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
        ],
      },
    });
  });

  it('of an unknown path or an unsupported method has the body of its version too [choices-3.12]', async () => {
    for (const [method, path] of [
      ['GET', '/a2a/rest'],
      ['GET', '/a2a/rest/nothing'],
      ['GET', '/a2a/rest/v1/nothing'],
      ['POST', '/a2a/rest/tasks/x:explode'],
      ['DELETE', '/a2a/rest/tasks'],
    ] as const) {
      const older = await call(method, path);
      expect([path, older.status, older.body.code]).toEqual([path, 404, -32601]);
      const newer = await call(method, path, undefined, v10);
      expect([path, newer.status, newer.body.error?.details]).toEqual([
        path,
        404,
        [expect.objectContaining({ reason: 'METHOD_NOT_FOUND' })],
      ]);
      expect((await service.call(method, path, { token: null })).body.code).toBe('unauthenticated');
    }
  });

  it('of a task that can no longer be cancelled is 409 in v0.3 and 400 in v1.0', async () => {
    const id = await made();
    const path = `/a2a/rest/tasks/${id}:cancel`;
    await call('POST', path);
    expect(await call('POST', path)).toMatchObject({ status: 409, body: { code: -32002 } });
    expect(await call('POST', path, undefined, v10)).toMatchObject({ status: 400, body: { error: { code: 400 } } });
  });

  it('in the body names the invalid fields', async () => {
    const body = { message: v10Message({ parts: [{ text: 'x', url: 'y' }] }) };
    const { body: refused } = await call('POST', '/a2a/rest/message:send', body, v10);
    expect(refused.error.details[1].fieldViolations).toEqual([
      { field: '/params/message/parts/0', description: expect.stringContaining('exactly one') },
    ]);
  });

  it('of invalid JSON is -32700; an unsupported version is rejected in the header and in the query', async () => {
    const raw = await service.call('POST', '/a2a/rest/message:send', { as: 'editor', raw: '{' });
    expect([raw.status, raw.body.code]).toEqual([400, -32700]);
    for (const [path, headers] of [
      ['/a2a/rest/tasks', { 'a2a-version': '3.0' }],
      ['/a2a/rest/tasks?A2A-Version=3.0', {}],
    ] as const) {
      const { status, body } = await call('GET', path, undefined, headers);
      expect([status, body.error.details[0].reason]).toEqual([400, 'VERSION_NOT_SUPPORTED']);
    }
  });

  it('of an HTTP kind has the problem body', async () => {
    expect(await service.call('GET', '/a2a/rest/tasks', { token: null })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    expect(await service.call('POST', '/a2a/rest/message:send', { as: 'viewer', body: {} })).toMatchObject({
      status: 403,
      body: { code: 'permission_missing' },
    });
    const headers = { 'content-type': 'text/plain' };
    expect(await service.call('POST', '/a2a/rest/message:send', { raw: 'x', headers })).toMatchObject({
      status: 415,
      body: { code: 'not_json' },
    });
  });
});

describe('requests', () => {
  it('may have a trailing slash [choices-6.13]', async () => {
    const id = await made();
    for (const path of [`/a2a/rest/tasks/${id}/`, '/a2a/rest/tasks/', '/a2a/rest/v1/tasks/']) {
      expect((await call('GET', path)).status).toBe(200);
    }
    const sent = await call('POST', '/a2a/rest/message:send/', { message: message() });
    expect(sent.status).toBe(200);
  });

  it('a HEAD of a stream ends at once: its connection answers the next call', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head = (line: string, more: string) =>
      `${line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.token('editor')}\r\n${more}\r\n`;
    const subscribe = head(`HEAD /a2a/rest/tasks/${await made()}:subscribe`, '');
    socket.write(subscribe + head('GET /a2a/rest/tasks', 'connection: close\r\n'));
    const [first = '', second = ''] = (await text(socket)).split(/(?=HTTP\/1\.1 )/);
    expect(first).toMatch(/^HTTP\/1\.1 200[^]*text\/event-stream/);
    expect(second).toMatch(/^HTTP\/1\.1 200[^]*"tasks"/);
  });

  it('a repeated send with its idempotency key answers the same task', async () => {
    const body = { message: message() };
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [
      await call('POST', '/a2a/rest/message:send', body, headers),
      await call('POST', '/a2a/rest/message:send', body, headers),
    ];
    expect(again.body.id).toBe(first.body.id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await call('POST', '/a2a/rest/message:send', { message: message('other') }, headers);
    expect([other.status, other.body.code]).toEqual([400, -32602]);
  });

  it('output modes reach the worker, or are rejected when none is available', async () => {
    const worker = await service.worker();
    const configuration = { acceptedOutputModes: ['text/plain', 'image/png'] };
    const { body } = await call('POST', '/a2a/rest/message:send', { message: message(), configuration });
    const held = await claimed(worker, body.id);
    expect(held.task.metadata).toMatchObject({ accepted_output_modes: ['text/plain', 'image/png'] });
    const none = { message: message(), configuration: { acceptedOutputModes: ['video/mp4'] } };
    expect(await call('POST', '/a2a/rest/message:send', none)).toMatchObject({ status: 400, body: { code: -32005 } });
  });
});
