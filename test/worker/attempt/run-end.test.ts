// The end of a run: by itself, by a cancel, a lost lease, a shutdown, its time limit; no process of it lives longer.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NewWorkerEvent } from '../../../src/worker/base/event.ts';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';
import { runChild } from '../../../src/worker/process/child.ts';
import { createGit } from '../../../src/worker/workspace/git/git.ts';
import { openAttemptFolder, sweepAttempts } from '../../../src/worker/workspace/attempt-folder.ts';
import type { WorkspaceBinding } from '../../../src/worker/workspace/workspace.ts';
import { until } from '../../support/until.ts';
import { artifactOf, openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';

/** The processes in whose environment or arguments a word stands. */
async function processesWith(word: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
    const [state, environ, cmdline] = await Promise.all([read('stat'), read('environ'), read('cmdline')]);
    if (!/\) Z /.test(state) && (environ + cmdline).includes(word)) found.push(pid);
  }
  return found;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * A block that ignores SIGTERM and has a grandchild that ignores it too, in a session of its own, its parent gone.
 * It says so through a file, then stays.
 */
const stubborn = `
trap '' TERM
setsid sh -c 'trap "" TERM; (sh -c "trap \\"\\" TERM; touch daemon-up; while :; do sleep 0.1; done" > /dev/null 2>&1 &) ; exit 0'
while [ ! -e daemon-up ]; do sleep 0.05; done
touch up
while :; do sleep 0.1; done`;

/** Starts the stubborn agent, waits until it is up, and aborts its run. */
async function cancelWhenUp(
  fixture: RunFixture,
  reason: string,
  mode: WorkspaceBinding['mode'] = 'in_place',
): Promise<TaskOutcome> {
  const controller = new AbortController();
  const workplace = { codebaseId: 'c', path: fixture.repo, mode };
  const env = { ...fixture.env, SCENE: fixture.root };
  const running = fixture.execute(
    { prompt: shellPrompt(stubborn.replace('touch up', 'echo edited > edited.txt; echo up')) },
    { signal: controller.signal, binding: workplace, env },
  );
  await until('the agent is up', () => fixture.output('stdout').includes('up\n'));
  expect((await processesWith(fixture.root)).length).toBeGreaterThan(1);
  controller.abort(reason);
  return running;
}

function refuseOutput(event: NewWorkerEvent): Promise<void> {
  return event.type === 'output' ? Promise.reject(new Error('not taken')) : Promise.resolve();
}

