// The effects of the tools, compared with those of the REST routes for the same thing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';
import { called, toolRpc, textOf } from '../../../support/mcp/client.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({ name: 'reviewer', capabilities: ['review'], models: ['one:small'] });
});
afterAll(() => service[Symbol.asyncDispose]());

/** A tool's structured result, which has to be one. */
// oxlint-disable-next-line typescript/no-explicit-any
async function result(name: string, args: unknown = {}, as: 'admin' | 'operator' | 'editor' = 'admin'): Promise<any> {
  const output = await called(service, name, args, as);
  if (output.isError === true) throw new Error(textOf(output));
  expect(JSON.parse(output.content[0]?.text ?? '')).toEqual(output.structuredContent);
  return output.structuredContent;
}

// oxlint-disable-next-line typescript/no-explicit-any
async function rest(path: string): Promise<any> {
  const { status, body } = await service.call('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

it('there are 29 tools, by the names of the specification [tools-1.1, tools-1.1.2, choices-7.1]', () => {
  const names = service.instance.mcp.tools.map(({ tool }) => tool.name).toSorted();
  expect(names).toEqual(
    `send_message send_message_async send_to_agent get_messages create_task get_task list_tasks cancel_task
     get_task_updates discover_agents get_agent register_agent refresh_agent_heartbeat get_agent_card list_codebases
     create_codebase get_codebase delete_codebase set_active_codebase get_current_codebase get_active_codebase search_tools
     get_tool_schema ralph_create_run ralph_get_run ralph_list_runs ralph_cancel_run prd_chat prd_list_sessions`
      .split(/\s+/)
      .toSorted(),
  );
  expect(names).toHaveLength(29);
});

describe('tasks', () => {
  it('are created as over REST, with every argument of the tool [tools-4.2.5, tools-4.2.6, choices-3.43, tools-4.2.26, tools-4.2.27, tools-4.2.28, tools-4.2.29, tools-4.2.30]', async () => {
    const made = await result('create_task', {
      title: 'with all',
      description: 'do it well',
      codebase_id: 'global',
      agent_type: 'build',
      priority: 7,
      model: 'one:small',
      required_capabilities: ['review'],
      deadline_at: '2100-01-01T00:00:00Z',
      webhook_url: 'https://hooks.invalid/x',
    });
    expect(Object.keys(made)).toEqual(['task_id', 'run_id', 'title', 'status', 'created_at', 'waiting_reason']);
    const { task } = await rest(`/v1/agent/tasks/${made.task_id}`);
    expect(task).toMatchObject({
      prompt: 'do it well',
      agent_type: 'build',
      priority: 7,
      model: 'one:small',
      required_capabilities: ['review'],
      deadline_at: '2100-01-01T00:00:00.000Z',
      webhook_url: 'https://hooks.invalid/x',
      run_id: made.run_id,
    });
    expect(await result('get_task', { task_id: made.task_id })).toEqual(task);
    expect((await result('create_task', { title: 'nowhere' })).waiting_reason).toBe('no_codebase');
    const kind = await called(service, 'create_task', { title: 'x', agent_type: 'test' });
    expect(kind.isError).toBe(true);
  });

  it('are listed as over REST, filtered and page by page [tools-4.2.7]', async () => {
    for (let i = 0; i < 3; i += 1) await service.task({ title: `listed ${i}`, codebase_id: 'global' });
    for (const query of ['limit=2', 'status=pending', 'codebase_id=global&limit=3']) {
      const args = Object.fromEntries(
        [...new URLSearchParams(query)].map(([k, v]) => [k, k === 'limit' ? Number(v) : v]),
      );
      const page = await rest(`/v1/agent/tasks?${query}`);
      expect(await result('list_tasks', args)).toEqual(page);
    }
    const first = await result('list_tasks', { limit: 2 });
    const second = await result('list_tasks', { limit: 2, cursor: first.next_cursor });
    expect(second).toEqual(await rest(`/v1/agent/tasks?limit=2&cursor=${first.next_cursor}`));
    const wrong = await called(service, 'list_tasks', { cursor: 'x' });
    expect(textOf(wrong)).toContain('cursor is not a cursor');
  });

  it('are cancelled, once [tools-4.2.8]', async () => {
    const task = await service.task();
    expect(await result('cancel_task', { task_id: task.id })).toEqual({ task_id: task.id, status: 'cancelled' });
    expect(textOf(await called(service, 'cancel_task', { task_id: task.id }))).toContain('already cancelled');
  });

  it('are polled for changes since a cursor without missing one, each state by its internal name [tools-4.2.9, choices-2.13]', async () => {
    const before = await result('get_task_updates', { limit: 1 });
    const made = await result('create_task', { title: 'watched', codebase_id: 'global', priority: 100 });
    const [held] = await worker.claim(1, made.task_id);
    if (held === undefined) throw new Error('not claimed');
    await worker.release(held, { status: 'completed', result: 'seen' });
    const output: string[] = [];
    let { next: since } = before;
    while (output.at(-1) !== 'completed') {
      const page = await result('get_task_updates', { since, task_ids: [made.task_id], limit: 1 });
      output.push(...page.updates.map(({ status }: { status: string }) => status));
      since = page.next;
    }
    expect(output).toEqual(['pending', 'running', 'completed']);
    expect(await result('get_task_updates', { since, task_ids: [made.task_id] })).toMatchObject({ updates: [] });
    expect(textOf(await called(service, 'get_task_updates', { since: 'x' }))).toContain('since is not a cursor');
  });

  it('are created once by an Idempotency-Key, on every path', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const params = { name: 'create_task', arguments: { title: 'once', codebase_id: 'global' } };
    const over = await toolRpc(service, 'tools/call', params, { headers });
    const http = await service.call('POST', '/mcp/tools/call', { body: params, headers });
    expect(http.body.task_id).toBe(over.body.result.task_id);
    const other = { ...params, arguments: { title: 'another', codebase_id: 'global' } };
    const reused = await service.call('POST', '/mcp/tools/call', { body: other, headers });
    expect(reused.body).toMatchObject({ isError: true, _meta: { error: { code: 'idempotency_key_reused' } } });
  });

  it('of higher priority come first [tools-8.9]', async () => {
    const fields = { codebase_id: 'global', required_capabilities: ['review'] };
    const low = await result('create_task', { title: 'low', priority: 1, ...fields });
    const high = await result('create_task', { title: 'high', priority: 99, ...fields });
    const order: string[] = [];
    while (!order.includes(low.task_id)) order.push(...(await worker.claim(1)).map(({ task }) => task.id));
    expect(order.indexOf(high.task_id)).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(high.task_id)).toBeLessThan(order.indexOf(low.task_id));
  });
});

