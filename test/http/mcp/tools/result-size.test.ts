// The text that a model has to read: the list within its bound, narrowed by caller and purpose, results of bounded size.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply, type TestUser } from '../../../support/service.ts';
import { called, toolRpc } from '../../../support/mcp/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function names(headers: Record<string, string> = {}, path = '/mcp', as: TestUser = 'admin'): Promise<string[]> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const reply = await service.call('POST', path, { as, body, headers });
  return reply.body.result.tools.map(({ name }: { name: string }) => name);
}

function known(fits: (tool: TestService['instance']['mcp']['tools'][number]['tool']) => boolean): string[] {
  return service.instance.mcp.tools.filter(({ tool }) => fits(tool)).map(({ tool }) => tool.name);
}

describe('the list of tools', () => {
  it('has less than 12,000 tokens, counted as a token for each 3.5 bytes', async () => {
    const { result } = (await toolRpc(service, 'tools/list')).body;
    expect(Buffer.byteLength(JSON.stringify(result)) / 3.5).toBeLessThan(12_000);
  });

  it('describes each tool uniquely, with all four hints and without noise in its schemas', async () => {
    const { tools } = (await toolRpc(service, 'tools/list')).body.result;
    for (const { name, title, description, annotations, inputSchema } of tools) {
      expect([name, title.length > 4, description.length > 20]).toEqual([name, true, true]);
      expect([name, Object.values(annotations).map((hint) => typeof hint)]).toEqual([name, Array(4).fill('boolean')]);
      expect([name, inputSchema.type, inputSchema.additionalProperties]).toEqual([name, 'object', false]);
    }
    expect(JSON.stringify(tools)).not.toMatch(/9007199254740991|\$schema|\$ref/);
    expect(new Set(tools.map(({ description }: { description: string }) => description)).size).toBe(tools.length);
  });

  it('is the same, in the same order, on every path and each time', async () => {
    const all = service.instance.mcp.tools.map(({ tool }) => tool.name);
    for (const path of ['/mcp', '/mcp/v1/rpc', '/mcp/c/global']) expect(await names({}, path)).toEqual(all);
  });

  it('is narrowed by headers and paths, for their request only', async () => {
    expect(await names({ 'x-mcp-toolsets': 'tasks, Discovery' })).toEqual(
      known(({ toolset }) => toolset === 'tasks' || toolset === 'discovery'),
    );
    expect(await names({ 'x-mcp-tools': 'get_task,create_task' })).toEqual(['create_task', 'get_task']);
    expect(await names({ 'x-mcp-readonly': 'true' })).toEqual(known(({ hints }) => hints.readOnlyHint));
    expect(await names({}, '/mcp/x/tasks')).toEqual(known(({ toolset }) => toolset === 'tasks'));
    expect(await names({}, '/mcp/x/tasks,agents/readonly')).toEqual(
      known(({ toolset, hints }) => ['tasks', 'agents'].includes(toolset) && hints.readOnlyHint),
    );
    expect(await names({ 'x-mcp-toolsets': 'agents' }, '/mcp/x/tasks')).toEqual([]);
    expect((await names()).length).toBe(29);
  });

  it('narrowed, applies to calls and searches too; an unknown toolset is reported', async () => {
    const headers = { 'x-mcp-readonly': '1' };
    const refused = await toolRpc(
      service,
      'tools/call',
      { name: 'create_task', arguments: { title: 'x' } },
      { headers },
    );
    expect(refused.body.error.code).toBe(-32_602);
    expect(refused.body.error.message).toMatch(/excluded by the path of this request, .*X-MCP-Readonly\.$/);
    expect(refused.body.error.message).not.toContain('Did you mean');
    const search = { name: 'search_tools', arguments: { query: 'create a task', detail: 'name' } };
    const found = (await toolRpc(service, 'tools/call', search, { headers })).body.result.tools;
    expect(found).not.toContainEqual({ name: 'create_task' });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const unknown = await service.call('POST', '/mcp/x/marvels', { body });
    expect(unknown.body.error.message).toContain('messaging');
  });

  it('is read-only for every X-MCP-Readonly that does not mean no', async () => {
    const readOnly = known(({ hints }) => hints.readOnlyHint);
    for (const word of ['1', 'true', 'yes', 'on', 'TRUE', 'please']) {
      expect(await names({ 'x-mcp-readonly': word })).toEqual(readOnly);
    }
    for (const word of ['0', 'false', 'no', 'off', '']) {
      expect((await names({ 'x-mcp-readonly': word })).length).toBe(29);
    }
  });

  it('reports a misspelt tool instead of ignoring it', async () => {
    const headers = { 'x-mcp-tools': 'get_task,creat_task' };
    const { error } = (await toolRpc(service, 'tools/list', {}, { headers })).body;
    expect([error.code, error.message]).toEqual([-32_602, expect.stringContaining('Did you mean "create_task"?')]);
    expect((await service.call('GET', '/mcp/tools/list', { headers })).status).toBe(404);
    const standard = { ...headers, accept: 'application/json, text/event-stream' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const listed = await service.call('POST', '/mcp', { headers: standard, body });
    expect(JSON.stringify(listed.body)).toContain('creat_task');
  });

  it('has only the tools that the credential may use', async () => {
    expect(await names({}, '/mcp', 'editor')).not.toContain('delete_codebase');
    expect(await names({}, '/mcp', 'editor')).not.toContain('register_agent');
    expect(await names({}, '/mcp', 'agent')).toContain('register_agent');
    const scopes = ['mcp:write', 'tasks:read'];
    const key = (await service.call('POST', '/v1/auth/api-keys', { body: { name: 'reads tasks', scopes } })).body.key;
    const list = await service.call('POST', '/mcp', {
      token: key,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(list.body.result.tools.map(({ name }: { name: string }) => name)).toEqual(
      known(({ permission }) => permission === 'any_credential' || permission === 'tasks:read'),
    );
    // A viewer may list resources, although a viewer may not call tools.
    const viewed = await service.call('GET', '/mcp/tools/list', { as: 'viewer' });
    expect(viewed.body.tools.map(({ name }: { name: string }) => name)).toContain('list_tasks');
    expect(viewed.body.tools.map(({ name }: { name: string }) => name)).not.toContain('create_task');
  });

  it('has only read-only tools for a credential that may not call any; calling another is 403', async () => {
    const scoped = { name: 'looks', scopes: ['mcp:read', 'codebases:*', 'tasks:*', 'workers:read', 'ralph:*'] };
    const { key } = (await service.call('POST', '/v1/auth/api-keys', { as: 'operator', body: scoped })).body;
    const readOnlyTools = known(({ hints }) => hints.readOnlyHint);
    const hidden = known(({ hints }) => !hints.readOnlyHint);
    expect([readOnlyTools.length > 10, hidden.length > 10]).toEqual([true, true]);
    for (const credentials of [{ as: 'viewer' as const }, { token: key }]) {
      const send = async (method: string, path: string, body?: unknown): Promise<ApiReply['body']> =>
        (await service.call(method, path, { ...credentials, body })).body;
      const shown = (await send('GET', '/mcp/tools/list')).tools;
      expect(shown.map(({ name }: { name: string }) => name)).toEqual(readOnlyTools);
      for (const { name, annotations } of shown) expect([name, annotations.readOnlyHint]).toEqual([name, true]);
      expect((await send('POST', '/mcp/tools/list', {})).tools).toEqual(shown);
      expect(Object.keys((await send('GET', '/mcp/tools/schema')).tools)).toEqual(readOnlyTools);
      for (const name of hidden) {
        const call = await service.call('POST', '/mcp/tools/call', { ...credentials, body: { name, arguments: {} } });
        expect([name, call.status]).toEqual([name, 403]);
      }
    }
    expect(
      known(
        ({ hints, permission }) =>
          hints.readOnlyHint && !/^any_credential$|:read$/.test(JSON.stringify(permission).replaceAll('"', '')),
      ),
    ).toEqual([]);
  });
});

describe('a result', () => {
  it('that is too long is shortened text by text, marked, and linked to the complete resource', async () => {
    const long = 'x'.repeat(200_000);
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push((await service.task({ prompt: long, title: `long ${i}` })).id);
    const listed = await called(service, 'list_tasks', { limit: 3 });
    expect(JSON.stringify(listed.structuredContent).length).toBeLessThan(270_000);
    expect(listed._meta).toMatchObject({ truncated: true, untrusted: true });
    expect(listed.structuredContent.tasks[0].prompt).toMatch(/ characters more\]$/);
    const one = await called(service, 'get_task', { task_id: ids[0] });
    expect(one.structuredContent.prompt).toBe(long);
    expect(one.content[1]).toMatchObject({ type: 'resource_link', uri: `coord://tasks/${ids[0]}/log` });
  });

  it('that is a long log has its end, and links to the part before it', async () => {
    const worker = await service.worker();
    const task = await service.task({ codebase_id: 'global' });
    const [assignment] = await worker.claim(1, task.id);
    if (assignment === undefined) throw new Error('nothing claimed');
    const lines = Array.from({ length: 1_200 }, (_, i) => `${i} ${'x'.repeat(600)}\n`);
    const events = lines.map((text, i) => ({ type: 'output', n: i + 1, stream: 'agent', text }));
    for (let i = 0; i < events.length; i += 100) await worker.report(assignment, events.slice(i, i + 100));
    const parts: string[] = [];
    let uri: string | undefined = `coord://tasks/${task.id}/log`;
    while (uri !== undefined) {
      const { text }: { text: string } = (await toolRpc(service, 'resources/read', { uri })).body.result.contents[0];
      expect(text.length).toBeLessThanOrEqual(262_144);
      uri = /^\[Printed before this: (\S+)\]\n/.exec(text)?.[1];
      parts.unshift(uri === undefined ? text : text.slice(text.indexOf('\n') + 1));
    }
    expect(parts.length).toBe(3);
    expect(parts.join('')).toBe(lines.join(''));
    for (const seq of ['x', '-1', '9'.repeat(20)]) {
      const wrong = await toolRpc(service, 'resources/read', { uri: `coord://tasks/${task.id}/log/before/${seq}` });
      expect(wrong.body.error.code).toBe(-32_602);
    }
    const one = await called(service, 'get_task', { task_id: task.id });
    expect(one.content[1]).toMatchObject({ type: 'resource_link', mimeType: 'text/plain' });
  });

  it('that is an oversized event of a log keeps its end', async () => {
    const worker = await service.worker();
    const task = await service.task({ codebase_id: 'global' });
    const [assignment] = await worker.claim(1, task.id);
    if (assignment === undefined) throw new Error('nothing claimed');
    const text = `${'x'.repeat(900_000)}the end`;
    await worker.report(assignment, [{ type: 'output', n: 1, stream: 'agent', text }]);
    const read = await toolRpc(service, 'resources/read', { uri: `coord://tasks/${task.id}/log` });
    expect(read.body.result.contents[0].text).toMatch(/^\[\d+ characters left out\]\nx+the end$/);
  });

  it('that is a large JSON resource stays valid JSON', async () => {
    const task = await service.task({ prompt: '"'.repeat(200_000), title: 'quoted' });
    const read = await toolRpc(service, 'resources/read', { uri: `coord://tasks/${task.id}` });
    const { text } = read.body.result.contents[0];
    expect(text.length).toBeLessThanOrEqual(262_144);
    expect(JSON.parse(text)).toMatchObject({ id: task.id, title: 'quoted' });
  });

  it('with texts of others is marked, and has no invisible characters', async () => {
    const point = (code: number): string => String.fromCodePoint(code);
    const hidden = `look${point(0x1b)}[2J here${point(0x202e)}${point(0xe0041)}`;
    const task = await service.task({ title: hidden, prompt: hidden });
    for (const [name, args] of [
      ['get_task', { task_id: task.id }],
      ['list_tasks', {}],
    ] as const) {
      const output = await called(service, name, args);
      expect(output._meta).toMatchObject({ untrusted: true });
      expect(JSON.stringify(output)).toContain('look here');
      expect(output.content[0]?.text).not.toMatch(/\p{Cc}|\p{Cf}|\\u001b/u);
    }
    const read = await toolRpc(service, 'resources/read', { uri: `coord://tasks/${task.id}` });
    expect(read.body.result._meta).toEqual({ untrusted: true });
    expect(JSON.parse(read.body.result.contents[0].text).title).toBe('look here');
  });
});
