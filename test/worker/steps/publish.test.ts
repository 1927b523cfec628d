// Publish is the only step that moves a branch, and only one that nobody else has touched.
import { describe, expect, test } from 'vitest';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chmod, readFile } from 'node:fs/promises';
import { openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';
import { openStepService, openStepWorker, type StepWorker } from '../../support/worker/step-workers.ts';

const run = promisify(execFile);

async function scene(fixture: RunFixture): Promise<{ base: string; head: string; worker: StepWorker }> {
  await fixture.write('a.txt', 'a\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  const base = await fixture.git('rev-parse', 'HEAD');
  const worker = openStepWorker(fixture, openStepService());
  const { result } = await worker.run({ base }, { prompt: shellPrompt('echo b > b.txt') });
  const head = result?.kind === 'implement' ? (result.candidate?.commit ?? '') : '';
  return { base, head, worker };
}

const publish = { kind: 'publish', story_id: null, branch: 'ralph/x' } as const;

describe('publish', () => {
  test('creates the branch, moves it on, and finds its own work when it is repeated [runs-8.4]', async () => {
    await using fixture = await openRunFixture();
    const { base, head, worker } = await scene(fixture);
    expect((await worker.run({ ...publish, head: base })).result).toMatchObject({ skipped: null, old: null });
    const step = { ...publish, head, old_head: base };
    expect((await worker.run(step)).result).toMatchObject({ skipped: null, old: base, new: head });
    expect((await worker.run(step)).result).toMatchObject({ skipped: null });
    expect(await fixture.git('rev-parse', 'ralph/x')).toBe(head);
  });

  test('leaves a branch alone that a person moved, made or checked out [runs-12.5]', async () => {
    await using fixture = await openRunFixture();
    const { base, head, worker } = await scene(fixture);
    await fixture.git('branch', 'ralph/x', base);
    expect((await worker.run({ ...publish, head })).result).toMatchObject({ skipped: 'moved', old: base });
    await fixture.git('worktree', 'add', '--quiet', join(fixture.root, 'other'), 'ralph/x');
    const step = { ...publish, head, old_head: base };
    expect((await worker.run(step)).result).toMatchObject({ skipped: 'checked_out', old: base });
    await fixture.git('worktree', 'remove', join(fixture.root, 'other'));
    await fixture.git('branch', '-D', 'ralph/x');
    expect((await worker.run(step)).result).toMatchObject({ skipped: 'moved', old: null });
    expect(await fixture.git('branch', '--list', 'ralph/x')).toBe('');
  });

  test('fast-forwards the branch that the run names, or says how to merge by hand [runs-9.7]', async () => {
    await using fixture = await openRunFixture();
    const { base, head, worker } = await scene(fixture);
    await fixture.git('branch', 'stable', base);
    const step = { ...publish, head, last: true, run_base: base };
    expect((await worker.run({ ...step, merge_into: 'stable' })).result).toMatchObject({ merge_note: null });
    expect(await fixture.git('rev-parse', 'stable')).toBe(head);
    const busy = await worker.run({ ...step, merge_into: 'main' });
    expect(busy.result).toMatchObject({ merge_note: expect.stringContaining('main is checked out') });
    expect(await fixture.git('rev-parse', 'main')).toBe(base);
    const none = await worker.run({ ...step, merge_into: 'absent' });
    expect(none.result).toMatchObject({ merge_note: expect.stringContaining('git merge ralph/x') });
  });

  test('runs no hook, and takes no name that is an option', async () => {
    await using fixture = await openRunFixture();
    const { base, head, worker } = await scene(fixture);
    const mark = join(fixture.root, 'ran');
    for (const hook of ['reference-transaction', 'pre-push', 'post-update', 'update']) {
      await fixture.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${mark}\n`);
      await chmod(join(fixture.repo, '.git/hooks', hook), 0o755);
    }
    await worker.run({ ...publish, head, last: true, run_base: base });
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
    for (const branch of ['--delete', 'a..b', 'x.lock']) {
      const refused = await worker.run({ ...publish, branch, head });
      expect(refused.outcome).toMatchObject({ status: 'failed', error: { code: 'bad_step' } });
    }
  });

  test('pushes the branch of a clone to its origin where the operator allows that', async () => {
    await using fixture = await openRunFixture();
    const { base } = await scene(fixture);
    const bare = join(fixture.root, 'origin.git');
    await run('git', ['clone', '--quiet', '--bare', fixture.repo, bare], { env: fixture.env });
    const url = `file://${bare}`;
    const clones = { from: ['*'], timeoutMs: 60_000, push: true };
    const cloned = openStepWorker({ ...fixture, repo: url }, openStepService(), { clones });
    const made = await cloned.run({ base }, { prompt: shellPrompt('echo c > c.txt') });
    const head = made.result?.kind === 'implement' ? (made.result.candidate?.commit ?? '') : '';
    const published = await cloned.run({ ...publish, head });
    expect(published.result).toMatchObject({ skipped: null, pushed: url });
    expect((await run('git', ['rev-parse', 'ralph/x'], { cwd: bare, env: fixture.env })).stdout.trim()).toBe(head);
  });
});
