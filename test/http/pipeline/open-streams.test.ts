// The streams that one credential may keep open: those of every kind count together, push channels of workers apart. choices-9.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { message } from '../../support/a2a/client.ts';
import { openStream } from '../../support/client/sse.ts';
import { until } from '../../support/until.ts';

const maxStreamsPerCredential = 3;
let service: TestService;
let taskId: string;
beforeAll(async () => {
  service = await openService({ config: { maxStreamsPerCredential } });
  taskId = (await service.task()).id;
});
afterAll(() => service[Symbol.asyncDispose]());

interface StreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

const events = { accept: 'text/event-stream' };
const v10 = { 'a2a-version': '1.0', ...events };
const rpc = (method: string, params: unknown): unknown => ({ jsonrpc: '2.0', id: 1, method, params });
const newMessage = (): unknown => ({ messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'x' }] });
/** Each kind of stream there is. */
const kinds: [string, () => StreamRequest][] = [
  ['a task’s events', () => ({ method: 'GET', path: `/v1/agent/tasks/${taskId}/events`, headers: events })],
  [
    'a task’s events behind the last',
    () => ({ method: 'GET', path: `/v1/agent/tasks/${taskId}/events?after=1`, headers: events }),
  ],
  ['the monitor stream', () => ({ method: 'GET', path: '/v1/monitor/stream', headers: events })],
  [
    'message/stream',
    () => ({ method: 'POST', path: '/a2a/jsonrpc', body: rpc('message/stream', { message: message() }) }),
  ],
  [
    'tasks/resubscribe',
    () => ({ method: 'POST', path: '/a2a/jsonrpc', body: rpc('tasks/resubscribe', { id: taskId }) }),
  ],
  [
    'SubscribeToTask',
    () => ({ method: 'POST', path: '/a2a/jsonrpc', headers: v10, body: rpc('SubscribeToTask', { id: taskId }) }),
  ],
  [
    'message:stream of v1.0’s REST',
    () => ({ method: 'POST', path: '/a2a/rest/message:stream', headers: v10, body: { message: newMessage() } }),
  ],
  [
    'tasks/{id}:subscribe of v1.0’s REST',
    () => ({ method: 'GET', path: `/a2a/rest/tasks/${taskId}:subscribe`, headers: v10 }),
  ],
  [
    'message:stream of v0.3’s REST',
    () => ({
      method: 'POST',
      path: '/a2a/rest/v1/message:stream',
      headers: events,
      body: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', content: [{ text: 'x' }] } },
    }),
  ],
];

async function openKind(request: StreamRequest, as: 'editor' | 'editor2', signal: AbortSignal): Promise<Response> {
  const { method, path, headers = {}, body } = request;
  return fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.token(as)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  });
}

async function taskCount(): Promise<number> {
  const { body } = await service.call('GET', '/v1/agent/tasks?limit=200', { as: 'viewer' });
  return body.tasks.length;
}

/** Opens as many streams as there may be, once those of the test before have gone. */
async function fill(as: 'editor' | 'editor2', signal: AbortSignal, request: () => StreamRequest): Promise<void> {
  for (let i = 0; i < maxStreamsPerCredential; i += 1) {
    await until('room for a stream', async () => (await openKind(request(), as, signal)).status === 200);
  }
}

describe('streams of one credential', () => {
  it.each(kinds)(
    'above the limit are 429 with Retry-After for %s, before any change; others are served [choices-9.13]',
    async (_, request) => {
      const gone = new AbortController();
      try {
        await fill('editor', gone.signal, () => ({ method: 'GET', path: '/v1/monitor/stream', headers: events }));
        const there = await taskCount();
        const refused = await openKind(request(), 'editor', gone.signal);
        expect(refused.status).toBe(429);
        expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        expect(refused.headers.get('retry-after')).toBe('5');
        expect(await refused.json()).toMatchObject({ status: 429, code: 'too_many_streams' });
        expect(await taskCount()).toBe(there);
        expect((await openKind(request(), 'editor2', gone.signal)).status).toBe(200);
        expect((await service.call('GET', '/v1/agent/tasks', { as: 'editor' })).status).toBe(200);
      } finally {
        gone.abort();
      }
    },
  );

  it.each(kinds)('count %s among them [choices-9.13]', async (_, request) => {
    const gone = new AbortController();
    try {
      await fill('editor', gone.signal, request);
      const refused = await openKind(
        { method: 'GET', path: '/v1/monitor/stream', headers: events },
        'editor',
        gone.signal,
      );
      expect(refused.status).toBe(429);
    } finally {
      gone.abort();
    }
  });
});

describe('push channels', () => {
  it('are one per worker, for any number of workers: a second one of the same worker closes the first [choices-9.14]', async () => {
    const workers = await Promise.all(
      Array.from({ length: maxStreamsPerCredential + 2 }, (_, i) => service.worker({ name: `worker ${i}` })),
    );
    const channels = await Promise.all(
      workers.map(({ id }) => openStream(service, `/v1/worker/tasks/stream?worker_id=${id}`, { as: 'agent' })),
    );
    const [first] = channels;
    const [{ id } = { id: '' }] = workers;
    const second = await openStream(service, `/v1/worker/tasks/stream?worker_id=${id}`, { as: 'agent' });
    await first?.ended;
    expect((await second.take('connected')).data).toMatchObject({ worker_id: id });
    await Promise.all([...channels, second].map((channel) => channel.close()));
  });
});
