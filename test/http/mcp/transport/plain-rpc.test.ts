// Plain JSON-RPC and the tools over HTTP: for scripts, without a handshake.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { called, toolRpc, textOf, type Called } from '../../../support/mcp/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const missing = '01890000-0000-7000-8000-000000000000';

describe('plain JSON-RPC', () => {
  it.each(['/mcp', '/mcp/v1/rpc'])(
    'at %s lists and calls without a handshake, with ids of both kinds [tools-2.1.1, tools-2.1.2, tools-2.1.3, tools-2.1.4, core-9.5]',
    async (path) => {
      for (const id of [7, 'seven']) {
        const listed = await service.call('POST', path, {
          body: { jsonrpc: '2.0', id, method: 'tools/list', params: {} },
        });
        expect(listed).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id } });
        expect(listed.body.result.tools.length).toBe(service.instance.mcp.tools.length);
        const params = { name: 'create_task', arguments: { title: 'plain', codebase_id: 'global' } };
        const made = await service.call('POST', path, { body: { jsonrpc: '2.0', id, method: 'tools/call', params } });
        expect(made.body).toMatchObject({ id, result: { title: 'plain', structuredContent: { title: 'plain' } } });
      }
    },
  );

  it('answers an invalid request under its id, when it has one', async () => {
    for (const [id, body] of [
      [7, { jsonrpc: '1.0', id: 7, method: 'tools/list' }],
      ['seven', { jsonrpc: '2.0', id: 'seven' }],
      [null, { jsonrpc: '2.0', id: null, method: 'tools/list' }],
    ]) {
      const refused = await service.call('POST', '/mcp/v1/rpc', { body });
      expect(refused).toMatchObject({ status: 200, body: { id, error: { code: -32600 } } });
    }
  });

  it('marks a replay, on every path and for every tool that creates a task', async () => {
    const requests: [string, Record<string, unknown>][] = [
      ['create_task', { title: 'once', codebase_id: 'global' }],
      ['send_message', { message: 'once', wait_seconds: 0 }],
      ['send_message_async', { message: 'once' }],
      ['send_to_agent', { message: 'once', agent_name: 'nobody' }],
    ];
    for (const [name, args] of requests) {
      const headers = { 'idempotency-key': `plain ${name}` };
      const params = { name, arguments: args };
      const first = await toolRpc(service, 'tools/call', params, { headers });
      expect([name, first.headers.get('idempotency-replayed')]).toEqual([name, null]);
      const again = [
        await toolRpc(service, 'tools/call', params, { headers }),
        await service.call('POST', '/mcp/tools/call', { headers, body: params }),
      ];
      for (const reply of again) {
        expect([name, reply.headers.get('idempotency-replayed')]).toEqual([name, 'true']);
        expect((reply.body.result ?? reply.body).task_id).toBe(first.body.result.task_id);
      }
    }
  });

  it('accepts requests without params, answers a ping, and describes the server', async () => {
    expect((await toolRpc(service, 'tools/list')).body.result.tools).not.toEqual([]);
    expect((await toolRpc(service, 'ping')).body.result).toEqual({});
    const initialized = await toolRpc(service, 'initialize', { protocolVersion: '2025-06-18' });
    expect(initialized.body.result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'switchyard' },
    });
    expect((await toolRpc(service, 'resources/read', { uri: 'coord://codebases' })).body.result.contents).toHaveLength(
      1,
    );
  });

  it('reports an invalid message with the protocol’s codes', async () => {
    const post = async (raw: string): Promise<unknown[]> => {
      const { status, body } = await service.call('POST', '/mcp/v1/rpc', { raw });
      return [status, body.error?.code];
    };
    expect(await post('{')).toEqual([200, -32_700]);
    expect(await post('[]')).toEqual([200, -32_600]);
    expect(await post('{"id":1,"method":"ping"}')).toEqual([200, -32_600]);
    expect(await post('{"jsonrpc":"2.0","id":1.5,"method":"ping"}')).toEqual([200, -32_600]);
    expect(await post('{"jsonrpc":"2.0","id":1,"method":"tools/fly"}')).toEqual([200, -32_601]);
    expect(await post('{"jsonrpc":"2.0","id":1,"method":"tools/call"}')).toEqual([200, -32_602]);
    expect(await post('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fly"}}')).toEqual([
      200, -32_602,
    ]);
    expect(await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toEqual([202, undefined]);
    const text = await service.call('POST', '/mcp', { raw: 'x', headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(415);
  });

  it('lists everything on one page, and rejects a cursor', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      expect((await toolRpc(service, method)).body.result).not.toHaveProperty('nextCursor');
      const { body } = await toolRpc(service, method, { cursor: 'MTA' });
      expect([method, body.error?.code]).toEqual([method, -32_602]);
    }
  });

  it('has no stream and no session: GET and DELETE are 405 with a credential', async () => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await service.call(method, '/mcp');
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
      expect((await service.call(method, '/mcp', { token: null })).status).toBe(401);
    }
  });
});

