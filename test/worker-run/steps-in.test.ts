// The parts of a run that a person's word reaches: its clocks, its desk, its checkpoint file.
import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { detectAgents } from '../../src/worker/agents/detect.ts';
import { promptOf } from '../../src/worker/agents/adapter/prompt.ts';
import { openCheckpoint } from '../../src/worker/attempt/checkpoint-file.ts';
import type { NewWorkerEvent } from '../../src/worker/base/event.ts';
import { createDesk } from '../../src/worker/attempt/run-desk.ts';
import { createLimits } from '../../src/worker/attempt/run-limits.ts';
import { isSessionName } from '../../src/worker/attempt/run-turns.ts';
import { until } from '../support/until.ts';
import { plantClaude } from '../worker/support/planted-claude.ts';
import { openScene, taskOf } from './scene.ts';

function limits(leftMs: number): ReturnType<typeof createLimits> {
  return createLimits({ agent: { name: 'x' }, leftMs, timeoutMs: leftMs, modelPatienceMs: leftMs });
}

function aborted(signal: AbortSignal): Promise<boolean> {
  return until('a limit is reached', () => signal.aborted);
}

describe('the limits of a run', () => {
  test('stand still while it is held, and go on with what was left', async () => {
    using held = limits(60);
    using patience = limits(60_000);
    held.hold();
    using other = limits(300);
    await aborted(other.signal);
    expect(held.signal.aborted).toBe(false);
    expect(held.leftMs()).toBeLessThanOrEqual(60);
    held.goOn();
    await aborted(held.signal);
    expect(held.error()).toMatchObject({ code: 'timeout' });
    patience.modelWaits('no answer');
    expect(patience.error()).toBeUndefined();
  });

  test('a model that stays away is not waited for in a pause', async () => {
    using held = createLimits({ agent: { name: 'x' }, leftMs: 60_000, timeoutMs: 60_000, modelPatienceMs: 60 });
    held.modelWaits('no answer');
    held.hold();
    using other = limits(300);
    await aborted(other.signal);
    expect(held.signal.aborted).toBe(false);
    held.goOn();
    await aborted(held.signal);
    expect(held.error()).toMatchObject({ code: 'model_unreachable' });
  });
});

describe('the desk of a run', () => {
  function desk(messages: { message_id: string }[] = []) {
    const said: string[] = [];
    const exchange = messages.map((one) => ({ ...one, role: 'user' as const, parts: [], at: '' }));
    const made = createDesk({
      task: { messages: exchange },
      answer: ({ id, action, status, reason }) => said.push([id, action, status, reason].filter(Boolean).join(' ')),
      cancel: () => said.push('the run is cancelled'),
    });
    const hear = (id: string, action: 'message' | 'pause' | 'resume' | 'cancel', message_id?: string): void =>
      made.hear({ id, task_id: 't', action, message: 'x', ...(message_id !== undefined && { message_id }) });
    return { made, said, hear };
  }

  test('hears each once, however often and on whichever way it is said', async () => {
    const { made, said, hear } = desk();
    for (let i = 0; i < 3; i += 1) hear('a', 'message');
    made.begins({ live: true });
    for (let i = 0; i < 3; i += 1) hear('p', 'pause');
    expect(made.inbox.take()).toHaveLength(1);
    hear('a', 'message');
    expect(made.inbox.take()).toEqual([]);
    await until('the pause', () => said.length === 2);
    expect(said).toEqual(['a message delivered', 'p pause delivered']);
    for (let i = 0; i < 2; i += 1) hear('c', 'cancel');
    expect(said.slice(2)).toEqual(['the run is cancelled', 'c cancel delivered']);
  });

  test('does not give an agent again what its prompt has, and says delivered only when it has begun', () => {
    const { made, said, hear } = desk([{ message_id: 'm1' }]);
    hear('a', 'message', 'm1');
    hear('b', 'message', 'm2');
    expect(said).toEqual([]);
    made.begins({ resumes: true });
    expect(said).toEqual(['a message delivered']);
    expect(made.inbox.take().map(({ id }) => id)).toEqual(['b']);
  });

  test('holds a thousand messages, in order, and fails what nobody took', () => {
    const { made, said, hear } = desk();
    made.begins({ resumes: true });
    for (let i = 0; i < 1000; i += 1) hear(`m${i}`, 'message');
    made.over('run_ended');
    expect(said).toHaveLength(1000);
    expect(said[999]).toBe('m999 message failed run_ended');
    hear('late', 'message');
    hear('later', 'pause');
    expect(said.slice(1000)).toEqual(['late message failed run_ended', 'later pause failed run_ended']);
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
    await using file = await openCheckpoint({ folder, task, emit, signal, lookMs: 20 });
    await write(file.path);
    await file.finish();
    return events;
  }

  test('is taken as JSON where it is some, and as text where it is not', async () => {
    expect(await written((path) => writeFile(path, '{"a": [1]}\n'))).toEqual([
      { type: 'checkpoint', data: { a: [1] } },
    ]);
    await rm(join(folder, 'checkpoint'));
    expect(await written((path) => writeFile(path, 'step\0 two'))).toEqual([
      { type: 'checkpoint', data: 'step\uFFFD two' },
    ]);
  });

  test('is not told again when nothing has changed, nor when it is gone', async () => {
    const before = { data: { a: 1 }, at: '2026-01-01T00:00:00.000Z' };
    expect(await written(() => Promise.resolve(), before)).toEqual([]);
    expect(await written((path) => writeFile(path, '{"a":1}'), before)).toEqual([]);
    expect(await written((path) => rm(path), before)).toEqual([]);
  });

  test('that is no file, or too large, harms nobody', async () => {
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

  test('is in the prompt of an agent that goes on', () => {
    const checkpoint = { data: { step: 2 }, at: '2026-01-01T00:00:00.000Z' };
    expect(promptOf(taskOf({ prompt: 'P', checkpoint }), true)).toContain('{"step":2}');
    expect(promptOf(taskOf({ prompt: 'P', checkpoint }), false)).toBe('P');
    const huge = { ...checkpoint, data: 'y'.repeat(100_000) };
    expect(promptOf(taskOf({ prompt: 'P', checkpoint: huge }), true).length).toBeLessThan(30_000);
  });
});

test('a session that the agent does not find is no reason to fail: it begins anew', async () => {
  await using scene = await openScene();
  const planted = await plantClaude(scene.root);
  const env = { ...scene.env, ...planted.env };
  const [agent] = await detectAgents({ agentBin: planted.program, env, allowCommand: false });
  if (agent === undefined) throw new Error('no agent');
  const outcome = await scene.execute({ prompt: 'Paint it.' }, { agent, env, session: 'session-gone' });
  expect(outcome).toMatchObject({ status: 'completed', result: 'Did: Paint it.' });
  expect(scene.output('stderr')).toContain('begins anew');
  const starts = await planted.starts();
  expect(starts.map(({ args }) => args.includes('--resume'))).toEqual([true, false]);
});

test('the name of a session is never an option', () => {
  for (const name of ['--dangerously', '-x', '', 'a b', 'a\nb', '../x', 'a/b', 7, undefined, 'x'.repeat(201)]) {
    expect(isSessionName(name)).toBe(false);
  }
  expect(isSessionName('ses_01J-x.y:z')).toBe(true);
});