describe('messages', () => {
  it('return the response when it arrives in time [tools-4.2.1]', async () => {
    const talking = called(service, 'send_message', { message: 'which?', wait_seconds: 50 });
    let held = await worker.claim(4);
    while (!held.some(({ task }) => task.prompt === 'which?')) held = await worker.claim(4);
    const waitingTask = held.find(({ task }) => task.prompt === 'which?');
    if (waitingTask === undefined) throw new Error('not claimed');
    await worker.release(waitingTask, { status: 'needs_input', message: { text: 'this or that?' } });
    const waitingReply = (await talking).structuredContent;
    expect(waitingReply).toMatchObject({ status: 'needs_input', response: 'this or that?' });
    // The conversation goes on with the answer, to the task that asked.
    const { conversation_id } = waitingReply;
    const answered = await result('send_message', { message: 'that', conversation_id, wait_seconds: 0 });
    expect(answered).toMatchObject({ conversation_id, task_id: waitingReply.task_id });
    const conversation = await result('get_messages', { conversation_id });
    expect(conversation.messages.map(({ role, text }: Record<string, string>) => [role, text])).toEqual([
      ['user', 'which?'],
      ['agent', 'this or that?'],
      ['user', 'that'],
    ]);
    expect(conversation.messages[1]).toMatchObject({ agent_name: 'reviewer' });
    const monitored = await rest(`/v1/monitor/messages?conversation_id=${conversation_id}`);
    expect(conversation.messages).toEqual(monitored.messages.toReversed());
  });

  it('without a wait return a task at once [tools-4.2.2, tools-4.2.4]', async () => {
    const sent = await result('send_message_async', { message: 'later', priority: 3, model: 'one:small' });
    const { task } = await rest(`/v1/agent/tasks/${sent.task_id}`);
    expect(task).toMatchObject({ prompt: 'later', priority: 3, model: 'one:small', codebase_id: 'global' });
    expect(sent).toMatchObject({ run_id: task.run_id, conversation_id: task.conversation_id, status: 'pending' });
    const nobody = await called(service, 'get_messages', { conversation_id: 'no-such-one' });
    expect([nobody.isError, textOf(nobody)]).toEqual([true, expect.stringContaining('send_message')]);
  });

  it('to a named agent report why they wait [tools-4.2.3]', async () => {
    const sent = await result('send_to_agent', { agent_name: 'reviewer', message: 'look', deadline_seconds: 60 });
    expect(sent.routing).toMatchObject({ target_agent: 'reviewer', required_capabilities: [] });
    expect(Date.parse(sent.routing.deadline_at) - Date.now()).toBeLessThan(61_000);
    const nobody = await result('send_to_agent', { agent_name: 'nobody', message: 'look' });
    expect(nobody).toMatchObject({
      status: 'pending',
      routing: { waiting_reason: 'no_such_agent', deadline_at: null },
    });
  });

  it('without wait_seconds return at once when no agent can take them', async () => {
    await using empty = await openService();
    const { structuredContent } = await called(empty, 'send_message', { message: 'anyone?' });
    expect(structuredContent).toMatchObject({ status: 'pending', waiting_reason: 'no_worker_for_codebase' });
  });
});

