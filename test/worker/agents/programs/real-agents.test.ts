// Real agent programs, driven by a scripted model on loopback, work in real repositories.
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectAgents } from '../../../../src/worker/agents/detect.ts';
import { programKinds } from '../../../../src/worker/agents/programs/programs.ts';
import type { TaskOutcome } from '../../../../src/worker/report/task-outcome.ts';
import {
  agentNames,
  agentProgram,
  agentProgramOr,
  agentSettings,
  agentVersion,
  installDeadlineMs,
  type AgentName,
} from '../../../support/agents/real-agents.ts';
import { startScriptedModel, type Step } from '../../../support/agents/scripted-model.ts';
import {
  applyTo,
  artifactOf,
  copyRepository,
  diffOf,
  readFiles,
  openRunFixture,
  type RunFixture,
} from '../../../support/worker/run-fixture.ts';

/** opencode and gemini need ten seconds and more for what the others do in one. */
const fullScale = process.env['SCALE'] === 'full';

interface RunOptions {
  task?: Parameters<RunFixture['execute']>[0];
  options?: Parameters<RunFixture['execute']>[1];
}

/** Runs one task with a real agent whose model is at `url`. */
async function work(
  fixture: RunFixture,
  name: AgentName,
  program: string,
  url: string,
  runOptions: RunOptions = {},
): Promise<TaskOutcome> {
  const settings = await agentSettings(name, join(fixture.root, 'home'), url);
  const env = { ...fixture.env, ...settings.env };
  const [agent] = await detectAgents({ agentBin: program, env, allowCommand: false });
  if (agent === undefined) throw new Error('no agent');
  expect(agent).toMatchObject({ name, version: expect.stringMatching(/^\d+\.\d+/) });
  return fixture.execute(
    { model: settings.model, ...runOptions.task },
    { agent, env, timeoutMs: 150_000, ...runOptions.options },
  );
}