describe('the end of an attempt', () => {
  test('a cancel ends all processes, including a daemon in another session that ignores SIGTERM [choices-2.26]', async () => {
    await using fixture = await openRunFixture();
    const outcome = await cancelWhenUp(fixture, 'cancelled');
    expect(outcome.status).toBe('cancelled');
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'daemon-up' }, { path: 'edited.txt' }]);
    expect(await processesWith(fixture.root)).toEqual([]);
  });

  test('a cancel in a worktree keeps the diff and leaves no branch', async () => {
    await using fixture = await openRunFixture();
    await fixture.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    const outcome = await cancelWhenUp(fixture, 'cancelled', 'worktree');
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'daemon-up' }, { path: 'edited.txt' }]);
    expect(await fixture.git('branch', '--list', 'switchyard/*')).toBe('');
  });

  test('a lost lease ends all processes, and nothing is reported any more [choices-5.35]', async () => {
    await using fixture = await openRunFixture();
    await fixture.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    const outcome = await cancelWhenUp(fixture, 'lease_lost', 'worktree');
    expect(outcome).toEqual({ status: 'pending' });
    expect(await processesWith(fixture.root)).toEqual([]);
    expect(await fixture.git('branch', '--list', 'switchyard/*')).toBe('');
    expect((await fixture.git('worktree', 'list')).split('\n')).toHaveLength(1);
  });

  test('a shutdown releases the task as pending', async () => {
    await using fixture = await openRunFixture();
    expect(await cancelWhenUp(fixture, 'shutdown')).toEqual({ status: 'pending' });
    expect(await processesWith(fixture.root)).toEqual([]);
  });

  test('the time limit ends all processes and keeps the edits', async () => {
    await using fixture = await openRunFixture();
    const env = { ...fixture.env, SCENE: fixture.root };
    const outcome = await fixture.execute(
      { prompt: shellPrompt(`echo half > half.txt${stubborn}`) },
      { env, timeoutMs: 5_000 },
    );
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(outcome.error?.message).toContain('5 s');
    expect(artifactOf(outcome, 'files')?.data).toContainEqual({
      path: 'half.txt',
      status: 'added',
      added: 1,
      removed: 0,
    });
    expect(await processesWith(fixture.root)).toEqual([]);
  });

  test('processes that an agent leaves running are ended with it', async () => {
    await using fixture = await openRunFixture();
    const env = { ...fixture.env, SCENE: fixture.root };
    const block =
      'sleep 1000 & setsid sh -c "touch on; exec sleep 1000" & while [ ! -e on ]; do sleep 0.05; done; echo done';
    const outcome = await fixture.execute({ prompt: shellPrompt(block) }, { env });
    expect(outcome).toMatchObject({ status: 'completed', result: 'done' });
    expect(await processesWith(fixture.root)).toEqual([]);
  });

  test('a daemon out of reach that keeps writing does not delay the end of its attempt', async () => {
    await using fixture = await openRunFixture();
    const env = { ...fixture.env, SCENE: fixture.root };
    // Neither its session nor its environment nor its parent shows whose it is.
    const block = `env -i setsid -f sh -c 'while echo tick; do sleep 0.1; done' "$SCENE"; echo done`;
    const outcome = await fixture.execute({ prompt: shellPrompt(block) }, { env });
    expect(outcome).toMatchObject({ status: 'completed' });
    // Nobody reads it any more, which ends it.
    await until('it is gone', async () => (await processesWith(fixture.root)).length === 0);
  });

  test('an attempt that is cancelled while it waits for a folder never starts', async () => {
    await using fixture = await openRunFixture();
    const first = new AbortController();
    const second = new AbortController();
    const running = fixture.execute({ prompt: shellPrompt('echo up; sleep 1000') }, { signal: first.signal });
    await until('the first is up', () => fixture.output('stdout').includes('up'));
    const waiting = fixture.execute({ prompt: shellPrompt('touch never') }, { signal: second.signal });
    await until('the second waits', () =>
      fixture.events.some((event) => event.type === 'progress' && event.message?.includes('waiting')),
    );
    second.abort('cancelled');
    expect(await waiting).toEqual({ status: 'cancelled' });
    first.abort('cancelled');
    await running;
    expect(await isThere(join(fixture.repo, 'never'))).toBe(false);
  });

  test('an emit that fails ends the agent and is thrown', async () => {
    await using fixture = await openRunFixture();
    const env = { ...fixture.env, SCENE: fixture.root };
    await expect(
      fixture.execute({ prompt: shellPrompt('echo up; sleep 1000') }, { emit: refuseOutput, env }),
    ).rejects.toThrow('not taken');
    expect(await processesWith(fixture.root)).toEqual([]);
  });

  test('a starting worker cleans up after a killed one', async () => {
    await using fixture = await openRunFixture();
    await fixture.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    const tag = `tag-${fixture.root}`;
    const folder = await openAttemptFolder(fixture.stateDir, 'task', { tag, kind: 'none' });
    const path = join(folder.path, 'work');
    await fixture.git('worktree', 'add', '--quiet', '--detach', path);
    await folder.note({ path, root: fixture.repo });
    const record = join(folder.path, 'run.json');
    const text = await readFile(record, 'utf8');
    const git = createGit({ env: fixture.env, deadlineMs: 60_000 });
    const options = { stateDir: fixture.stateDir, git, killGraceMs: 100 };
    expect(await sweepAttempts(options)).toBe(0);
    await writeFile(record, text.replace(/"start":"\d+"/, '"start":"1"'));
    const orphan = runChild({
      argv: ['sleep', '1000'],
      cwd: fixture.repo,
      env: { ...fixture.env, SWITCHYARD_RUN: tag },
      contained: { tag: 'another', kind: 'none' },
      stdin: undefined,
      onText: () => Promise.resolve(),
      signal: new AbortController().signal,
      killGraceMs: 100,
    });
    await until('the orphan is up', async () => (await processesWith(tag)).length > 0);
    expect(await sweepAttempts(options)).toBe(1);
    expect((await orphan).exit).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
    expect(await isThere(folder.path)).toBe(false);
    expect((await fixture.git('worktree', 'list')).split('\n')).toHaveLength(1);
  });
});
