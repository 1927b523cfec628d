// The built-in agent `model` works in real repositories; its model is a scripted one on loopback.
import { describe, expect, test } from 'vitest';
import { locateSandbox } from '../../../../src/worker/agents/detect.ts';
import { modelAgent } from '../../../../src/worker/agents/model/model-agent.ts';
import type { ModelSettings } from '../../../../src/worker/agents/model/model-settings.ts';
import type { TaskOutcome } from '../../../../src/worker/report/task-outcome.ts';
import { InterventionHandler } from '../../../../src/worker/attempt/intervention-handler.ts';
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

const sandbox = await locateSandbox(process.env);
const key = 'sk-planted-key-1234567890';

interface RunOptions {
  task?: Parameters<RunFixture['execute']>[0];
  options?: Parameters<RunFixture['execute']>[1];
  settings?: Partial<ModelSettings>;
}

/** Runs one task with the agent `model`, whose endpoint is at `url`. */
async function work(
  fixture: RunFixture,
  url: string,
  { task, options, settings }: RunOptions = {},
): Promise<TaskOutcome> {
  const limits = { maxSteps: 30, maxTokens: 1_000_000, shell: 'unconfined', shellNetwork: false } as const;
  const all = { endpoint: `${url}/v1`, apiKey: key, model: 'm1', ...limits, ...settings };
  const agent = modelAgent(all, { fetch, sandbox, hidden: [fixture.stateDir] });
  return fixture.execute({ prompt: 'Do it.', ...task }, { agent, ...options });
}

const changeEverything: Step[] = [
  { write: 'new/created.txt', content: 'created\n' },
  { read: 'edited.txt' },
  { edit: 'edited.txt', from: 'second line', to: 'another line' },
  { call: 'rename', args: { from: 'old.txt', to: 'renamed.txt' } },
  { bash: 'rm deleted.txt && echo removed' },
  { reply: 'Everything is changed.' },
];

