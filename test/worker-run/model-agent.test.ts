// The built-in agent `model` works in real repositories; its model is a scripted one on loopback.
import { describe, expect, test } from 'vitest';
import { locateSandbox } from '../../src/worker/agents/detect.ts';
import { modelAgent } from '../../src/worker/agents/model/model-agent.ts';
import type { ModelSettings } from '../../src/worker/agents/model/model-settings.ts';
import type { Outcome } from '../../src/worker/attempt/execute.ts';
import { createDesk } from '../../src/worker/attempt/run-desk.ts';
import { startScriptedModel, type Step } from '../support/scripted-model.ts';
import { applyTo, artifactOf, copyOf, diffOf, filesOf, openScene, type Scene } from './scene.ts';

const sandbox = await locateSandbox(process.env);
const key = 'sk-planted-key-1234567890';

interface Asked {
  task?: Parameters<Scene['execute']>[0];
  options?: Parameters<Scene['execute']>[1];
  settings?: Partial<ModelSettings>;
}

/** Runs one task with the agent `model`, whose endpoint is at `url`. */
async function work(scene: Scene, url: string, { task, options, settings }: Asked = {}): Promise<Outcome> {
  const limits = { maxSteps: 30, maxTokens: 1_000_000, shell: 'unconfined', shellNetwork: false } as const;
  const all = { endpoint: `${url}/v1`, apiKey: key, model: 'm1', ...limits, ...settings };
  const agent = modelAgent(all, { fetch, sandbox, hidden: [scene.stateDir] });
  return scene.execute({ prompt: 'Do it.', ...task }, { agent, ...options });
}

const changeEverything: Step[] = [
  { write: 'new/created.txt', content: 'created\n' },
  { read: 'edited.txt' },
  { edit: 'edited.txt', from: 'second line', to: 'another line' },
  { call: 'rename', args: { from: 'old.txt', to: 'renamed.txt' } },
  { bash: 'rm deleted.txt && echo removed' },
  { say: 'Everything is changed.' },
];

