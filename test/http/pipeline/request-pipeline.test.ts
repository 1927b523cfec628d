// The request pipeline over HTTP: authentication, the form of errors, forbidden bodies.
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountRest } from '../../../src/http/bindings/rest.ts';
import { createApp } from '../../../src/http/app.ts';
import { SchemaCompiler } from '../../../src/http/pipeline/schema.ts';
import { operation, type Operation } from '../../../src/http/pipeline/operation.ts';
import { generateToken } from '../../../src/domain/access/identity/configured-tokens.ts';
import { openTestPipeline } from '../../support/request-pipeline.ts';
import { z } from 'zod';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Sends bytes as they are and answers all that comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname, () => socket.end(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('authentication', () => {
  it('every operation rejects a call without a credential with the same problem [core-4.0.1, core-1.5, core-5.1, core-5.2, core-7.3, choices-3.6]', async () => {
    for (const { method, path } of service.instance.operations) {
      const reply = await service.call(method, path.replaceAll(/:\w+/g, 'x'), { token: null });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(reply.body).toMatchObject({ status: 401, code: 'unauthenticated', request_id: expect.any(String) });
    }
  });

  it('an unknown path is 401 without a credential and 404 with one', async () => {
    expect((await service.call('GET', '/v1/nothing', { token: null })).status).toBe(401);
    const known = await service.call('GET', '/v1/nothing');
    expect(known).toMatchObject({ status: 404, body: { code: 'no_such_route' } });
  });

  it.each([
    '/v1/agent/tasks/%zz',
    '/v1/automation/tasks/%ff',
    `/v1/agent/tasks/${'x'.repeat(600)}`,
    '/v1/%',
    '/%c0%af',
  ])('a path that cannot be decoded or is too long is answered as an unknown one: %s', async (path) => {
    expect((await service.call('GET', path, { token: null })).status).toBe(401);
    const known = await service.call('GET', path, { as: 'viewer' });
    expect(known.status).toBe(404);
    expect(known.body.code).toMatch(/^(task_not_found|no_such_route)$/);
    const { body } = await service.call('GET', '/v1/audit/events', { as: 'admin' });
    const noted = body.events.map(({ metadata }: { metadata: { request_id: string } }) => metadata.request_id);
    expect(noted).toContain(known.body.request_id);
    const isCounted = known.headers.get('x-ratelimit-limit') === '60';
    expect(isCounted).toBe(path.startsWith('/v1/automation/'));
  });

  it('only GET /health needs no credential, and it reveals only status and version [core-4.1.2, core-1.16, choices-1.60]', async () => {
    const reply = await service.call('GET', '/health', { token: null });
    expect(reply).toMatchObject({ status: 200, body: { status: 'ok', version: '1.2.0' } });
    expect(Object.keys(reply.body)).toEqual(['status', 'version']);
    expect((await service.call('GET', '/health?ready', { token: null })).status).toBe(200);
    expect((await service.call('POST', '/health', { token: null })).status).toBe(401);
  });

  it.each([
    [
      'two Authorization headers',
      'Authorization: Bearer token-of-the-admin\r\nAuthorization: Bearer token-of-the-admin\r\n',
      '',
    ],
    ['another scheme', 'Authorization: Basic token-of-the-admin\r\n', ''],
    ['no scheme', 'Authorization: token-of-the-admin\r\n', ''],
    ['an empty token', 'Authorization: Bearer \r\n', ''],
    ['a token in the query [choices-4.51]', '', '?access_token=token-of-the-admin&token=token-of-the-admin'],
    ['a token in a cookie', 'Cookie: token=token-of-the-admin\r\n', ''],
    ['two tokens in one header', 'Authorization: Bearer token-of-the-admin, Bearer token-of-the-admin\r\n', ''],
    ['the same header in two spellings', 'authorization: Bearer token-of-the-admin\r\nAUTHORIZATION: Bearer x\r\n', ''],
    [
      'a second header of another scheme',
      'Authorization: Bearer token-of-the-admin\r\nAuthorization: Basic eA==\r\n',
      '',
    ],
    ['a token after another scheme’s name', 'Authorization: DPoP token-of-the-admin\r\n', ''],
    ['a quoted token', 'Authorization: Bearer "token-of-the-admin"\r\n', ''],
    ['a token with more behind it', 'Authorization: Bearer token-of-the-admin extra\r\n', ''],
    ['a token without a blank before it', 'Authorization: Bearertoken-of-the-admin\r\n', ''],
    ['the header of a proxy', 'Proxy-Authorization: Bearer token-of-the-admin\r\n', ''],
    ['a header of another name', 'X-Api-Key: token-of-the-admin\r\nX-Auth-Token: token-of-the-admin\r\n', ''],
    ['a token as a password', `Authorization: Basic ${btoa('admin:token-of-the-admin')}\r\n`, ''],
    ['a whole header in the query', '', '?authorization=Bearer%20token-of-the-admin&bearer=token-of-the-admin'],
  ])('%s is rejected by every endpoint', async (_, headers, query) => {
    const lines = `HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}`;
    const endpoints = [
      `GET /v1/agent/tasks${query} ${lines}\r\n`,
      `POST /a2a/jsonrpc${query} ${lines}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      `GET /.well-known/agent-card.json${query} ${lines}\r\n`,
      `GET /v1/nothing${query} ${lines}\r\n`,
    ];
    for (const text of endpoints) expect(await raw(text)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('the name of the scheme is case-insensitive [core-5.2]', async () => {
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${service.token('viewer')}` };
      expect((await service.call('GET', '/v1/agent/tasks', { token: null, headers })).status).toBe(200);
    }
  });

  it('wrong tokens are limited by address, calls without a token are not [choices-4.41]', async () => {
    await using other = await openService();
    const codes = new Set<number>();
    for (let i = 0; i < 40; i += 1)
      codes.add((await other.call('GET', '/v1/agent/tasks', { token: `wrong-${i}` })).status);
    expect([...codes]).toEqual([401, 429]);
    const limited = await other.call('GET', '/v1/agent/tasks', { token: 'wrong' });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    for (let i = 0; i < 5; i += 1)
      expect((await other.call('GET', '/v1/agent/tasks', { token: null })).status).toBe(401);
  });

  it('the tenant comes from the credential and from nothing else [core-5.6.2]', async () => {
    const task = await service.task();
    const path = `/v1/agent/tasks/${task.id}`;
    const headers = { 'x-tenant': 'default', tenant_id: 'default', cookie: 'tenant_id=default' };
    expect((await service.call('GET', path, { as: 'other', headers })).status).toBe(404);
    expect((await service.call('GET', `${path}?tenant_id=default`, { as: 'other' })).status).toBe(400);
  });

  it('a generated token is an HMAC-SHA256 over host name and time, keyed by 32 random bytes [core-5.3.2, choices-4.4]', () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const token = generateToken('host', at, new Uint8Array(32).fill(7));
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(generateToken('host', at, new Uint8Array(32).fill(8))).not.toBe(token);
    expect(generateToken('other', at, new Uint8Array(32).fill(7))).not.toBe(token);
  });
});

