// A PRD chat on two replicas with real agents: the replica that a person talks to is killed with -9 in the middle of a
// turn. The other one shows the rest of the answer, and the edit is there once.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentProgramOr, agentSettings } from '../support/agents/real-agents.ts';
import { startScriptedModel, type PlainStep } from '../support/agents/scripted-model.ts';
import { openStream } from '../support/client/sse.ts';
import { cloneDatabase, type TestDatabase } from '../support/database/database.ts';
import { FrontProxy } from '../support/peers/front-proxy.ts';
import { answerText, chatStory, draftOps, sessionsPath } from '../support/runs/prd-chat.ts';
import { until } from '../support/until.ts';
import { repository, workerFolder } from '../support/worker/local-worker.ts';
import { workerProcess } from '../support/worker/worker-process.ts';
import { startReplica, type Replica } from './support/replica.ts';

let db: TestDatabase;
let one: Replica;
let two: Replica;
let proxy: FrontProxy;
beforeAll(async () => {
  db = await cloneDatabase();
  one = await startReplica(db.service, {});
  two = await startReplica(db.service, {});
  proxy = await FrontProxy.start([one.port, two.port]);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const token = (who: string): string => `token-of-the-${who}`;
const authorization = { authorization: `Bearer ${token('editor')}` };

// The body of any operation: the test looks at what it expects of it.
// oxlint-disable-next-line typescript/no-explicit-any
async function call(url: string, method: string, path: string, body?: unknown): Promise<any> {
  const headers = { ...authorization, 'content-type': 'application/json' };
  const reply = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  return JSON.parse(text);
}

test.for(['model', 'claude'] as const)(
  'an answer of %s comes once, whichever replica is killed while it is written [runs-7.5, runs-13.5]',
  async (agent, running) => {
    await using opening = new AsyncDisposableStack();
    const released = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const rename = { ops: [{ op: 'upsert_story', story: chatStory('US-002', { title: 'Renamed' }) }] };
    const answer = async ({ raw }: { raw: string }): Promise<PlainStep> => {
      if (raw.includes('Rename the second.')) return { reply: answerText(rename) };
      begun.resolve();
      await released.promise;
      return { reply: answerText({ reply: 'Drafted.', ops: draftOps('US-001', 'US-002') }) };
    };
    const model = opening.use(await startScriptedModel([answer]));
    const folder = opening.use(await workerFolder());
    const work = await repository(join(folder.path, 'work'));
    const home = join(folder.path, 'home');
    await mkdir(home);
    const program = agent === 'model' ? 'model' : await agentProgramOr(running, agent);
    const { env } = agent === 'model' ? { env: {} } : await agentSettings(agent, home, model.url);
    const config = join(folder.path, 'worker.json');
    const codebases = [{ name: agent, path: work }];
    const endpoint = { model_provider_endpoint: `${model.url}/v1`, model_deployment_name: 'scripted' };
    await writeFile(config, JSON.stringify({ codebases, global: false, ...(agent === 'model' && endpoint) }));
    const worker = opening.use(
      workerProcess({ url: proxy.url, token }, folder.path, {
        A2A_WORKER_NAME: agent,
        A2A_WORKER_CONFIG: config,
        A2A_AGENT_BIN: program,
        A2A_WORKER_ALLOW_COMMAND: 'false',
        DATA_DIR: join(folder.path, 'data'),
        HOME: home,
        ...env,
      }),
    );
    await until('the worker is registered', () => worker.logged().includes('registered'), 60_000);
    const { codebases: known } = await call(two.url, 'GET', '/v1/agent/codebases');
    const codebase = known.find(({ name }: { name: string }) => name === agent);

    const { session } = await call(one.url, 'POST', sessionsPath, { codebase_id: codebase.codebase_id });
    const path = `${sessionsPath}/${session.id}`;
    const broken = fetch(`${one.url}${path}/messages`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ message: 'We need a login.' }),
    }).then((reply) => reply.text());
    const outcome = broken.then(
      () => 'over',
      () => 'broken',
    );
    await begun.promise;
    await one.kill();
    expect(await outcome).toBe('broken');
    await using stream = await openStream({ url: two.url, token }, `${path}/events`, { as: 'editor' });
    await stream.take('turn');
    released.resolve();
    await stream.take('done');
    await stream.ended;
    const events = stream.frames.map(({ event }) => event);
    expect(events.filter((event) => event === 'done' || event === 'prd')).toEqual(['prd', 'done']);

    for (const { url } of [one, two]) {
      const { turns } = await call(url, 'GET', `${path}/turns`);
      expect(turns.map(({ role, status }: Record<string, string>) => [role, status])).toEqual([
        ['user', 'answered'],
        ['assistant', 'answered'],
      ]);
      expect((await call(url, 'GET', `${path}/versions`)).versions).toHaveLength(1);
    }
    // The killed one is there again, and takes the next message.
    const next = await call(one.url, 'POST', `${path}/messages`, { message: 'Rename the second.' });
    expect(next).toMatchObject({ version: 2, turn: { status: 'answered', source: 'agent' } });
    expect(next.prd.userStories.map(({ title }: { title: string }) => title)).toEqual(['Story US-001', 'Renamed']);
  },
);