describe('the agent model', () => {
  test('creates, edits, deletes and renames files, and its diff applies [choices-5.61, choices-5.62]', async () => {
    await using scene = await openScene();
    await scene.write('edited.txt', 'first line\nsecond line\n');
    await scene.write('deleted.txt', 'to go\n');
    await scene.write('old.txt', 'a text that stays\nthe same\nwhile it moves\n');
    await scene.git('add', '.');
    await scene.git('commit', '--quiet', '-m', 'first');
    const before = await copyOf(scene);
    await using model = await startScriptedModel(changeEverything);
    const workplace = { codebaseId: 'c', path: scene.repo, mode: 'worktree' } as const;
    const outcome = await work(scene, model.url, { task: { agent_type: 'build' }, options: { workplace } });

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
    await applyTo(scene, before, diffOf(outcome));
    expect(Object.keys(await filesOf(before))).toEqual(['edited.txt', 'new/created.txt', 'renamed.txt']);
    expect(scene.output('stdout')).toContain('removed');
    expect(scene.output('agent')).toContain('[edit] edited.txt');
  });

  test.each(['plan', 'explore', 'general'])('has only tools that read for %s [choices-5.62]', async (type) => {
    await using scene = await openScene();
    await using model = await startScriptedModel([
      { call: 'write', args: { path: 'x.txt', content: 'x' } },
      { call: 'shell', args: { command: 'touch y.txt' } },
      { say: 'The plan.' },
    ]);
    const outcome = await work(scene, model.url, { task: { agent_type: type } });
    expect(outcome).toMatchObject({ status: 'completed', result: 'The plan.', artifacts: [] });
    expect(model.asked[0]?.tools.map(({ name }) => name).toSorted()).toEqual(['ask', 'list', 'read', 'search']);
    expect(model.asked[1]?.raw).toContain('There is no tool write');
  });

  test('reads, lists and searches the work place', async () => {
    await using scene = await openScene();
    await scene.write('src/a.ts', 'one\ntwo needle\nthree\n');
    await scene.write('b.md', 'no\n');
    await using model = await startScriptedModel([
      { call: 'list', args: { recursive: true } },
      { call: 'search', args: { text: 'NEEDLE', ignore_case: true } },
      { call: 'read', args: { path: 'src/a.ts', offset: 2, limit: 1 } },
      { say: 'Found.' },
    ]);
    await work(scene, model.url, { task: { agent_type: 'explore' } });
    expect(model.asked[1]?.raw).toContain(String.raw`b.md\nsrc/\nsrc/a.ts`);
    expect(model.asked[2]?.raw).toContain('src/a.ts:2: two needle');
    expect(model.asked[3]?.raw).toContain(String.raw`two needle\n… 2 more lines, from line 3 on`);
  });

  test('asks back by its tool, and takes what is said to it between its steps', async () => {
    await using scene = await openScene();
    await using asking = await startScriptedModel([{ call: 'ask', args: { question: 'Which colour?' } }]);
    expect(await work(scene, asking.url)).toMatchObject({ status: 'needs_input', message: { text: 'Which colour?' } });

    const taken: string[] = [];
    const answer = ({ id, status }: { id: string; status: string }): void => void taken.push(`${id} ${status}`);
    const desk = createDesk({ task: { messages: [] }, answer, cancel: () => undefined });
    await using model = await startScriptedModel([{ call: 'list', args: {} }, { say: 'Done.' }]);
    desk.hear({ id: 'i1', task_id: 't', action: 'message', message: 'Paint it green, please.' });
    const outcome = await work(scene, model.url, { options: { desk } });
    expect(outcome).toMatchObject({ status: 'completed', result: 'Done.' });
    expect(model.asked.at(-1)?.raw).toContain('Paint it green, please.');
    desk.hear({ id: 'i2', task_id: 't', action: 'message', message: 'too late' });
    expect(taken).toEqual(['i1 delivered', 'i2 failed']);
  });

  test('ends at its limits of steps and of tokens', async () => {
    await using scene = await openScene();
    await using model = await startScriptedModel(Array.from({ length: 9 }, () => ({ call: 'list', args: {} })));
    const steps = await work(scene, model.url, { settings: { maxSteps: 3 } });
    expect(steps).toMatchObject({ status: 'failed', error: { code: 'step_limit' }, usage: { input_tokens: 300 } });
    const tokens = await work(scene, model.url, { settings: { maxTokens: 220 } });
    expect(tokens).toMatchObject({ status: 'failed', error: { code: 'token_limit' }, usage: { input_tokens: 200 } });
  });

  test('is asked for the model of the task, and says that there is none', async () => {
    await using scene = await openScene();
    await using model = await startScriptedModel([{ say: 'Yes.' }]);
    await work(scene, model.url, { task: { model: 'house:big:70b' } });
    expect(JSON.parse(model.asked[0]?.raw ?? '{}')).toMatchObject({ model: 'big:70b' });
    const none = await work(scene, model.url, { settings: { model: undefined } });
    expect(none).toMatchObject({ status: 'failed', error: { code: 'bad_model' } });
  });

  test('is cancelled while it waits for its model, and while a command of it runs', async () => {
    await using scene = await openScene();
    await using model = await startScriptedModel([{ write: 'half.txt', content: 'half\n' }, { hang: true }]);
    const first = new AbortController();
    const waiting = work(scene, model.url, { options: { signal: first.signal } });
    await model.reached(2);
    first.abort('cancelled');
    const outcome = await waiting;
    expect(outcome.status).toBe('cancelled');
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'half.txt' }]);

    await using other = await startScriptedModel([{ bash: 'echo begun > begun; sleep 600' }, { say: 'never' }]);
    const second = new AbortController();
    const running = work(scene, other.url, { options: { signal: second.signal } });
    await expect.poll(async () => Object.keys(await filesOf(scene.repo)), { timeout: 60_000 }).toContain('begun');
    second.abort('cancelled');
    expect((await running).status).toBe('cancelled');
    expect(other.asked).toHaveLength(1);
  });
});