describe('agents', () => {
  it('are those of the monitor [tools-4.2.10, tools-4.2.11]', async () => {
    const found = await result('discover_agents', { limit: 1 });
    expect(found).toEqual(await rest('/v1/monitor/agents?limit=1'));
    const one = await result('get_agent', { agent_name: 'reviewer' });
    expect(one).toMatchObject({ name: 'reviewer', source: 'worker', routable: true });
    expect((await result('discover_agents', { capability: 'review' })).agents).toContainEqual(one);
    expect((await result('discover_agents', { capability: 'dance' })).agents).toEqual([]);
    expect(textOf(await called(service, 'get_agent', { agent_name: 'nobody' }))).toContain('discover_agents');
  });

  it('register themselves and stay online by heartbeats [tools-4.2.12, tools-4.2.13]', async () => {
    const made = await result('register_agent', { name: 'helper', description: 'Helps.', capabilities: ['help'] });
    expect(made).toMatchObject({ name: 'helper', heartbeat_seconds: 60 });
    const refreshed = await result('refresh_agent_heartbeat', { agent_name: 'helper' });
    expect(refreshed).toEqual({
      name: 'helper',
      last_seen: (await result('get_agent', { agent_name: 'helper' })).last_seen,
    });
    const unknown = await called(service, 'refresh_agent_heartbeat', { agent_name: 'nobody' });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining('register_agent')]);
  });

  it('read the agent card of the service [tools-4.2.14]', async () => {
    const { signatures: _, ...card } = await result('get_agent_card');
    const { signatures: __, ...shown } = await rest('/.well-known/agent-card.json');
    expect(card).toEqual(shown);
  });
});

describe('codebases', () => {
  it('are registered, read and removed as over REST [tools-4.2.15]', async () => {
    const fields = { name: 'shop', path: '/srv/shop', description: 'the shop', worker_id: worker.id };
    const { codebase } = await result('create_codebase', fields);
    const path = `/v1/agent/codebases/${codebase.codebase_id}`;
    expect(codebase).toEqual((await rest(path)).codebase);
    expect(await result('get_codebase', { codebase_id: codebase.codebase_id })).toEqual(codebase);
    expect(await result('list_codebases')).toEqual(await rest('/v1/agent/codebases'));
    const { codebase_id } = codebase;
    expect(await result('delete_codebase', { codebase_id })).toEqual({ codebase_id, deleted: true });
    expect((await service.call('GET', path)).status).toBe(404);
    const pending = await result('create_codebase', { name: 'asked', path: '/somewhere' });
    expect(pending).toMatchObject({ pending: true, task_id: expect.any(String) });
  });

  it('may be active: the default of this caller, and of no other [tools-4.2.16, tools-4.2.17]', async () => {
    const fields = { name: 'mine', path: '/srv/mine', worker_id: worker.id };
    const { codebase } = await result('create_codebase', fields);
    const { codebase_id } = codebase;
    const none = { codebase_id: null, name: null, path: null, worker_id: null, scope: 'principal' };
    expect(await result('get_current_codebase', {}, 'operator')).toEqual(none);
    const active = { codebase_id, name: 'mine', path: '/srv/mine', worker_id: worker.id, scope: 'principal' };
    expect(await result('set_active_codebase', { codebase_id }, 'operator')).toEqual(active);
    expect(await result('get_current_codebase', {}, 'operator')).toEqual(active);
    expect(await result('get_active_codebase', {}, 'operator')).toEqual(active);
    expect(await result('get_current_codebase')).toEqual(none);

    const whose = async (id: string): Promise<unknown> => (await rest(`/v1/agent/tasks/${id}`)).task.codebase_id;
    const made = await result('create_task', { title: 'falls back' }, 'operator');
    expect(await whose(made.task_id)).toBe(codebase_id);
    const named = await result('create_task', { title: 'named', codebase_id: 'global' }, 'operator');
    expect(await whose(named.task_id)).toBe('global');
    const sent = await result('send_message_async', { message: 'there' }, 'operator');
    expect(await whose(sent.task_id)).toBe(codebase_id);
    const titles = async (args: unknown): Promise<string[]> =>
      (await result('list_tasks', args, 'operator')).tasks.map(({ title }: { title: string }) => title);
    expect(await titles({})).toEqual(['there', 'falls back']);
    expect(await titles({ codebase_id: '*' })).toContain('named');
    expect((await called(service, 'set_active_codebase', { codebase_id: 'nowhere' })).isError).toBe(true);
  });

  it('may be selected by a path or a header, for one request', async () => {
    const call = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
      const params = { name: 'get_current_codebase', arguments: {} };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return (await service.call('POST', path, { body, headers })).body.result.structuredContent;
    };
    expect(await call('/mcp/c/global')).toMatchObject({ codebase_id: 'global', scope: 'request' });
    expect(await call('/mcp', { 'x-codebase-id': 'global' })).toMatchObject({
      codebase_id: 'global',
      scope: 'request',
    });
    expect(await call('/mcp')).toMatchObject({ codebase_id: null, scope: 'principal' });
  });
});
