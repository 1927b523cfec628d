// The parts of an attempt that people reach: its time limits, its interventions, its checkpoint file.
import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { detectAgents } from '../../../src/worker/agents/detect.ts';
import { buildPrompt } from '../../../src/worker/agents/adapter/prompt.ts';
import { CheckpointFile } from '../../../src/worker/attempt/checkpoint-file.ts';
import type { NewWorkerEvent } from '../../../src/worker/base/event.ts';
import { InterventionHandler } from '../../../src/worker/attempt/intervention-handler.ts';
import { AttemptLimits } from '../../../src/worker/attempt/attempt-limits.ts';
import { isSessionName } from '../../../src/worker/attempt/run-turns.ts';
import { until } from '../../support/until.ts';
import { plantClaude } from '../../support/agents/fake-claude.ts';
import { openRunFixture, buildRunTask } from '../../support/worker/run-fixture.ts';

function limits(leftMs: number): AttemptLimits {
  return new AttemptLimits({ agent: { name: 'x' }, leftMs, timeoutMs: leftMs, modelPatienceMs: leftMs });
}

function aborted(signal: AbortSignal): Promise<boolean> {
  return until('a limit is reached', () => signal.aborted);
}

describe('the limits of an attempt', () => {
  test('are suspended during a pause, and continue with the remaining time', async () => {
    using held = limits(60);
    using patience = limits(60_000);
    held.pause();
    using other = limits(300);
    await aborted(other.signal);
    expect(held.signal.aborted).toBe(false);
    expect(held.leftMs()).toBeLessThanOrEqual(60);
    held.resume();
    await aborted(held.signal);
    expect(held.error()).toMatchObject({ code: 'timeout' });
    patience.modelWaits('no answer');
    expect(patience.error()).toBeUndefined();
  });

  test('the patience with an unreachable model is suspended during a pause', async () => {
    using held = new AttemptLimits({ agent: { name: 'x' }, leftMs: 60_000, timeoutMs: 60_000, modelPatienceMs: 60 });
    held.modelWaits('no answer');
    held.pause();
    using other = limits(300);
    await aborted(other.signal);
    expect(held.signal.aborted).toBe(false);
    held.resume();
    await aborted(held.signal);
    expect(held.error()).toMatchObject({ code: 'model_unreachable' });
  });
});

describe('the intervention handler', () => {
  function openHandler(messages: { message_id: string }[] = []) {
    const answers: string[] = [];
    const exchange = messages.map((one) => ({ ...one, role: 'user' as const, parts: [], at: '' }));
    const handler = new InterventionHandler({
      task: { messages: exchange },
      answer: ({ id, action, status, reason }) => answers.push([id, action, status, reason].filter(Boolean).join(' ')),
      cancel: () => answers.push('the run is cancelled'),
    });
    const deliver = (id: string, action: 'message' | 'pause' | 'resume' | 'cancel', message_id?: string): void =>
      handler.handle({ id, task_id: 't', action, message: 'x', ...(message_id !== undefined && { message_id }) });
    return { handler, answers, deliver };
  }

  test('handles each intervention once, however often and on whichever channel it arrives', async () => {
    const { handler, answers, deliver } = openHandler();
    for (let i = 0; i < 3; i += 1) deliver('a', 'message');
    handler.agentStarted({ live: true });
    for (let i = 0; i < 3; i += 1) deliver('p', 'pause');
    expect(handler.inbox.take()).toHaveLength(1);
    deliver('a', 'message');
    expect(handler.inbox.take()).toEqual([]);
    await until('the pause', () => answers.length === 2);
    expect(answers).toEqual(['a message delivered', 'p pause delivered']);
    for (let i = 0; i < 2; i += 1) deliver('c', 'cancel');
    expect(answers.slice(2)).toEqual(['the run is cancelled', 'c cancel delivered']);
  });

  test('does not repeat messages of the prompt, and reports them as delivered only when the agent has started', () => {
    const { handler, answers, deliver } = openHandler([{ message_id: 'm1' }]);
    deliver('a', 'message', 'm1');
    deliver('b', 'message', 'm2');
    expect(answers).toEqual([]);
    handler.agentStarted({ resumes: true });
    expect(answers).toEqual(['a message delivered']);
    expect(handler.inbox.take().map(({ id }) => id)).toEqual(['b']);
  });

  test('holds a thousand messages, in order, and fails those that were not taken', () => {
    const { handler, answers, deliver } = openHandler();
    handler.agentStarted({ resumes: true });
    for (let i = 0; i < 1000; i += 1) deliver(`m${i}`, 'message');
    handler.close('run_ended');
    expect(answers).toHaveLength(1000);
    expect(answers[999]).toBe('m999 message failed run_ended');
    deliver('late', 'message');
    deliver('later', 'pause');
    expect(answers.slice(1000)).toEqual(['late message failed run_ended', 'later pause failed run_ended']);
  });
});