describe('the agent model', () => {
  test('creates, edits, deletes and renames files, and its diff applies [choices-5.61, choices-5.62]', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('edited.txt', 'first line\nsecond line\n');
    await fixture.write('deleted.txt', 'to go\n');
    await fixture.write('old.txt', 'a text that stays\nthe same\nwhile it moves\n');
    await fixture.git('add', '.');
    await fixture.git('commit', '--quiet', '-m', 'first');
    const before = await copyRepository(fixture);
    await using model = await startScriptedModel(changeEverything);
    const workplace = { codebaseId: 'c', path: fixture.repo, mode: 'worktree' } as const;
    const outcome = await work(fixture, model.url, { task: { agent_type: 'build' }, options: { binding: workplace } });

    expect(outcome).toMatchObject({
      status: 'completed',
      result: 'Everything is changed.',
      usage: { input_tokens: 600, output_tokens: 60, duration_ms: expect.any(Number) },
    });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([
      { path: 'deleted.txt', status: 'deleted' },
      { path: 'edited.txt', status: 'modified' },
      { path: 'new/created.txt', status: 'added' },
      { path: 'renamed.txt', status: 'renamed', old_path: 'old.txt' },
    ]);
    await applyTo(fixture, before, diffOf(outcome));
    expect(Object.keys(await readFiles(before))).toEqual(['edited.txt', 'new/created.txt', 'renamed.txt']);
    expect(fixture.output('stdout')).toContain('removed');
    expect(fixture.output('agent')).toContain('[edit] edited.txt');
  });

  test.each(['plan', 'explore', 'general'])('has only tools that read for %s [choices-5.62]', async (type) => {
    await using fixture = await openRunFixture();
    await using model = await startScriptedModel([
      { call: 'write', args: { path: 'x.txt', content: 'x' } },
      { call: 'shell', args: { command: 'touch y.txt' } },
      { reply: 'The plan.' },
    ]);
    const outcome = await work(fixture, model.url, { task: { agent_type: type } });
    expect(outcome).toMatchObject({ status: 'completed', result: 'The plan.', artifacts: [] });
    expect(model.requests[0]?.tools.map(({ name }) => name).toSorted()).toEqual(['ask', 'list', 'read', 'search']);
    expect(model.requests[1]?.raw).toContain('Unknown tool write');
  });

  test('reads, lists and searches the workspace', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('src/a.ts', 'one\ntwo needle\nthree\n');
    await fixture.write('b.md', 'no\n');
    await using model = await startScriptedModel([
      { call: 'list', args: { recursive: true } },
      { call: 'search', args: { text: 'NEEDLE', ignore_case: true } },
      { call: 'read', args: { path: 'src/a.ts', offset: 2, limit: 1 } },
      { reply: 'Found.' },
    ]);
    await work(fixture, model.url, { task: { agent_type: 'explore' } });
    expect(model.requests[1]?.raw).toContain(String.raw`b.md\nsrc/\nsrc/a.ts`);
    expect(model.requests[2]?.raw).toContain('src/a.ts:2: two needle');
    expect(model.requests[3]?.raw).toContain(String.raw`two needle\n… 2 more lines, from line 3 on`);
  });

  test('asks back by its tool, and takes what is said to it between its steps [ui-6.3.8]', async () => {
    await using fixture = await openRunFixture();
    await using scriptedQuestion = await startScriptedModel([{ call: 'ask', args: { question: 'Which colour?' } }]);
    expect(await work(fixture, scriptedQuestion.url)).toMatchObject({
      status: 'needs_input',
      message: { text: 'Which colour?' },
    });
    const args = { question: 'Which colour?', options: ['Red', 'Green', 'Red'] };
    await using scriptedChoice = await startScriptedModel([{ call: 'ask', args }]);
    const options = ['Red', 'Green'].map((value) => ({ value, label: value }));
    expect(await work(fixture, scriptedChoice.url)).toMatchObject({ message: { text: 'Which colour?', options } });

    const taken: string[] = [];
    const answer = ({ id, status }: { id: string; status: string }): void => void taken.push(`${id} ${status}`);
    const interventionHandler = new InterventionHandler({ task: { messages: [] }, answer, cancel: () => undefined });
    await using model = await startScriptedModel([{ call: 'list', args: {} }, { reply: 'Done.' }]);
    interventionHandler.handle({ id: 'i1', task_id: 't', action: 'message', message: 'Paint it green, please.' });
    const outcome = await work(fixture, model.url, { options: { interventions: interventionHandler } });
    expect(outcome).toMatchObject({ status: 'completed', result: 'Done.' });
    expect(model.requests.at(-1)?.raw).toContain('Paint it green, please.');
    interventionHandler.handle({ id: 'i2', task_id: 't', action: 'message', message: 'too late' });
    expect(taken).toEqual(['i1 delivered', 'i2 failed']);
  });

  test('ends at its limits of steps and of tokens', async () => {
    await using fixture = await openRunFixture();
    await using model = await startScriptedModel(Array.from({ length: 9 }, () => ({ call: 'list', args: {} })));
    const steps = await work(fixture, model.url, { settings: { maxSteps: 3 } });
    expect(steps).toMatchObject({ status: 'failed', error: { code: 'step_limit' }, usage: { input_tokens: 300 } });
    const tokens = await work(fixture, model.url, { settings: { maxTokens: 220 } });
    expect(tokens).toMatchObject({ status: 'failed', error: { code: 'token_limit' }, usage: { input_tokens: 200 } });
  });

  test('is asked for the model of the task, and says that there is none', async () => {
    await using fixture = await openRunFixture();
    await using model = await startScriptedModel([{ reply: 'Yes.' }]);
    await work(fixture, model.url, { task: { model: 'house:big:70b' } });
    expect(JSON.parse(model.requests[0]?.raw ?? '{}')).toMatchObject({ model: 'big:70b' });
    const none = await work(fixture, model.url, { settings: { model: undefined } });
    expect(none).toMatchObject({ status: 'failed', error: { code: 'bad_model' } });
  });

  test('is cancelled while it waits for its model, and while a command of it runs', async () => {
    await using fixture = await openRunFixture();
    await using model = await startScriptedModel([{ write: 'half.txt', content: 'half\n' }, { hang: true }]);
    const first = new AbortController();
    const waiting = work(fixture, model.url, { options: { signal: first.signal } });
    await model.reached(2);
    first.abort('cancelled');
    const outcome = await waiting;
    expect(outcome.status).toBe('cancelled');
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'half.txt' }]);

    await using other = await startScriptedModel([{ bash: 'echo begun > begun; sleep 600' }, { reply: 'never' }]);
    const second = new AbortController();
    const running = work(fixture, other.url, { options: { signal: second.signal } });
    await expect.poll(async () => Object.keys(await readFiles(fixture.repo)), { timeout: 60_000 }).toContain('begun');
    second.abort('cancelled');
    expect((await running).status).toBe('cancelled');
    expect(other.requests).toHaveLength(1);
  });
});
