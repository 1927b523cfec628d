// A2A as the document writes it, and as the official clients of both versions speak it over both bindings.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { openOfficialClient, clientVariants, type ClientVariant } from '../support/a2a/official-clients.ts';
import type { ApiReply } from '../support/service.ts';
import { openStream } from '../support/client/sse.ts';
import { script } from '../support/worker/local-worker.ts';
import { haveExited, pidsIn } from '../support/worker/left-processes.ts';
import { until } from '../support/until.ts';
import { requestsInput, leavesProcesses, untilThere } from './support/prompts.ts';
import { fileOnBranch } from './support/repository.ts';
import type { WalkContext } from './support/walk-context.ts';
import { walks, type Walk } from './support/walk.ts';

let globalFolder = '';

async function rpc(on: WalkContext, where: string, method: string, params: unknown): Promise<ApiReply['body']> {
  const { result } = await on.must(200, 'POST', where, { body: { jsonrpc: '2.0', id: 'walk-1', method, params } });
  if (result === undefined) throw new Error(`${method} has no result`);
  return result;
}

const message = (text: string, fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  messageId: crypto.randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...fields,
});

function clientWalks(walk: Walk, line: ClientVariant): void {
  walk(['a2a-send', 'a2a-get'], `the official client of ${line} sends, waits and has the outcome`, async (on) => {
    const client = await openOfficialClient(on.caller(), line);
    const done = await client.send(script('echo made > made.txt', 'echo hello from the agent'), {}, true);
    expect([done.state, done.statusText]).toEqual(['completed', expect.stringContaining('hello from the agent')]);
    expect(done.artifacts).toBeGreaterThanOrEqual(2);
    expect(await (await openOfficialClient(on.caller(), line)).get(done.id)).toMatchObject({
      id: done.id,
      state: 'completed',
    });
    expect(await fileOnBranch(globalFolder, done.id, 'made.txt')).toBe('made');
  });

  walk(['a2a-stream'], `the official client of ${line} streams a task to its end`, async (on) => {
    const client = await openOfficialClient(on.caller(), line);
    const seen: string[] = [];
    let id = '';
    for await (const event of client.stream(script('echo streamed > made.txt', 'echo done'))) {
      seen.push(event.what);
      id = event.id;
    }
    expect(seen[0]).toMatch(/^task /);
    expect(seen.filter((what) => what === 'artifact').length).toBeGreaterThanOrEqual(2);
    expect(seen.at(-1)).toMatch(/ completed$/);
    expect(await fileOnBranch(globalFolder, id, 'made.txt')).toBe('streamed');
  });

  walk(['a2a-cancel'], `the official client of ${line} cancels a running task`, async (on) => {
    const client = await openOfficialClient(on.caller(), line);
    const file = path.join(on.folder, 'pids');
    const { id } = await client.send(script(...leavesProcesses(file), 'sleep 600'));
    const pids = await pidsIn(file);
    expect((await client.cancel(id)).state).toBe('canceled');
    await haveExited(pids);
    expect(await on.get(id)).toMatchObject({ status: 'cancelled' });
  });

  walk(
    ['a2a-resubscribe'],
    `the official client of ${line} is cut off, subscribes at the other replica, and has the end`,
    async (on) => {
      const client = await openOfficialClient(on.caller(undefined, 0), line);
      const gate = path.join(on.folder, 'gate');
      let id = '';
      for await (const event of client.stream(script('echo begun', untilThere(gate), 'echo ended > made.txt'))) {
        id = event.id;
        if (event.what.endsWith('working')) break;
      }
      const later = await openOfficialClient(on.caller(undefined, 1), line);
      const seen: string[] = [];
      for await (const { what } of later.resubscribe(id)) {
        if (seen.push(what) === 1) await writeFile(gate, '');
      }
      expect([seen[0], seen.at(-1)]).toEqual(['task working', expect.stringMatching(/ completed$/)]);
      expect(await fileOnBranch(globalFolder, id, 'made.txt')).toBe('ended');
    },
  );

  walk(['a2a-question'], `the official client of ${line} answers what the agent asks`, async (on) => {
    const client = await openOfficialClient(on.caller(), line);
    const needsInput = await client.send(script(...requestsInput('Which colour?')), {}, true);
    expect([needsInput.state, needsInput.statusText]).toEqual([
      'input-required',
      expect.stringContaining('Which colour?'),
    ]);
    const { id, contextId } = needsInput;
    const done = await client.send('Blue.', { taskId: id, contextId }, true);
    expect([done.id, done.state, done.statusText]).toEqual([id, 'completed', expect.stringContaining('read Blue.')]);
  });
}