describe('the checkpoint file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-checkpoint-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function written(write: (path: string) => Promise<unknown>, checkpoint?: { data: unknown; at: string }) {
    const events: NewWorkerEvent[] = [];
    const emit = (event: NewWorkerEvent): Promise<void> => {
      events.push(event);
      return Promise.resolve();
    };
    const { signal } = new AbortController();
    const task = checkpoint === undefined ? {} : { checkpoint };
    await using file = await CheckpointFile.open({ folder, task, emit, signal, pollMs: 20 });
    await write(file.path);
    await file.finish();
    return events;
  }

  test('is taken as JSON if it parses, otherwise as text', async () => {
    expect(await written((path) => writeFile(path, '{"a": [1]}\n'))).toEqual([
      { type: 'checkpoint', data: { a: [1] } },
    ]);
    await rm(join(folder, 'checkpoint'));
    expect(await written((path) => writeFile(path, 'step\0 two'))).toEqual([
      { type: 'checkpoint', data: 'step\uFFFD two' },
    ]);
  });

  test('is not reported again when it is unchanged or removed', async () => {
    const before = { data: { a: 1 }, at: '2026-01-01T00:00:00.000Z' };
    expect(await written(() => Promise.resolve(), before)).toEqual([]);
    expect(await written((path) => writeFile(path, '{"a":1}'), before)).toEqual([]);
    expect(await written((path) => rm(path), before)).toEqual([]);
  });

  test('is ignored when it is not a regular file or too large', async () => {
    const fifo = (path: string): Promise<unknown> => promisify(execFile)('mkfifo', [path]);
    expect(await written(fifo)).toEqual([]);
    await rm(join(folder, 'checkpoint'));
    expect(await written((path) => symlink('/etc/passwd', path))).toEqual([]);
    const large = async (path: string): Promise<void> => {
      await writeFile(`${path}.new`, 'x'.repeat(300_000));
      await rename(`${path}.new`, path);
    };
    expect(await written(large)).toMatchObject([{ type: 'progress', message: expect.stringContaining('262144') }]);
  });

  test('is in the prompt of the next attempt', () => {
    const checkpoint = { data: { step: 2 }, at: '2026-01-01T00:00:00.000Z' };
    expect(buildPrompt(buildRunTask({ prompt: 'P', checkpoint }), true)).toContain('{"step":2}');
    expect(buildPrompt(buildRunTask({ prompt: 'P', checkpoint }), false)).toBe('P');
    const huge = { ...checkpoint, data: 'y'.repeat(100_000) };
    expect(buildPrompt(buildRunTask({ prompt: 'P', checkpoint: huge }), true).length).toBeLessThan(30_000);
  });
});

test('an agent that does not find its session starts a new one', async () => {
  await using fixture = await openRunFixture();
  const planted = await plantClaude(fixture.root);
  const env = { ...fixture.env, ...planted.env };
  const [agent] = await detectAgents({ agentBin: planted.program, env, allowCommand: false });
  if (agent === undefined) throw new Error('no agent');
  const outcome = await fixture.execute({ prompt: 'Paint it.' }, { agent, env, session: 'session-gone' });
  expect(outcome).toMatchObject({ status: 'completed', result: 'Did: Paint it.' });
  expect(fixture.output('stderr')).toContain('starts a new one');
  const starts = await planted.starts();
  expect(starts.map(({ args }) => args.includes('--resume'))).toEqual([true, false]);
});

test('a session id is never an option', () => {
  for (const name of ['--dangerously', '-x', '', 'a b', 'a\nb', '../x', 'a/b', 7, undefined, 'x'.repeat(201)]) {
    expect(isSessionName(name)).toBe(false);
  }
  expect(isSessionName('ses_01J-x.y:z')).toBe(true);
});
