// Commits travel between workers with separate clones: implement on one, check on the other, land, publish.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { StepResultWire } from '../../../src/contracts/step.ts';
import { gateSteps } from '../../../src/worker/steps/dispatch/gate-steps.ts';
import { openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';
import { readUserState } from '../../support/worker/step-fixture.ts';
import { openStepService, openStepWorker, redGate, type WorkedStep } from '../../support/worker/step-workers.ts';

const run = promisify(execFile);

async function firstCommit(fixture: RunFixture): Promise<string> {
  await fixture.write('a.txt', 'a\n');
  await fixture.write('b.txt', 'b\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  return fixture.git('rev-parse', 'HEAD');
}

/** Makes the other fixture's repository a clone of the first. */
async function cloneOf(original: RunFixture): Promise<RunFixture> {
  const other = await openRunFixture();
  await run('rm', ['-r', other.repo]);
  await run('git', ['clone', '--quiet', original.repo, other.repo], { env: original.env });
  return other;
}

function commitIn(result: StepResultWire | undefined): string {
  const commit = result?.kind === 'implement' || result?.kind === 'resolve' ? result.candidate?.commit : undefined;
  const made = result?.kind === 'check' || result?.kind === 'land' ? result.commit : undefined;
  const found = commit ?? made;
  if (found === undefined || found === null) throw new Error('the step made no commit');
  return found;
}

function source({ taskId, result }: WorkedStep): { task_id: string; artifact_id: string; commit: string } {
  return { task_id: taskId, artifact_id: 'bundle', commit: commitIn(result) };
}

describe('the travel of commits', () => {
  test('a story is implemented here, checked there, landed here and published', async () => {
    await using here = await openRunFixture();
    const base = await firstCommit(here);
    await using there = await cloneOf(here);
    const states = [await readUserState(here), await readUserState(there)];
    const service = openStepService();
    const [one, two] = [openStepWorker(here, service), openStepWorker(there, service)];
    const first = await one.run({ base, run_base: base }, { prompt: shellPrompt('echo 1 > one.txt') });
    const candidate = commitIn(first.result);
    const checked = await two.run({ kind: 'check', base, run_base: base, candidate, fetch: [source(first)] });
    const head = commitIn(checked.result);

    // A second story that began at the old head is landed on the new one, by the worker that lacks both commits.
    const second = await two.run(
      { base, run_base: base, story_id: 'US-002' },
      { prompt: shellPrompt('echo 2 > two.txt') },
    );
    const chain = [source(checked), source(second)];
    const landed = await one.run({
      kind: 'land',
      base,
      run_base: base,
      head,
      candidate: commitIn(second.result),
      fetch: chain,
      story_id: 'US-002',
    });
    expect(landed.result).toMatchObject({ kind: 'land', parent: head, verdict: 'ok', conflicts: [] });
    const tip = commitIn(landed.result);
    expect(await here.git('ls-tree', '-r', '--name-only', tip)).toBe('a.txt\nb.txt\none.txt\ntwo.txt');
    expect(await here.git('log', '--format=%s', tip)).toBe(
      'feat: US-001 - Add priority\nfeat: US-001 - Add priority\nfirst',
    );
    expect([await readUserState(here), await readUserState(there)]).toEqual(states);

    const published = await two.run({
      kind: 'publish',
      story_id: null,
      branch: 'ralph/x',
      run_base: base,
      head: tip,
      fetch: [source(checked), source(landed)],
      last: true,
      keep_ref: 'refs/switchyard/runs/r/publish/0',
    });
    expect(published.result).toEqual({
      kind: 'publish',
      branch: 'ralph/x',
      old: null,
      new: tip,
      pushed: null,
      skipped: null,
      merge_note: null,
    });
    expect(await there.git('rev-parse', 'refs/heads/ralph/x')).toBe(tip);
    expect(await there.git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe(
      'refs/heads/main\nrefs/heads/ralph/x',
    );
    expect(published.outcome.artifacts?.map(({ name }) => name)).toEqual(['step', 'diff', 'files']);
    // The bundle of the whole run stands on its base alone.
    expect(service.bundles.get(published.taskId)?.toString('latin1')).toContain(`-${base}`);
  });

  test('a retry begins at the old head on any clone: the bundle of the old run brings it [runs-12.12]', async () => {
    await using here = await openRunFixture();
    const base = await firstCommit(here);
    await using there = await cloneOf(here);
    const service = openStepService();
    const old = openStepWorker(here, service);
    const made = await old.run({ base, run_base: base }, { prompt: shellPrompt('echo 1 > one.txt') });
    const checked = await old.run({ kind: 'check', base, run_base: base, candidate: commitIn(made.result) });
    const head = commitIn(checked.result);
    const left = await old.run({ kind: 'publish', branch: 'ralph/old', run_base: base, head, last: true });
    const oldRun = '01890000-0000-7000-8000-0000000000ff';
    service.bundles.set(oldRun, service.bundles.get(left.taskId) ?? Buffer.alloc(0));
    service.bundles.delete(checked.taskId);

    const worker = openStepWorker(there, service, { gateSteps });
    const chain = [{ run_id: oldRun, commit: head }];
    const step = { kind: 'prepare', base: head, head, branch_policy: 'continue', fetch: chain } as const;
    const prepare = async (given: object = {}): Promise<WorkedStep> =>
      worker.run({ ...step, story_id: null, gates: [], ...given });
    expect((await prepare()).result).toMatchObject({ base_commit: head, branch_exists: false, branch_commit: null });

    await there.git('branch', 'ralph/test', base);
    expect((await prepare()).result).toMatchObject({ base_commit: head, branch_exists: true, branch_commit: base });
    const ahead = await there.git('commit-tree', `${head}^{tree}`, '-p', head, '-m', 'theirs');
    await there.git('branch', '--force', 'ralph/test', ahead);
    expect((await prepare()).result).toMatchObject({ base_commit: ahead, branch_commit: ahead });
    const aside = await there.git('commit-tree', `${base}^{tree}`, '-p', base, '-m', 'theirs');
    await there.git('branch', '--force', 'ralph/test', aside);
    expect((await prepare()).outcome).toMatchObject({ status: 'failed', error: { code: 'branch_moved' } });

    const unknown = [{ run_id: oldRun, commit: '1'.repeat(40) }];
    const missing = await prepare({ base: '1'.repeat(40), head: '1'.repeat(40), fetch: unknown });
    expect(missing.outcome).toMatchObject({ status: 'failed', error: { code: 'bundle_damaged' } });
  });

  test('objects that are there are not fetched', async () => {
    await using here = await openRunFixture();
    const base = await firstCommit(here);
    const service = openStepService();
    const worker = openStepWorker(here, service);
    const made = await worker.run({ base }, { prompt: shellPrompt('echo 1 > one.txt') });
    await worker.run({ kind: 'check', base, candidate: commitIn(made.result), fetch: [source(made)] });
    expect(service.downloads).toBe(0);
  });

  test('a clone behind its origin fetches it once; without the commit there the base is missing [runs-12.4]', async () => {
    await using here = await openRunFixture();
    await firstCommit(here);
    await using there = await cloneOf(here);
    await here.write('later.txt', 'later\n');
    await here.git('add', '.');
    await here.git('commit', '--quiet', '-m', 'later');
    const base = await here.git('rev-parse', 'HEAD');
    const service = openStepService();
    const made = await openStepWorker(here, service).run({ base }, { prompt: shellPrompt('echo 1 > one.txt') });
    const step = { kind: 'check' as const, base, candidate: commitIn(made.result), fetch: [source(made)] };
    const fetched = await openStepWorker(there, service).run(step);
    expect(fetched.outcome.error).toBeUndefined();
    expect(await there.git('branch', '--all')).not.toContain('switchyard');

    await using stranger = await openRunFixture();
    await stranger.write('x.txt', 'x\n');
    await stranger.git('add', '.');
    await stranger.git('commit', '--quiet', '-m', 'other');
    const refused = await openStepWorker(stranger, service).run(step);
    expect(refused.outcome).toMatchObject({ status: 'failed', error: { code: 'base_missing' } });
    const unknown = await openStepWorker(stranger, service).run({ base }, { prompt: shellPrompt('true') });
    expect(unknown.outcome).toMatchObject({ status: 'failed', error: { code: 'base_missing' } });
    const gone = await openStepWorker(there, openStepService()).run({
      ...step,
      candidate: '1'.repeat(40),
      fetch: [{ ...source(made), commit: '1'.repeat(40) }],
    });
    expect(gone.outcome).toMatchObject({ status: 'failed', error: { code: 'base_missing' } });
  });

  test('a damaged bundle, one of another commit and one over the limit are refused', async () => {
    await using here = await openRunFixture();
    const base = await firstCommit(here);
    await using there = await cloneOf(here);
    const service = openStepService();
    const one = openStepWorker(here, service);
    const made = await one.run({ base }, { prompt: shellPrompt('head -c 50000 /dev/urandom > one.bin') });
    const good = service.bundles.get(made.taskId) ?? Buffer.alloc(0);
    const step = { kind: 'check' as const, base, candidate: commitIn(made.result), fetch: [source(made)] };
    const flipped = Buffer.from(good);
    flipped[good.length - 30_000] = (flipped[good.length - 30_000] ?? 0) ^ 0xff;
    for (const damaged of [
      good.subarray(0, good.length - 100),
      flipped,
      Buffer.from('not a bundle'),
      Buffer.alloc(0),
    ]) {
      service.bundles.set(made.taskId, damaged);
      const refused = await openStepWorker(there, service).run(step);
      expect(refused.outcome).toMatchObject({ status: 'failed', error: { code: 'bundle_damaged' } });
    }
    const other = await one.run({ base, n: 2 }, { prompt: shellPrompt('echo other > other.txt') });
    service.bundles.set(made.taskId, service.bundles.get(other.taskId) ?? Buffer.alloc(0));
    const wrong = await openStepWorker(there, service).run(step);
    expect(wrong.outcome).toMatchObject({ status: 'failed', error: { code: 'bundle_damaged' } });

    const large = await one.run(
      { base, bundle_max_bytes: 10_000 },
      { prompt: shellPrompt('head -c 50000 /dev/urandom > x') },
    );
    expect(large.outcome).toMatchObject({ status: 'failed', error: { code: 'bundle_too_large' } });
    service.bundles.set(made.taskId, good);
    const received = await openStepWorker(there, service).run({ ...step, bundle_max_bytes: 10_000 });
    expect(received.outcome).toMatchObject({ status: 'failed', error: { code: 'bundle_too_large' } });
    expect((await openStepWorker(there, service).run(step)).outcome.status).toBe('completed');
  });

  test('a large bundle is sent in chunks', async () => {
    await using here = await openRunFixture();
    const base = await firstCommit(here);
    const worker = openStepWorker(here, openStepService());
    await worker.run({ base }, { prompt: shellPrompt('head -c 9000000 /dev/urandom > big.bin') });
    const chunks = here.events.filter((event) => event.type === 'artifact');
    expect(chunks.map(({ append, last_chunk: last, artifact_id: id }) => [append, last, id])).toEqual([
      [false, false, 'bundle'],
      [true, false, 'bundle'],
      [true, true, 'bundle'],
    ]);
  });
});

describe('land', () => {
  test('names the files of a conflict and leaves no commit', async () => {
    await using here = await openRunFixture();
    const base = await firstCommit(here);
    const worker = openStepWorker(here, openStepService());
    const one = await worker.run({ base, n: 1 }, { prompt: shellPrompt('echo one > a.txt; echo one > b.txt') });
    const two = await worker.run({ base, n: 2 }, { prompt: shellPrompt('echo two > a.txt; rm b.txt') });
    const landed = await worker.run({
      kind: 'land',
      base,
      head: commitIn(one.result),
      candidate: commitIn(two.result),
    });
    expect(landed.result).toMatchObject({
      verdict: 'conflict',
      commit: null,
      tree: null,
      conflicts: [{ path: 'a.txt' }, { path: 'b.txt' }],
    });
  });

  test('says whether the change of the candidate is the same on the head [runs-12.9]', async () => {
    await using here = await openRunFixture();
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
    await here.write('lines.txt', `${lines.join('\n')}\n`);
    const base = await firstCommit(here);
    const worker = openStepWorker(here, openStepService());
    const edit = (from: number, n: number): Promise<WorkedStep> =>
      worker.run({ base, n }, { prompt: shellPrompt(`sed -i 's/^line ${from}$/changed ${from}/' lines.txt`) });
    const [own, far, near] = [await edit(10, 1), await edit(25, 2), await edit(12, 3)].map(({ result }) =>
      commitIn(result),
    );
    const land = (head: string | undefined): Promise<WorkedStep> =>
      worker.run({ kind: 'land', base, head: head ?? '', candidate: own ?? '', n: 4 });
    expect((await land(far)).result).toMatchObject({ verdict: 'ok', same_patch: true });
    expect((await land(near)).result).toMatchObject({ verdict: 'ok', same_patch: false });
  });

  test('is rejected with the results of the gates on the merged tree', async () => {
    await using here = await openRunFixture();
    const base = await firstCommit(here);
    const service = openStepService();
    const green = openStepWorker(here, service);
    const one = await green.run({ base, n: 1 }, { prompt: shellPrompt('echo one > one.txt') });
    const two = await green.run({ base, n: 2 }, { prompt: shellPrompt('echo two > two.txt') });
    const seen: string[] = [];
    const red = openStepWorker(here, service, {
      gateSteps: {
        prepare: () => Promise.reject(new Error('unused')),
        check: () => Promise.reject(new Error('unused')),
        setUp: () => Promise.resolve([]),
        async verify({ git, repository }, { base: below, candidate }) {
          seen.push(below, await git.line(['ls-tree', '--name-only', candidate], { cwd: repository.root }));
          const results = [redGate('test')];
          return { results, verdict: 'rejected', code: 'gate_failed', environment_differs: ['test'] };
        },
      },
    });
    const head = commitIn(one.result);
    const landed = await red.run({ kind: 'land', base, head, candidate: commitIn(two.result), n: 3 });
    expect(landed.result).toMatchObject({ verdict: 'rejected', code: 'gate_failed', commit: null, parent: head });
    expect(landed.result).toMatchObject({ environment_differs: ['test'] });
    expect(seen).toEqual([head, 'a.txt\nb.txt\none.txt\ntwo.txt']);
  });
});
