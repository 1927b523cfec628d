// The main job, end to end: a client submits, a worker runs a real agent program in a real repository, the client
// follows live and reads result, diff and log; the agent's model is a scripted one on loopback.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { agentProgram, agentSettings, installDeadlineMs, type AgentName } from '../../../support/agents/real-agents.ts';
import { startScriptedModel, type ScriptedModel, type Step } from '../../../support/agents/scripted-model.ts';
import { openStream } from '../../../support/client/sse.ts';
import { until } from '../../../support/until.ts';
import {
  applyTo,
  copyRepository,
  readFiles,
  openRunFixture,
  type RunFixture,
} from '../../../support/worker/run-fixture.ts';
import { localWorker, taskIn, type LocalWorker } from '../../../support/worker/local-worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Stage extends AsyncDisposable {
  readonly fixture: RunFixture;
  readonly worker: LocalWorker;
  readonly codebaseId: string;
  readonly model: string | null;
}

/** A worker whose agent asks the model at `url`, holding the scene's repository in place. `acp`: how it speaks that. */
async function stage(name: AgentName, url: string, acp = ''): Promise<Stage> {
  const program = await agentProgram(name);
  const fixture = await openRunFixture();
  await fixture.write('edited.txt', 'first line\nsecond line\n');
  await fixture.write('deleted.txt', 'to go\n');
  await fixture.write('old.txt', 'a text that stays\nthe same\nwhile it moves\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  await fixture.write('edited.txt', 'first line\nsecond line\nthe line of the user\n');
  const settings = await agentSettings(name, join(fixture.root, 'home'), url);
  const codebases = [{ name: 'repo', path: fixture.repo, workspace_mode: 'in_place' }];
  const flags = {
    agent_bin: acp === '' ? program : `acp:${program} ${acp}`,
    allow_command: false,
    worker_name: `with-${name}-${fixture.root.slice(-6)}`,
    codebases,
  };
  const worker = await localWorker(service, flags, { env: { ...fixture.env, ...settings.env } });
  const { body } = await service.call('GET', `/v1/agent/codebases?worker_id=${worker.id}`);
  const found = body.codebases.find((codebase: { name: string }) => codebase.name === 'repo');
  return {
    fixture,
    worker,
    codebaseId: found.codebase_id,
    // A program that has a dialogue gets a model only from its own list.
    model: acp === '' ? settings.model : null,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** The model that a task names, if it names one. */
function named({ model }: Stage): { model?: string } {
  return model === null ? {} : { model };
}

const changes: Step[] = [
  { write: 'new/created.txt', content: 'created\n' },
  { read: 'edited.txt' },
  { edit: 'edited.txt', from: 'second line', to: 'another line' },
  { bash: 'rm deleted.txt && mv old.txt renamed.txt' },
  { reply: 'Everything is changed.' },
];

const stages: [AgentName, string][] = [
  ['pi', ''],
  ['claude', ''],
  ['gemini', ''],
  ['gemini', '--acp'],
];

describe.each(stages)('%s %s through the service', { timeout: installDeadlineMs }, (name, acp) => {
  it('changes a dirty repository; the client follows live, and its diff applies [core-1.2, core-1.2.2, core-1.4.2, choices-5.60]', async () => {
    await using model = await startScriptedModel(changes);
    await using on = await stage(name, model.url, acp);
    const before = await copyRepository(on.fixture);
    const task = await service.task({ codebase_id: on.codebaseId, prompt: 'Change everything.', ...named(on) });
    await using stream = await openStream(service, `/v1/agent/tasks/${task.id}/events`);
    await stream.ended;
    const done = await taskIn(service, task.id, 'completed', 'failed');
    expect(done).toMatchObject({ status: 'completed', error: null, result: 'Everything is changed.', attempt: 1 });
    const log = (await service.call('GET', `/v1/agent/tasks/${task.id}/events?limit=1000`)).body.events;
    expect(done).toMatchObject({ usage: { input_tokens: 500, output_tokens: 50 } });
    expect(stream.frames.map((frame) => frame.data)).toEqual(log);
    const { artifact } = (await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts/diff`)).body;
    expect(artifact.mime_type).toBe('text/x-diff');
    await applyTo(on.fixture, before, artifact.text);
    expect(Object.keys(await readFiles(before))).toEqual(['edited.txt', 'new/created.txt', 'renamed.txt']);
    expect(await readFiles(before)).toEqual(await readFiles(on.fixture.repo));
    const files = (await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts/files`)).body.artifact.data;
    expect(files.map((file: { path: string; status: string }) => [file.path, file.status])).toEqual([
      ['deleted.txt', 'deleted'],
      ['edited.txt', 'modified'],
      ['new/created.txt', 'added'],
      ['renamed.txt', 'renamed'],
    ]);
  });
});

describe('a real agent through the service', { timeout: installDeadlineMs }, () => {
  it.each<[AgentName, string]>([
    ['claude', ''],
    ['gemini', '--acp'],
  ])('(%s %s) is killed by a cancel in the middle of its run, and what it changed stays visible', async (name, acp) => {
    await using model: ScriptedModel = await startScriptedModel([
      { write: 'half.txt', content: 'half\n' },
      { hang: true },
    ]);
    await using on = await stage(name, model.url, acp);
    const task = await service.task({ codebase_id: on.codebaseId, prompt: 'Never end.', ...named(on) });
    await model.reached(2);
    const reply = await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    expect(reply.body.task.status).toBe('cancelled');
    const diff = await until('the diff of the killed run', async () => {
      const { status, body } = await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts/diff`);
      return status === 200 && body.artifact.text;
    });
    expect(diff).toContain('+half');
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task.status).toBe('cancelled');
  });

  it('whose model is away ends in failed, with a reason that names the model', async () => {
    const model = await startScriptedModel([]);
    const { url } = model;
    await model[Symbol.asyncDispose]();
    await using on = await stage('claude', url);
    const task = await service.task({ codebase_id: on.codebaseId, prompt: 'Try.', ...named(on), max_attempts: 1 });
    const done = await taskIn(service, task.id, 'completed', 'failed');
    expect(done).toMatchObject({ status: 'failed', error: { code: 'model_unreachable' } });
  });
});
