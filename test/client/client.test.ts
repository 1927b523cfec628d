// The typed client against a service: answers, refusals, streams, deadlines.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Schemas } from '../../src/client/client.ts';
import { openService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const client = () => createClient({ url: `${service.url}/`, token: service.token('editor') });
const body = { title: 't', prompt: 'p', codebase_id: 'global' };

describe('the typed client', () => {
  it('makes a task once under one key, and reads it', async () => {
    const header = { 'Idempotency-Key': 'the same' };
    const one = await client().POST('/v1/agent/tasks', { params: { header }, body });
    const two = await client().POST('/v1/agent/tasks', { params: { header }, body });
    const task: Schemas['Task'] | undefined = one.data?.task;
    expect(task?.status).toBe('pending');
    expect(two.data?.task.id).toBe(task?.id);
    expect(two.response.headers.get('idempotency-replayed')).toBe('true');
    const read = await client().GET('/v1/agent/tasks/{id}', { params: { path: { id: task?.id ?? '' } } });
    expect(read.data?.task.title).toBe('t');
    const listed = await client().GET('/v1/agent/tasks', { params: { query: { status: 'pending', limit: 1 } } });
    expect(listed.data?.tasks).toHaveLength(1);
  });

  it('gives a refusal as the problem that it is', async () => {
    const missing = await client().GET('/v1/agent/tasks/{id}', { params: { path: { id: 'not / there' } } });
    expect(missing.data).toBeUndefined();
    const problem: Schemas['Problem'] | undefined = missing.error;
    expect(problem).toMatchObject({ status: 404, code: 'task_not_found' });
    const refused = await createClient({ url: service.url, token: 'wrong' }).GET('/v1/auth/me');
    expect(refused.error?.code).toBe('unauthenticated');
  });

  it('takes no call that the document has not', () => {
    const calls = () => [
      // @ts-expect-error There is no such path.
      client().GET('/v1/agent/nothing'),
      // @ts-expect-error The title is missing.
      client().POST('/v1/agent/tasks', { body: { prompt: 'p' } }),
      // @ts-expect-error There is no such state.
      client().GET('/v1/agent/tasks', { params: { query: { status: 'done' } } }),
    ];
    expect(calls).toBeTypeOf('function');
  });
});

describe('a call of the typed client', () => {
  it('ends when its time is over, and goes nowhere but to its address', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url ?? '');
      if (request.url === '/v1/auth/me') response.writeHead(302, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    using stop = new DisposableStack();
    stop.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const there = { url: `http://127.0.0.1:${port}`, token: 't' };
    const hasty = createClient({ ...there, timeoutMs: 50 });
    const status = async (headers?: Record<string, string>): Promise<unknown> =>
      hasty.GET('/v1/auth/status', headers === undefined ? {} : { headers });
    await expect(status()).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(status({ accept: 'text/event-stream' })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect((await createClient(there).GET('/v1/auth/me')).response.status).toBe(302);
    expect(seen).not.toContain('/elsewhere');
  });
});
