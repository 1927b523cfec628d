// The tool protocol: plain JSON-RPC on port 9000, as the document has it, and the official clients. tools-4.
import path from 'node:path';
import { expect } from 'vitest';
import { lines } from '../support/mcp/official-clients.ts';
import { until } from '../support/until.ts';
import { script } from '../support/worker/local-worker.ts';
import { haveExited, pidsIn } from '../support/worker/left-processes.ts';
import type { Subject } from './support/credentials.ts';
import { leavesProcesses } from './support/prompts.ts';
import { fileOnBranch } from './support/repository.ts';
import type { WalkContext } from './support/walk-context.ts';
import { walks } from './support/walk.ts';

let globalFolder = '';

/** A tool over plain JSON-RPC on the port of the tools. @returns its structured result */
async function tool(on: WalkContext, name: string, args: Record<string, unknown> = {}, as: Subject = on.user) {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } };
  const answer = await on.must(200, 'POST', '/mcp/v1/rpc', { as, body, tools: true });
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7 });
  if (answer.result === undefined || answer.result.isError === true)
    throw new Error(`${name}: ${JSON.stringify(answer)}`);
  return answer.result.structuredContent;
}

walks(
  'tools',
  {
    on: ['replicas'],
    prepare: async (context) => {
      globalFolder = await context.repository();
      await context.worker({ global: globalFolder, slots: 6 });
    },
  },
  (walk) => {
    walk(
      ['tools-transport', 'tools-discovery'],
      'tools are listed, searched, described and called, on both ports',
      async (on) => {
        const list = { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: {} };
        for (const tools of [true, undefined] as const) {
          const { result } = await on.must(200, 'POST', '/mcp/v1/rpc', { body: list, ...(tools && { tools }) });
          const names = result.tools.map(({ name }: { name: string }) => name);
          expect(names).toEqual(
            expect.arrayContaining(['create_task', 'send_message', 'discover_agents', 'list_codebases']),
          );
          const more = tools && { tools };
          expect((await on.must(200, 'GET', '/mcp/tools/list', { ...more })).tools.length).toBe(names.length);
          expect(
            JSON.stringify(
              await on.must(200, 'POST', '/mcp/tools/search', { body: { query: 'cancel a task' }, ...more }),
            ),
          ).toContain('cancel_task');
          expect(JSON.stringify(await on.must(200, 'GET', '/mcp/tools/schema', { ...more }))).toContain('codebase_id');
          const called = await on.must(200, 'POST', '/mcp/tools/call', {
            body: {
              name: 'create_task',
              arguments: { title: 'by path', description: script('echo by path > made.txt'), codebase_id: 'global' },
            },
            ...more,
          });
          await on.completed(called.structuredContent.task_id);
          expect(await fileOnBranch(globalFolder, called.structuredContent.task_id, 'made.txt')).toBe('by path');
        }
        expect(JSON.stringify(await tool(on, 'search_tools', { query: 'cancel a task' }))).toContain('cancel_task');
        expect(JSON.stringify(await tool(on, 'get_tool_schema', { tool_name: 'create_task' }))).toContain('priority');
        expect((await on.call('POST', '/mcp/v1/rpc', { body: list, tools: true, token: null })).status).toBe(401);
      },
    );

    for (const { name, connect } of lines) {
      walk(['tools-clients', 'tools-tasks'], `the official client, ${name}, gets a task done`, async (on) => {
        const { toolUrl } = on.deployment.next();
        const client = on.use(await connect(`${toolUrl}/mcp`, on.caller().token()));
        expect((await client.tools()).map((one) => one.name)).toContain('create_task');
        const made = await client.call('create_task', {
          title: name,
          description: script('echo client > made.txt', 'echo done it'),
          codebase_id: 'global',
        });
        const { task_id: id } = made.structuredContent;
        await on.completed(id);
        expect((await client.call('get_task', { task_id: id })).structuredContent).toMatchObject({
          status: 'completed',
          result: expect.stringContaining('done it'),
        });
        expect(await client.read(`coord://tasks/${id}/log`)).toContain('done it');
        expect(await fileOnBranch(globalFolder, id, 'made.txt')).toBe('client');
      });
    }

    walk(['tools-tasks'], 'a task is created, polled for, listed and read with tools', async (on) => {
      const { next: since } = await tool(on, 'get_task_updates');
      const { repository, codebaseId } = await on.workplace();
      const made = await tool(on, 'create_task', {
        title: 'by tool',
        description: script('echo tool > made.txt', 'echo by tool'),
        codebase_id: codebaseId,
        agent_type: 'build',
        priority: 5,
      });
      expect(made).toMatchObject({ status: 'pending', title: 'by tool' });
      expect(await on.made(made.task_id, repository, 'made.txt')).toBe('tool\n');
      expect(await tool(on, 'get_task', { task_id: made.task_id })).toMatchObject({
        status: 'completed',
        priority: 5,
        agent_type: 'build',
      });
      const { tasks } = await tool(on, 'list_tasks', { status: 'completed', codebase_id: codebaseId });
      expect(tasks.map(({ id }: { id: string }) => id)).toEqual([made.task_id]);
      const statuses = await until('its changes', async () => {
        const { updates } = await tool(on, 'get_task_updates', { since, task_ids: [made.task_id] });
        return updates.length === 3 && updates.map(({ status }: { status: string }) => status);
      });
      expect(statuses).toEqual(['pending', 'running', 'completed']);
    });

    walk(['tools-cancel'], 'cancel_task ends a running task and what its agent started', async (on) => {
      const file = path.join(on.folder, 'pids');
      const made = await tool(on, 'create_task', {
        title: 'long',
        description: script(...leavesProcesses(file), 'sleep 600'),
        codebase_id: 'global',
      });
      const pids = await pidsIn(file);
      expect(await tool(on, 'cancel_task', { task_id: made.task_id })).toMatchObject({ status: 'cancelled' });
      await haveExited(pids);
    });

    walk(['tools-message'], 'send_message has the agent’s answer, and get_messages the conversation', async (on) => {
      const answer = await tool(on, 'send_message', { message: script('echo the answer is 42'), wait_seconds: 50 });
      expect(JSON.stringify(answer)).toContain('the answer is 42');
      const { messages } = await tool(on, 'get_messages', { conversation_id: answer.conversation_id });
      expect(messages.map(({ role }: { role: string }) => role)).toEqual(expect.arrayContaining(['user', 'agent']));
      expect(JSON.stringify(messages)).toContain('the answer is 42');
    });

    walk(
      ['tools-message-async'],
      'send_message_async returns a task id at once, whose answer is read later',
      async (on) => {
        const sent = await tool(on, 'send_message_async', { message: script('echo read later') });
        expect((await on.completed(sent.task_id)).result).toContain('read later');
        const { messages } = await tool(on, 'get_messages', { conversation_id: sent.conversation_id });
        expect(JSON.stringify(messages)).toContain('read later');
      },
    );

    walk(['tools-named-agent'], 'send_to_agent reaches the agent of that name and no other', async (on) => {
      // A tenant of its own: the worker would take other walks’ tasks for global too.
      [on.user, on.agent] = ['other', 'otheragent'];
      const repository = await on.repository();
      const named = await on.worker({ global: repository });
      const sent = await tool(on, 'send_to_agent', { agent_name: named.name, message: script('echo mine > made.txt') });
      expect(await on.completed(sent.task_id)).toMatchObject({ worker_id: named.id });
      expect(await fileOnBranch(repository, sent.task_id, 'made.txt')).toBe('mine');
      const nobody = await tool(on, 'send_to_agent', { agent_name: 'nobody-of-that-name', message: 'x' });
      expect(await on.get(nobody.task_id)).toMatchObject({ status: 'pending', waiting_reason: 'no_such_agent' });
      await tool(on, 'cancel_task', { task_id: nobody.task_id });
    });

    walk(
      ['tools-active-codebase', 'tools-codebases', 'tools-no-codebase'],
      'set_active_codebase sets where later tasks run; without one they are not picked up',
      async (on) => {
        const { repository, codebaseId } = await on.workplace();
        // The active codebase is kept by subject: the operator's is this walk's alone.
        const ours: Subject = 'operator';
        const waiting = await tool(on, 'create_task', { title: 'nowhere', description: script('echo never') }, ours);
        expect(JSON.stringify(await tool(on, 'list_codebases', {}, ours))).toContain(codebaseId);
        await tool(on, 'set_active_codebase', { codebase_id: codebaseId }, ours);
        expect(await tool(on, 'get_current_codebase', {}, ours)).toMatchObject({ codebase_id: codebaseId });
        const made = await tool(
          on,
          'create_task',
          { title: 'here', description: script('echo here > made.txt') },
          ours,
        );
        expect(await on.made(made.task_id, repository, 'made.txt')).toBe('here\n');
        expect(await tool(on, 'get_task', { task_id: waiting.task_id })).toMatchObject({
          status: 'pending',
          waiting_reason: 'no_codebase',
        });
        await tool(on, 'cancel_task', { task_id: waiting.task_id }, ours);
      },
    );

    walk(['tools-agents'], 'an agent registers, keeps itself visible and is discovered and described', async (on) => {
      // The service account of an agent.
      on.user = 'agent';
      const worker = await on.worker();
      const name = `agent-of-${worker.name}`;
      await tool(on, 'register_agent', { name, description: 'Paints.', capabilities: ['painting'] });
      await tool(on, 'refresh_agent_heartbeat', { agent_name: name });
      const found = JSON.stringify(await tool(on, 'discover_agents', { limit: 100 }));
      expect([found.includes(name), found.includes(worker.name)]).toEqual([true, true]);
      expect(JSON.stringify(await tool(on, 'get_agent', { agent_name: name }))).toContain('Paints.');
      expect(JSON.stringify(await tool(on, 'get_agent_card'))).toContain('"streaming":true');
    });
  },
);