describe('a failed tool call', () => {
  it('names every invalid argument, the allowed and similar values, and the tool to call next', async () => {
    const refused = await called(service, 'create_task', { titel: 'x', agent_type: 'bild', priority: 101 });
    expect(refused.isError).toBe(true);
    const text = textOf(refused);
    expect(text).toContain('title is required');
    expect(text).toContain('Did you mean "title"?');
    expect(text).toContain('["build","plan","general","explore"]. Did you mean "build"?');
    expect(text).toContain('priority must be <= 100');
    expect(text).toContain('get_tool_schema');
    expect(refused._meta).toMatchObject({ error: { code: 'invalid_request' } });
  });

  it('names the tool that lists existing ids, the same for every kind of id', async () => {
    for (const task_id of [missing, 'no-id-at-all', missing.toUpperCase()]) {
      const refused = await called(service, 'get_task', { task_id });
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('Call list_tasks')]);
    }
  });

  it('is an error of the protocol only for an unknown tool, with the most similar name', async () => {
    for (const [wrong, meant] of [
      ['crate_task', 'create_task'],
      ['taskGet', 'get_task'],
      ['list-tasks', 'list_tasks'],
    ]) {
      const { body } = await toolRpc(service, 'tools/call', { name: wrong });
      expect(body.error).toMatchObject({ code: -32_602, message: expect.stringContaining(`"${meant}"`) });
    }
  });

  it('has every tool of runs and PRD chats, and says what is wrong with a call', async () => {
    for (const { tool } of service.instance.mcp.tools.filter(({ tool: row }) =>
      ['ralph', 'prd'].includes(row.toolset),
    )) {
      const answered = await called(service, tool.name, tool.example);
      expect([tool.name, answered._meta?.['error']]).not.toEqual([tool.name, { code: 'not_available_yet' }]);
    }
    expect(textOf(await called(service, 'ralph_get_run', {}))).toContain('run_id is required');
  });
});

describe('the tools over HTTP', () => {
  it('are listed by GET and POST alike, page by page [tools-4.1.2]', async () => {
    const all = (await toolRpc(service, 'tools/list')).body.result.tools;
    expect((await service.call('GET', '/mcp/tools/list')).body).toEqual({ tools: all, next_cursor: null });
    expect((await service.call('POST', '/mcp/tools/list', { body: {} })).body.tools).toEqual(all);
    const first = await service.call('GET', '/mcp/tools/list?limit=4');
    const rest = await service.call('GET', `/mcp/tools/list?cursor=${first.body.next_cursor}`);
    expect([...first.body.tools, ...rest.body.tools]).toEqual(all);
    const looking = await service.call('GET', '/mcp/tools/list?toolset=tasks&read_only=true');
    const readOnlyTools = service.instance.mcp.tools.filter(
      ({ tool }) => tool.toolset === 'tasks' && tool.hints.readOnlyHint,
    );
    expect(looking.body.tools.map(({ name }: { name: string }) => name)).toEqual(
      readOnlyTools.map(({ tool }) => tool.name),
    );
  });

  it('are found by words in any form, as by search_tools [tools-4.1.3, tools-4.1.6, tools-4.2.18]', async () => {
    for (const [query, best] of [
      ['cancelling running jobs', 'cancel_task'],
      ['which repositories are there', 'list_codebases'],
      ['Queue new work', 'create_task'],
      ['the parameters of a tool', 'get_tool_schema'],
      ['autonomous runs status', 'ralph_get_run'],
    ] as const) {
      const { body } = await service.call('POST', '/mcp/tools/search', { body: { query } });
      expect([query, body.tools[0].name]).toEqual([query, best]);
      expect(body).toEqual((await called(service, 'search_tools', { query })).structuredContent);
    }
    const names = await called(service, 'search_tools', { query: '', category: 'ralph', detail: 'name' });
    expect(names.structuredContent.tools).toContainEqual({ name: 'ralph_get_run' });
    expect(names.structuredContent.total).toBe(4);
    const full = await called(service, 'search_tools', { query: 'get_task', detail: 'full', limit: 1 });
    expect(full.structuredContent.tools[0].inputSchema.required).toEqual(['task_id']);
  });

  it('publish their schemas, all with an ETag or one by its name [tools-4.1.5, tools-4.1.6, tools-4.2.19]', async () => {
    const all = await service.call('GET', '/mcp/tools/schema');
    expect(Object.keys(all.body.tools)).toEqual(service.instance.mcp.tools.map(({ tool }) => tool.name));
    expect(all.body).toMatchObject({ protocol_version: '2025-11-25', server: { name: 'switchyard' } });
    const headers = { 'if-none-match': all.headers.get('etag') ?? '' };
    const again = await service.call('GET', '/mcp/tools/schema', { headers });
    expect([again.status, again.headers.get('content-length')]).toEqual([304, null]);
    const one = await service.call('GET', '/mcp/tools/schema?name=create_task');
    expect(one.body).toEqual(
      (await called(service, 'get_tool_schema', { tool_name: 'create_task' })).structuredContent,
    );
    expect(one.body).toMatchObject({ permission: 'tasks:write', inputSchema: { additionalProperties: false } });
    expect((await service.call('GET', '/mcp/tools/schema?name=creat_task')).body.detail).toContain('"create_task"');
  });

  it('are called with the same result as over JSON-RPC, every one of them [tools-4.1.4]', async () => {
    for (const { tool } of service.instance.mcp.tools.filter(({ tool: row }) => row.hints.readOnlyHint)) {
      const { status, body } = await service.call('POST', '/mcp/tools/call', {
        body: { name: tool.name, arguments: tool.example },
      });
      const result: Called = await called(service, tool.name, tool.example);
      // A cursor of the log moves on with whatever else the database does.
      const plain = (output: unknown): string => JSON.stringify(output).replaceAll(/next\\*":\\*"[\d.]+/g, 'next');
      expect([tool.name, status, plain(body)]).toEqual([tool.name, 200, plain(result)]);
    }
    const unknown = await service.call('POST', '/mcp/tools/call', { body: { name: 'fly' } });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'tool_not_found']);
    expect((await service.call('POST', '/mcp/tools/call', { body: { arguments: {} } })).status).toBe(400);
  });
});
