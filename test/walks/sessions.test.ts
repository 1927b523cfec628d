// Sessions that workers push and people resume, and people who step in while an agent works. core-2.7, core-4.5.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { startScriptedModel } from '../support/agents/scripted-model.ts';
import { until } from '../support/until.ts';
import { script } from '../support/worker/local-worker.ts';
import { haveExited, pidsIn } from '../support/worker/left-processes.ts';
import { leavesProcesses, untilThere } from './support/prompts.ts';
import type { WalkContext } from './support/walk-context.ts';
import { walks } from './support/walk.ts';

/** The built-in agent that asks a model at this address. */
const modelAgent = (url: string): Record<string, string> => ({
  A2A_AGENT_BIN: 'model',
  MODEL_PROVIDER_ENDPOINT: `${url}/v1`,
  MODEL_PROVIDER_API_KEY: 'key-of-the-scripted-model',
  MODEL_DEPLOYMENT_NAME: 'scripted',
  A2A_WORKER_SESSION_SYNC_SECONDS: '1',
});

async function intervene(on: WalkContext, body: Record<string, unknown>): Promise<string> {
  return (await on.must(202, 'POST', '/v1/monitor/intervene', { as: 'operator', body })).intervention.id;
}

async function settled(on: WalkContext, id: string): Promise<unknown> {
  return until('the worker answered the intervention', async () => {
    const { intervention } = await on.must(200, 'GET', `/v1/monitor/interventions/${id}`, { as: 'viewer' });
    return ['queued', 'sent'].includes(intervention.status) ? undefined : intervention;
  });
}