describe('an error', () => {
  it('is a problem with a stable code, the request id of the header, and the invalid fields [choices-3.1, choices-3.2, choices-3.3, core-7.2]', async () => {
    const reply = await service.call('POST', '/v1/agent/tasks', { body: { title: '', priority: 101, colour: 'red' } });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      type: 'urn:switchyard:problem:invalid_request',
      title: 'Bad Request',
      status: 400,
      code: 'invalid_request',
      request_id: reply.headers.get('x-request-id'),
    });
    const paths = reply.body.errors.map((error: { path: string }) => error.path);
    expect(new Set(paths)).toEqual(new Set(['/title', '/priority', '/prompt', '/colour']));
  });

  it('with status 403 names the missing permission [core-7.4]', async () => {
    const reply = await service.call('POST', '/v1/agent/tasks', { as: 'viewer', body: { title: 'a', prompt: 'b' } });
    expect(reply).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
    expect(reply.body.detail).toContain('tasks:write');
  });

  it('with status 404 is the same for a missing, a malformed and a foreign id [core-7.5, choices-3.7]', async () => {
    const task = await service.task();
    const requestIdOf = async (id: string): Promise<unknown> => {
      const { status, body } = await service.call('GET', `/v1/agent/tasks/${id}`, { as: 'other' });
      return { status, ...body, request_id: '' };
    };
    const foreign = await requestIdOf(task.id);
    expect(foreign).toMatchObject({ status: 404, code: 'task_not_found' });
    expect(await requestIdOf('01a1fe3a-a67c-7000-bbb2-66e11402a1ff')).toEqual(foreign);
    expect(await requestIdOf('nonsense')).toEqual(foreign);
  });

  it('with status 409 is a conflict with the current state [choices-3.8]', async () => {
    const task = await service.task();
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    const again = await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    expect(again).toMatchObject({ status: 409, body: { code: 'task_finished' } });
  });

  it('with status 413 is a body of over 1 MiB, or 16 MiB where files are allowed [choices-3.9, choices-1.25, choices-1.26]', async () => {
    const big = { title: 'a', prompt: 'b', metadata: { x: 'y'.repeat(1024 * 1024) } };
    expect(await service.call('POST', '/v1/agent/tasks', { body: big })).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    const task = await service.task();
    const path = `/v1/worker/tasks/${task.id}/events`;
    const event = (size: number): unknown => ({
      lease_token: task.id,
      events: [{ type: 'artifact', n: 1, name: 'a', text: 'z'.repeat(size) }],
    });
    expect((await service.call('POST', path, { as: 'agent', body: event(4 * 1024 * 1024) })).body.code).toBe(
      'lease_lost',
    );
    expect((await service.call('POST', path, { as: 'agent', body: event(17 * 1024 * 1024) })).status).toBe(413);
  });

  it.each(['/v1/agent/tasks', '/a2a/jsonrpc', '/mcp/tools/call'])(
    'with status 413 at %s reaches a client that sends everything before it reads, and keeps the connection open',
    async (path) => {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname).setNoDelay();
      const reader = Readable.toWeb(socket).getReader();
      const size = 40 * 1024 * 1024;
      const head = `host: ${hostname}\r\nauthorization: Bearer ${service.token('editor')}\r\n`;
      const json = `content-type: application/json\r\ncontent-length: ${size}\r\n`;
      socket.write(`POST ${path} HTTP/1.1\r\n${head}${json}\r\n`);
      const piece = Buffer.alloc(1024 * 1024, 'x');
      for (let sent = 0; sent < size; sent += piece.length) {
        if (!socket.write(piece)) await once(socket, 'drain');
      }
      socket.write(`GET /health HTTP/1.1\r\n${head}\r\n`);
      let received = '';
      while (!received.includes('"status":"ok"')) {
        const { value, done } = await reader.read();
        if (done) break;
        received += Buffer.from(value).toString();
      }
      socket.destroy();
      expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*body_too_large[\s\S]*HTTP\/1\.1 200 /);
    },
  );

  it('is the answer to a small body with a million values, before it is parsed', async () => {
    const body = `{"title":"t","prompt":"p","metadata":{"x":[${'1,'.repeat(400_000)}1]}}`;
    expect(await service.call('POST', '/v1/agent/tasks', { raw: body })).toMatchObject({
      status: 413,
      body: { code: 'too_many_values' },
    });
    const rpc = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"x":[${'1,'.repeat(400_000)}1]}}`;
    expect((await service.call('POST', '/v1/a2a', { raw: rpc })).body.error.code).toBe(-32600);
  });

  it('with status 415 is a body that is not JSON, with 400 an invalid one [choices-3.10, core-4.0.2]', async () => {
    const post = (text: string, type: string): Promise<{ status: number; body: { code: string } }> =>
      service.call('POST', '/v1/agent/tasks', { raw: text, headers: { 'content-type': type } });
    expect(await post('{}', 'text/plain')).toMatchObject({ status: 415, body: { code: 'not_json' } });
    expect(await post('{"a":', 'application/json')).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    expect(await post('{"title":"\\u0000","prompt":"x"}', 'application/json')).toMatchObject({ status: 400 });
    expect(await post('{"title":"\\ud800","prompt":"x"}', 'application/json')).toMatchObject({ status: 400 });
    expect(await post(`{"metadata":${'['.repeat(80)}${']'.repeat(80)}}`, 'application/json')).toMatchObject({
      status: 400,
    });
  });

  it('with status 415 is an encoded body, at every endpoint', async () => {
    for (const path of ['/v1/agent/tasks', '/v1/a2a', '/mcp/v1/rpc', '/a2a/rest/v1/message:send']) {
      const reply = await service.call('POST', path, { raw: '{}', headers: { 'content-encoding': 'gzip' } });
      expect([path, reply.status, reply.body.code]).toEqual([path, 415, 'encoded_body']);
    }
  });

  it('with status 500 is a bug: it reveals only the request id, under which the log has the details [core-7.7]', async () => {
    const logged: unknown[] = [];
    const app = createApp({
      pipeline: openTestPipeline([
        { name: 'a', token: 't', role: 'admin', tenantId: 'default', credential: 'service_token' },
      ]),
      trustedProxies: [],
      maxBodyBytes: 1000,
      stopping: new AbortController().signal,
      log: (_line, details) => void logged.push(details),
    });
    mountRest(app, [failing()], {
      pipeline: openTestPipeline([
        { name: 'a', token: 't', role: 'admin', tenantId: 'default', credential: 'service_token' },
      ]),
      schemas: new SchemaCompiler(),
      maxBodyBytes: 1000,
      largeBodyBytes: 1000,
      log: () => {},
    });
    const id = '01890000-0000-7000-8000-000000000000';
    const url = `/tasks/${id}/fails?key=hidden`;
    const reply = await app.inject({ method: 'GET', url, headers: { authorization: 'Bearer t' } });
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('secret');
    const requestId = reply.headers['x-request-id'];
    expect(reply.json()).toMatchObject({ code: 'internal_error', request_id: requestId });
    const error = new Error('secret of the database');
    expect(logged).toEqual([{ request_id: requestId, operation: 'test.fails', task_id: id, error }]);
    await app.close();
  });

  it('an operation without a permission, or with a schema that cannot be published, prevents the start [choices-4.31]', () => {
    const mount = (row: Operation): void => {
      const pipeline = openTestPipeline([]);
      const app = createApp({
        pipeline,
        trustedProxies: [],
        maxBodyBytes: 1000,
        stopping: new AbortController().signal,
        log: () => {},
      });
      mountRest(app, [row], {
        pipeline,
        schemas: new SchemaCompiler(),
        maxBodyBytes: 1000,
        largeBodyBytes: 1000,
        log: () => {},
      });
    };
    expect(() => mount(JSON.parse(JSON.stringify({ ...failing(), permission: undefined })))).toThrow(/permission/);
    expect(() => mount({ ...failing(), body: z.date() })).toThrow(/Date/);
    expect(() => mount(failing())).not.toThrow();
  });

  it('every path is below /v1/, except those of the protocols and those that tools expect elsewhere [core-9.2]', () => {
    const elsewhere = service.instance.operations
      .map(({ path }) => path)
      .filter((path) => !/^\/(v1|\.well-known|a2a|mcp)\//.test(path));
    expect(elsewhere.toSorted()).toEqual(['/metrics', '/openapi.json']);
  });
});

function failing(): Operation {
  return operation({
    name: 'test.fails',
    method: 'GET',
    path: '/tasks/:id/fails',
    summary: 'Fails.',
    permission: 'tasks:read',
    query: z.strictObject({ key: z.string() }),
    answers: {},
    run: () => Promise.reject(new Error('secret of the database')),
  });
}