async function dirtyRepository(fixture: RunFixture): Promise<void> {
  await fixture.write('edited.txt', 'first line\nsecond line\n');
  await fixture.write('deleted.txt', 'to go\n');
  await fixture.write('old.txt', 'a text that stays\nthe same\nwhile it moves\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  await fixture.write('edited.txt', 'first line\nsecond line\nthe line of the user\n');
  await fixture.write('untracked.txt', 'of the user\n');
}

const changeEverything: Step[] = [
  { write: 'new/created.txt', content: 'created\n' },
  { read: 'edited.txt' },
  { edit: 'edited.txt', from: 'second line', to: 'another line' },
  { bash: 'rm deleted.txt && mv old.txt renamed.txt' },
  { reply: 'Everything is changed.' },
];

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

describe.each(agentNames)('%s', { timeout: installDeadlineMs }, (name) => {
  test('creates, edits, deletes and renames files in a dirty repository, and its diff applies [choices-5.53, choices-5.59, choices-5.31]', async (context) => {
    const program = await agentProgramOr(context, name);
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const before = await copyRepository(fixture);
    await using model = await startScriptedModel(changeEverything);
    const mode = name === 'pi' ? 'in_place' : 'worktree';
    const prompt = 'Change everything, please.';
    const options = { binding: { codebaseId: 'c', path: fixture.repo, mode } } as const;
    const outcome = await work(fixture, name, program, model.url, { task: { prompt }, options });

    expect(outcome).toMatchObject({
      status: 'completed',
      result: 'Everything is changed.',
      usage: { input_tokens: 500, output_tokens: 50, duration_ms: expect.any(Number) },
    });
    expect(artifactOf(outcome, 'files')?.data).toEqual([
      { path: 'deleted.txt', status: 'deleted', added: 0, removed: 1 },
      { path: 'edited.txt', status: 'modified', added: 1, removed: 1 },
      { path: 'new/created.txt', status: 'added', added: 1, removed: 0 },
      { path: 'renamed.txt', status: 'renamed', old_path: 'old.txt', added: 0, removed: 0 },
    ]);
    await applyTo(fixture, before, diffOf(outcome));
    expect(Object.keys(await readFiles(before))).toEqual([
      'edited.txt',
      'new/created.txt',
      'renamed.txt',
      'untracked.txt',
    ]);
    expect(model.requests[0]?.raw).toContain(prompt);
    expect(fixture.output('agent')).toContain('Everything is changed.');
    expect(fixture.output()).not.toContain('{"type"');
  });
});

/** The oldest version that each adapter says it works with. */
const oldest = programKinds.flatMap(({ name, needs }) => {
  const agent = agentNames.find((known) => known === name);
  return agent === undefined ? [] : ([[agent, needs.oldest]] as const);
});
/** Each is a download of its own. */
const versions = fullScale ? [...oldest, ['claude', '2.1.197'] as const] : [];

test.each(versions)(
  'an older version, of %s %s, does a task that writes, and none that may not',
  { timeout: 2 * installDeadlineMs },
  async (name, version) => {
    const program = await agentVersion(name, version);
    await using fixture = await openRunFixture();
    await using writing = await startScriptedModel([{ bash: 'echo x > new.txt' }, { reply: 'Made.' }]);
    const made = await work(fixture, name, program, writing.url);
    expect(made).toMatchObject({ status: 'completed', result: 'Made.' });
    expect(artifactOf(made, 'files')?.data).toMatchObject([{ path: 'new.txt', status: 'added' }]);
    await using reading = await startScriptedModel([{ reply: 'The plan.' }]);
    const plan = await work(fixture, name, program, reading.url, { task: { agent_type: 'plan' } });
    expect(plan).toMatchObject({ status: 'completed', result: 'The plan.' });
  },
);

describe(
  'a model that cannot be reached ends the run with a clear reason [choices-5.58]',
  { timeout: installDeadlineMs },
  () => {
    // opencode tries for more than a minute before it gives up.
    const patient = fullScale ? agentNames : agentNames.filter((name) => !['opencode', 'gemini'].includes(name));
    test.each(patient)('%s', async (name) => {
      const program = await agentProgram(name);
      await using fixture = await openRunFixture();
      const options = { modelPatienceMs: 2_000, timeoutMs: 200_000 };
      const outcome = await work(fixture, name, program, await closedPort(), { options });
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_unreachable' }, artifacts: [] });
      expect(outcome.error?.message).toMatch(/connect|network|reach/i);
    });
  },
);

describe('a run of a real agent', { timeout: installDeadlineMs }, () => {
  test('keeps the edits visible when its model fails in the middle', async (context) => {
    const program = await agentProgramOr(context, 'claude');
    await using fixture = await openRunFixture();
    const script: Step[] = [{ write: 'half.txt', content: 'half\n' }, { refuse: 401 }];
    await using model = await startScriptedModel(script);
    const outcome = await work(fixture, 'claude', program, model.url);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_refused' } });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'half.txt', status: 'added' }]);
  });

  test('is cancelled while it waits for its model', async (context) => {
    const program = await agentProgramOr(context, 'pi');
    await using fixture = await openRunFixture();
    await using model = await startScriptedModel([{ write: 'half.txt', content: 'half\n' }, { hang: true }]);
    const controller = new AbortController();
    const running = work(fixture, 'pi', program, model.url, { options: { signal: controller.signal } });
    await model.reached(2);
    controller.abort('cancelled');
    const outcome = await running;
    expect(outcome.status).toBe('cancelled');
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'half.txt' }]);
  });

  test('asks back, and gets the whole exchange when it was answered [choices-5.27]', async (context) => {
    const program = await agentProgramOr(context, 'pi');
    await using fixture = await openRunFixture();
    await using askingModel = await startScriptedModel([
      { reply: 'I must know more.\nSWITCHYARD_NEEDS_INPUT: Which colour?' },
    ]);
    const runOptions = await work(fixture, 'pi', program, askingModel.url, { task: { prompt: 'Paint it.' } });
    expect(runOptions).toMatchObject({ status: 'needs_input', message: { text: 'Which colour?' } });

    await using answering = await startScriptedModel([{ reply: 'Painted red.' }]);
    const at = '2026-01-01T00:00:00.000Z';
    const messageFrom = (role: 'user' | 'agent', text: string) => ({ message_id: text, role, parts: [{ text }], at });
    const messages = [
      messageFrom('user', 'Paint it.'),
      messageFrom('agent', 'Which colour?'),
      messageFrom('user', 'Red.'),
    ];
    const task = { prompt: 'Paint it.', messages };
    const answered = await work(fixture, 'pi', program, answering.url, { task });
    expect(answered).toMatchObject({ status: 'completed', result: 'Painted red.' });
    expect(answering.requests[0]?.raw).toMatch(/Paint it\.[^]*Which colour\?[^]*User: Red\./);
    expect(answering.requests[0]?.raw.match(/Paint it\./g)).toHaveLength(1);
  });

  test.each(fullScale ? (['pi', 'claude', 'gemini', 'opencode'] as const) : (['pi', 'claude'] as const))(
    '%s gets no tool that writes for a plan',
    async (name) => {
      const program = await agentProgram(name);
      await using fixture = await openRunFixture();
      await using model = await startScriptedModel([{ reply: 'The plan.' }]);
      const outcome = await work(fixture, name, program, model.url, { task: { agent_type: 'plan' } });
      expect(outcome).toMatchObject({ status: 'completed', result: 'The plan.', artifacts: [] });
      const tools = model.requests[0]?.tools.map((tool) => tool.name.toLowerCase()) ?? [];
      expect(tools.some((tool) => tool.startsWith('read'))).toBe(true);
      for (const writing of ['write', 'edit', 'bash', 'agent']) expect(tools).not.toContain(writing);
    },
  );

  test('cannot write for a plan with codex either', async (context) => {
    const program = await agentProgramOr(context, 'codex');
    await using fixture = await openRunFixture();
    await using model = await startScriptedModel([{ bash: 'echo x > x.txt' }, { reply: 'The plan.' }]);
    const outcome = await work(fixture, 'codex', program, model.url, { task: { agent_type: 'plan' } });
    expect(outcome).toMatchObject({ status: 'completed', result: 'The plan.', artifacts: [] });
  });
});