async function resident(context: WalkContext): Promise<void> {
  globalFolder = await context.repository();
  await context.worker({ global: globalFolder, slots: 6, capabilities: ['agent', 'painting'] });
}

walks('A2A', { on: ['embedded', 'replicas'], prepare: resident }, (walk) => {
  for (const line of clientVariants) clientWalks(walk, line);

  walk(
    ['a2a-card', 'refused-without-token'],
    'the card is there for who has a bearer, and names what it can',
    async (on) => {
      const where = '/.well-known/agent-card.json';
      expect(await on.must(401, 'GET', where, { token: null })).toMatchObject({ code: expect.any(String) });
      const card = await on.must(200, 'GET', where, { as: 'viewer', at: 0 });
      expect(card).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        version: '1.2.0',
        url: expect.stringContaining(on.deployment.at(0).url),
        capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: expect.any(Boolean) },
      });
      expect(card.skills[0]).toMatchObject({
        id: expect.any(String),
        name: expect.any(String),
        description: expect.any(String),
      });
      await rpc(on, new URL(card.url).pathname, 'tasks/list', {});
    },
  );

  walk(
    ['a2a-legacy', 'a2a-get'],
    'the legacy form on POST / is answered by the wrapper, and its task is done',
    async (on) => {
      const parts = [{ type: 'text', content: script('echo legacy > made.txt', 'echo old words') }];
      const { task, message: reply } = await rpc(on, '/', 'message/send', { message: { parts } });
      expect([task.status.state, reply.parts]).toEqual(['submitted', expect.any(Array)]);
      await on.completed(task.id);
      const done = await rpc(on, '/v1/a2a', 'tasks/get', { id: task.id });
      expect(done).toMatchObject({ id: task.id, status: { state: 'completed' } });
      expect(JSON.stringify(done)).toContain('old words');
      expect(await fileOnBranch(globalFolder, task.id, 'made.txt')).toBe('legacy');
    },
  );

  walk(
    ['a2a-list', 'a2a-extensions'],
    'a message names codebase, capability, priority and conversation; its task is listed',
    async (on) => {
      const { worker, repository, codebaseId } = await on.workplace({ capabilities: ['carving'] });
      const contextId = crypto.randomUUID();
      const metadata = {
        codebase_id: codebaseId,
        required_capabilities: ['carving'],
        priority: 7,
        agent_type: 'build',
      };
      const send = { message: message(script('echo carved > made.txt'), { contextId, metadata }) };
      const sent = await rpc(on, '/a2a/jsonrpc', 'message/send', send);
      expect(await on.made(sent.id, repository, 'made.txt')).toBe('carved\n');
      expect(await on.get(sent.id)).toMatchObject({ worker_id: worker.id, priority: 7, conversation_id: contextId });
      const list = await rpc(on, '/a2a/jsonrpc', 'tasks/list', { contextId });
      expect(list.tasks.map(({ id }: { id: string }) => id)).toEqual([sent.id]);
      const elsewhere = { codebase_id: codebaseId, required_capabilities: ['flying'] };
      const waiting = await rpc(on, '/a2a/jsonrpc', 'message/send', {
        message: message('x', { metadata: elsewhere }),
      });
      expect(await on.get(waiting.id)).toMatchObject({
        status: 'pending',
        waiting_reason: 'no_worker_with_capability',
      });
      await rpc(on, '/a2a/jsonrpc', 'tasks/cancel', { id: waiting.id });
    },
  );

  walk(['a2a-rest', 'a2a-get', 'a2a-cancel'], 'the REST binding does as the document writes it', async (on) => {
    const send = (text: string) =>
      on.must(200, 'POST', '/a2a/rest/message:send', { body: { message: { role: 'user', parts: [{ text }] } } });
    const sent = await send(script('echo rest > made.txt', 'echo rested'));
    const id = sent.task?.id ?? sent.id;
    await on.completed(id);
    const got = await on.must(200, 'GET', `/a2a/rest/tasks/${id}`);
    expect(JSON.stringify(got)).toContain('rested');
    expect(await fileOnBranch(globalFolder, id, 'made.txt')).toBe('rest');
    const file = path.join(on.folder, 'pids');
    const running = await send(script(...leavesProcesses(file), 'sleep 600'));
    const pids = await pidsIn(file);
    const cancelled = await on.must(200, 'POST', `/a2a/rest/tasks/${running.task?.id ?? running.id}:cancel`);
    expect((cancelled.task ?? cancelled).status.state).toBe('canceled');
    await haveExited(pids);
    const body = { message: { role: 'user', parts: [{ text: script('echo by stream') }] } };
    const stream = await on.call('POST', '/a2a/rest/message:stream', {
      body,
      headers: { accept: 'text/event-stream' },
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.body).toContain('by stream');
    expect(String(stream.body).trim().split('data:').at(-1)).toContain('completed');
  });

  walk(['a2a-resubscribe'], 'tasks/subscribe continues after the last event of a cut stream', async (on) => {
    const gate = path.join(on.folder, 'gate');
    const id = await on.task('global', ['echo one', untilThere(gate), 'echo two']);
    await on.printed(id, 'one');
    const where = `/a2a/rest/tasks/${id}:subscribe`;
    await using first = await openStream(on.caller(undefined, 0), where);
    const cut = await first.next();
    await first.close();
    await writeFile(gate, '');
    await on.completed(id);
    await using rest = await openStream(on.caller(undefined, 1), where, { lastEventId: cut?.id });
    await rest.ended;
    expect(JSON.stringify(rest.frames)).toContain('two');
    expect(JSON.stringify(rest.frames.at(-1))).toContain('completed');
  });

  walk(['a2a-push'], 'each change of a task is pushed to the address of its config, with its token', async (on) => {
    const receiver = await on.receiver();
    const config = { url: `${receiver.url}/push`, token: 'token-of-the-push-receiver' };
    const configuration = { pushNotificationConfig: config };
    const sent = await rpc(on, '/a2a/jsonrpc', 'message/send', {
      message: message(script(...requestsInput('Which one?'))),
      configuration,
    });
    await on.inState(sent.id, 'needs_input');
    await rpc(on, '/a2a/jsonrpc', 'message/send', {
      message: message('The left one.', { taskId: sent.id, contextId: sent.contextId }),
    });
    await on.completed(sent.id);
    await until('the end is pushed', () => receiver.on('/push').some(({ json }) => json.status.state === 'completed'));
    // One that arrived may come again, under the same id.
    const ids = receiver.on('/push').map(({ headers }) => headers['webhook-id']);
    const arrivals = receiver.on('/push').filter((_, at) => ids.indexOf(ids[at]) === at);
    const states = arrivals.map(({ json }) => json.status.state);
    expect(states).toEqual(['working', 'input-required', 'submitted', 'working', 'completed']);
    expect(JSON.stringify(arrivals.at(-1)?.json)).toContain('read The left one.');
    for (const { json, headers } of arrivals) {
      expect([json.id, headers['x-a2a-notification-token']]).toEqual([sent.id, 'token-of-the-push-receiver']);
    }
    const other = await openOfficialClient(on.caller(), 'v1.0 JSON-RPC');
    const { id } = await other.send(script('sleep 600'));
    await other.setPush(id, { id: 'mine', url: `${receiver.url}/new` });
    expect(await other.listPush(id)).toMatchObject([{ id: 'mine' }]);
    await other.cancel(id);
    await receiver.arrived('/new');
    expect(JSON.stringify(receiver.on('/new').at(-1)?.json)).toMatch(/TASK_STATE_(CANCELED|WORKING)/);
  });
});
