// Authorization: which clients are let in, the answer to a refused one, its audit entry, and that waiting blocks nobody.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { lines } from '../../../support/mcp/official-clients.ts';
import { called, toolRpc } from '../../../support/mcp/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService({
    config: {
      baseUrl: 'https://work.example.org',
      mcp: { allowedHosts: undefined, allowedOrigins: ['https://app.example.org'], publicUrl: undefined },
    },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

/** With a Host of its own, which fetch would not send. */
function pingWithHeaders(url: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token('admin')}`, 'content-type': 'application/json', ...headers },
    });
    clientRequest.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    clientRequest.end(body);
  });
}

describe('before authentication', () => {
  it('only private host names and those of this service are accepted [choices-1.50]', async () => {
    for (const base of [service.url, service.toolUrl]) {
      const statusOf = async (host: string): Promise<number> => (await pingWithHeaders(`${base}/mcp`, { host })).status;
      for (const host of [
        'evil.example.com',
        'evil.example.com:9000',
        'localhost.evil.com',
        '127.0.0.1.evil.com',
        'a b',
      ]) {
        expect([host, [400, 403]]).toEqual([host, expect.arrayContaining([await statusOf(host)])]);
      }
      for (const host of ['localhost:9000', '127.0.0.1', '[::1]:9000', '10.0.0.7', 'switchyard', 'work.example.org']) {
        expect([host, await statusOf(host)]).toEqual([host, 200]);
      }
    }
  });

  it('only pages of this machine, of this service, and of allowed origins may call; without an origin anyone [choices-1.50]', async () => {
    const statusOf = async (origin: string): Promise<number> =>
      (await pingWithHeaders(`${service.toolUrl}/mcp`, { origin })).status;
    for (const origin of [
      'https://evil.example',
      'null',
      'http://work.example.org',
      'https://app.example.org.evil.example',
    ]) {
      expect([origin, await statusOf(origin)]).toEqual([origin, 403]);
    }
    for (const origin of ['http://localhost:6274', 'https://app.example.org', 'https://work.example.org']) {
      expect([origin, await statusOf(origin)]).toEqual([origin, 200]);
    }
    for (const path of ['/mcp/tools/list', '/.well-known/oauth-protected-resource/mcp']) {
      const reply = await service.call('GET', path, { headers: { origin: 'https://evil.example' } });
      expect([path, reply.status, reply.body.code]).toEqual([path, 403, 'origin_refused']);
    }
  });
});

describe('a rejected client', () => {
  const metadata = 'https://work.example.org/.well-known/oauth-protected-resource/mcp';

  it('without a credential gets 401 everywhere, with the authorization servers [choices-7.5, choices-7.3, tools-5.2]', async () => {
    const calls: [string, string][] = [
      ['POST', '/mcp'],
      ['POST', '/mcp/v1/rpc'],
      ['POST', '/mcp/x/tasks'],
      ['GET', '/mcp'],
      ['GET', '/mcp/tools/list'],
      ['POST', '/mcp/tools/list'],
      ['POST', '/mcp/tools/search'],
      ['POST', '/mcp/tools/call'],
      ['GET', '/mcp/tools/schema'],
      ['GET', '/.well-known/oauth-protected-resource'],
      ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ];
    for (const base of [service.url, service.toolUrl]) {
      for (const [method, path] of calls) {
        const reply = await fetch(`${base}${path}`, { method });
        expect([path, reply.status]).toEqual([path, 401]);
        expect(reply.headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}"`);
        expect(await reply.json()).toMatchObject({ code: 'unauthenticated', authorization_servers: [] });
      }
      // Nobody learns which other paths this port has.
      expect((await fetch(`${base}/nowhere`)).status).toBe(401);
    }
    expect((await fetch(`${service.toolUrl}/health`)).status).toBe(200);
    expect(
      (
        await fetch(`${service.toolUrl}/v1/agent/tasks`, {
          headers: { authorization: `Bearer ${service.token('admin')}` },
        })
      ).status,
    ).toBe(404);
  });

  it('without a permission gets 403 with the challenge and a JSON-RPC error, over Streamable HTTP too [choices-7.2, choices-3.13, core-5.5.5, tools-5.1]', async () => {
    const callTool = (name: string, as: 'viewer' | 'editor', headers = {}): Promise<ApiReply> =>
      toolRpc(service, 'tools/call', { name, arguments: { codebase_id: 'global' } }, { as, headers });
    const standard = { accept: 'application/json, text/event-stream' };
    for (const headers of [{}, standard]) {
      const overHttp = await callTool('list_tasks', 'viewer', headers);
      expect(overHttp).toMatchObject({ status: 403, body: { code: 'permission_missing', jsonrpc: '2.0', id: 1 } });
      const tool = await callTool('delete_codebase', 'editor', headers);
      expect(tool).toMatchObject({ status: 403, body: { error: { data: { code: 'permission_missing' } }, id: 1 } });
      expect(tool.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="mcp:write codebases:delete", resource_metadata="${metadata}"`,
      );
    }
    const http = await service.call('POST', '/mcp/tools/call', { as: 'editor', body: { name: 'delete_codebase' } });
    expect([http.status, http.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('codebases:delete'),
    ]);
  });

  it('finds the metadata at both addresses, once it has a credential [choices-7.4]', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const { status, body } = await service.call('GET', path, { as: 'viewer' });
      expect([status, body.resource]).toEqual([200, 'https://work.example.org/mcp']);
      expect(body.scopes_supported).toContain('mcp:write');
      expect(body.scopes_supported).not.toContain('offline_access');
    }
  });
});

it('the audit has each tool call under the tool’s name on every path, with its outcome', async () => {
  const params = { name: 'get_task', arguments: { task_id: 'none' } };
  await called(service, 'create_task', { title: 'audited', codebase_id: 'global' });
  await service.call('POST', '/mcp/tools/call', { body: params });
  await toolRpc(service, 'tools/call', { name: 'cancel_task', arguments: {} }, { as: 'viewer' });
  await using client = await lines[2]?.connect(`${service.toolUrl}/mcp`, service.token('admin'));
  await client?.call('list_codebases', {});
  const wanted = [
    ['create_task', 'token:admin', 'success', '/mcp/v1/rpc#tools/call'],
    ['get_task', 'token:admin', 'failure', '/mcp/tools/call'],
    ['cancel_task', 'token:viewer', 'denied', '/mcp/v1/rpc#tools/call'],
    ['list_codebases', 'token:admin', 'success', '/mcp#tools/call'],
    ['mcp.discover', 'token:admin', 'success', '/mcp#server/discover'],
  ];
  const all = await until('the audit has them', async () => {
    const { body } = await service.call('GET', '/v1/audit/events?limit=50');
    const auditRows = body.events.map((one: Record<string, string>) => [
      one['action'],
      one['actor'],
      one['outcome'],
      one['resource'],
    ]);
    const missing = wanted.filter((one) => !auditRows.some((other: string[]) => other.join() === one.join()));
    return missing.length === 0;
  });
  expect(all).toBe(true);
});

describe('a wait', () => {
  it.each(lines)('reports progress to a client that requests it, over $name', async ({ connect }) => {
    await using fresh = await openService();
    const worker = await fresh.worker();
    await using client = await connect(`${fresh.toolUrl}/mcp`, fresh.token('editor'));
    const auditRows: string[] = [];
    const pendingCall = client.call(
      'send_message',
      { message: 'how far?', wait_seconds: 50 },
      { onProgress: (message) => auditRows.push(message) },
    );
    await until('progress comes before the result', () => auditRows.length > 0);
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('not claimed');
    await worker.release(held, { status: 'completed', result: 'this far' });
    expect((await pendingCall).structuredContent).toMatchObject({ status: 'completed', response: 'this far' });
  });

  it.each(lines)('ends when its client disconnects, and the task continues, over $name', async ({ connect }) => {
    // One call at a time: the next one is let in when the wait that was left has ended.
    await using fresh = await openService({ config: { maxCallsInFlight: 1 } });
    const worker = await fresh.worker({}, 'agent');
    const client = await connect(`${fresh.toolUrl}/mcp`, fresh.token('editor'));
    const pendingCall = client.call('send_message', { message: 'left alone', wait_seconds: 50 });
    const failed = pendingCall.then(
      () => 'answered',
      () => 'left',
    );
    const held = await until('it is queued', async () => (await worker.claim())[0]);
    // The connection closes; how a client reports it is its own.
    await client[Symbol.asyncDispose]();
    expect(await failed).toBe('left');
    await until(
      'the wait has ended',
      async () => (await fresh.call('GET', '/v1/agent/tasks', { as: 'editor' })).status === 200,
    );
    await worker.release(held, { status: 'completed', result: 'done all the same' });
    const { task } = (await fresh.call('GET', `/v1/agent/tasks/${held.task.id}`)).body;
    expect(task).toMatchObject({ status: 'completed', result: 'done all the same' });
  });
});