walks('sessions and interventions', { on: ['replicas'] }, (walk) => {
  walk(
    ['session-sync'],
    'a session shows within the interval of the sync, with summaries and the tools that were used',
    async (on) => {
      const model = on.use(
        await startScriptedModel([
          { write: 'made.txt', content: 'made\n' },
          { read: 'made.txt' },
          { reply: 'I wrote made.txt.' },
        ]),
      );
      const { worker, repository, codebaseId } = await on.workplace({ env: modelAgent(model.url) });
      const body = { title: 'a session', prompt: 'Write the file made.txt.' };
      const { task } = await on.must(201, 'POST', `/v1/agent/codebases/${codebaseId}/tasks`, { body });
      expect(await on.made(task.id, repository, 'made.txt')).toBe('made\n');
      const where = `/v1/agent/codebases/${codebaseId}/sessions`;
      // A push within the interval may show the session half-way: before the answer, and without the last tool.
      const session = await until(
        'the session is pushed with its answer',
        async () => {
          const { sessions } = await on.must(200, 'GET', where, { as: 'viewer' });
          return sessions.find(({ message_count }: { message_count: number }) => message_count === 2);
        },
        100_000,
      );
      expect(session).toMatchObject({
        title: 'a session',
        agent: 'model',
        worker_id: worker.id,
        message_count: 2,
        tool_usage: { write: 1, read: 1 },
      });
      // A worker pushes a session first, and its messages in a second call.
      const messages = await until('the messages of the session are pushed', async () => {
        const page = await on.must(200, 'GET', `${where}/${session.session_id}/messages`, { as: 'viewer' });
        return page.messages.length === session.message_count && page.messages;
      });
      expect(messages.map(({ role, summary }: { role: string; summary: string }) => [role, summary])).toEqual([
        ['user', expect.stringContaining('Write the file made.txt.')],
        ['agent', expect.stringContaining('I wrote made.txt.')],
      ]);
    },
  );

  walk(
    ['session-sync', 'session-resume'],
    'a worker pushes its sessions when it stops; one is resumed with the next',
    async (on) => {
      const { worker, repository, codebaseId } = await on.workplace();
      const body = { prompt: script('echo one > one.txt'), title: 'to be resumed', agent: 'build' };
      const { task_id: first, session_id: session } = await on.must(
        202,
        'POST',
        `/v1/agent/codebases/${codebaseId}/trigger`,
        { body },
      );
      await on.completed(first);
      expect(await worker.stop()).toBe(0);
      const where = `/v1/agent/codebases/${codebaseId}/sessions`;
      expect(await on.must(200, 'GET', `${where}/${session}`)).toMatchObject({
        session: { title: 'to be resumed', codebase_id: codebaseId, agent: 'command' },
      });
      expect((await on.must(200, 'GET', `${where}?q=resumed`)).sessions).toMatchObject([{ session_id: session }]);
      await worker.start();
      const resumed = await on.call('POST', `${where}/${session}/resume`, {
        body: { prompt: script('echo two > two.txt') },
      });
      expect(resumed.status).toBeLessThan(300);
      const next = resumed.body.task_id ?? resumed.body.task.id;
      expect(await on.made(next, repository, 'two.txt')).toBe('two\n');
      expect(await on.get(next)).toMatchObject({
        conversation_id: (await on.get(first)).conversation_id,
        codebase_id: codebaseId,
        worker_id: worker.id,
      });
      await worker.stop();
      const { messages } = await on.must(200, 'GET', `${where}/${session}/messages`);
      expect(messages.length).toBeGreaterThanOrEqual(4);
    },
  );

  walk(['intervene-pause'], 'a paused agent stands still until it is resumed', async (on) => {
    const { worker, repository, codebaseId } = await on.workplace();
    const [gate, count] = [path.join(on.folder, 'gate'), path.join(on.folder, 'count')];
    const id = await on.task(codebaseId, [
      'echo begun',
      untilThere(gate),
      `echo on >> '${count}'`,
      'echo went on > made.txt',
    ]);
    await on.printed(id, 'begun');
    expect(await settled(on, await intervene(on, { task_id: id, action: 'pause' }))).toMatchObject({
      status: 'delivered',
      worker_id: worker.id,
    });
    await writeFile(gate, '');
    expect(await settled(on, await intervene(on, { agent_id: worker.name, action: 'resume' }))).toMatchObject({
      status: 'delivered',
    });
    expect(await on.made(id, repository, 'made.txt')).toBe('went on\n');
    const { events } = await on.must(200, 'GET', `/v1/agent/tasks/${id}/events?limit=1000`);
    const outputText = events
      .filter(({ type }: { type: string }) => type === 'intervention')
      .map(({ data }: { data: { action: string; status: string } }) => `${data.action} ${data.status}`);
    expect(outputText).toEqual(expect.arrayContaining(['pause delivered', 'resume delivered']));
  });

  walk(
    ['intervene-cancel', 'role-refused'],
    'an intervention cancels a running task; who may not step in is refused',
    async (on) => {
      const { codebaseId } = await on.workplace();
      const file = path.join(on.folder, 'pids');
      const id = await on.task(codebaseId, [...leavesProcesses(file), 'sleep 600']);
      const pids = await pidsIn(file);
      const body = { task_id: id, action: 'cancel', message: 'No longer needed.' };
      expect((await on.call('POST', '/v1/monitor/intervene', { as: 'viewer', body })).status).toBe(403);
      expect(await settled(on, await intervene(on, body))).toMatchObject({ status: 'delivered' });
      await haveExited(pids);
      expect((await on.ended(id)).status).toBe('cancelled');
    },
  );

  walk(['intervene-message'], 'a message reaches an agent that works, and it takes it into account', async (on) => {
    const [modelReached, held] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const model = on.use(
      await startScriptedModel([
        async () => {
          modelReached.resolve(undefined);
          await held.promise;
          return { read: 'kept.txt' };
        },
        ({ raw }) => ({ write: 'colour.txt', content: raw.includes('Use the blue one.') ? 'blue\n' : 'unknown\n' }),
        { reply: 'It is done.' },
      ]),
    );
    const { repository, codebaseId } = await on.workplace({ env: modelAgent(model.url) });
    const { task } = await on.must(201, 'POST', `/v1/agent/codebases/${codebaseId}/tasks`, {
      body: { title: 'colours', prompt: 'Choose a colour.' },
    });
    await modelReached.promise;
    const id = await intervene(on, { task_id: task.id, action: 'message', message: 'Use the blue one.' });
    await until('the worker has it', async () => {
      const { intervention } = await on.must(200, 'GET', `/v1/monitor/interventions/${id}`);
      return intervention.status !== 'queued';
    });
    held.resolve(undefined);
    expect(await settled(on, id)).toMatchObject({ status: 'delivered' });
    expect(await on.made(task.id, repository, 'colour.txt')).toBe('blue\n');
  });
});
