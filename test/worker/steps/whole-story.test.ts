// One story on one worker with the real gates: prepare, implement, check, land on a moved head, publish.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { StepResultWire } from '../../../src/contracts/step.ts';
import { gateSteps } from '../../../src/worker/steps/dispatch/gate-steps.ts';
import { openRunFixture, shellPrompt } from '../../support/worker/run-fixture.ts';
import { readUserState } from '../../support/worker/step-fixture.ts';
import { implemented, openStepService, openStepWorker } from '../../support/worker/step-workers.ts';

const run = promisify(execFile);

function answer<K extends StepResultWire['kind']>(
  result: StepResultWire | undefined,
  kind: K,
): Extract<StepResultWire, { kind: K }> {
  const isKind = (one: StepResultWire | undefined): one is Extract<StepResultWire, { kind: K }> => one?.kind === kind;
  if (!isKind(result)) throw new Error(`the step answered ${String(result?.kind)}`);
  return result;
}

test('a story is implemented, checked, landed and published, and its tree passes on a fresh clone [runs-8.4, tools-3.6.2]', async () => {
  await using fixture = await openRunFixture();
  await fixture.write('package.json', JSON.stringify({ name: 'x', type: 'module', scripts: { test: 'node --test' } }));
  await fixture.write('sum.js', 'export const sum = (a, b) => a + b;\n');
  await fixture.write(
    'sum.test.js',
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\n" +
      "test('adds', () => assert.equal(sum(1, 2), 3));\n",
  );
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  await fixture.write('sum.js', 'broken by an uncommitted change\n');
  const before = await readUserState(fixture);
  const worker = openStepWorker(fixture, openStepService(), { gateSteps });

  const prepareStep = {
    kind: 'prepare' as const,
    story_id: null,
    n: 0,
    base: '',
    setup: ['mkdir made && echo 1 > made/x'],
  };
  const prepared = await worker.run({ ...prepareStep, gates: null, commit: null });
  const { base_commit: base, gates, hashes, baseline, setup } = answer(prepared.result, 'prepare');
  expect(prepared.result).toMatchObject({ dirty: true, branch_exists: false });
  expect(gates.map(({ id }) => id)).toEqual(['test']);
  expect(baseline).toMatchObject([{ gate_id: 'test', passed: true }]);
  const pinned = { base, run_base: base, gates, hashes, baseline, setup };

  const green = 'ls made; echo "export const diff = (a, b) => a - b;" >> sum.js';
  const made = await worker.run({ ...pinned }, { prompt: shellPrompt(green) });
  const { candidate, changed } = implemented(made.result);
  expect(changed.map(({ path }) => path)).toEqual(['sum.js']);
  const checked = await worker.run({ ...pinned, kind: 'check', candidate: candidate?.commit ?? '' });
  const { commit: head, verdict, results } = answer(checked.result, 'check');
  expect({ verdict, passed: results.map(({ passed }) => passed) }).toEqual({ verdict: 'ok', passed: [true] });

  const second = { ...pinned, story_id: 'US-002', n: 1, keep_ref: 'refs/switchyard/runs/x/US-002/1' };
  const other = await worker.run(second, { prompt: shellPrompt('echo "export const one = 1;" > one.js') });
  const landStep = {
    ...second,
    kind: 'land' as const,
    head,
    candidate: implemented(other.result).candidate?.commit ?? '',
  };
  const landed = answer((await worker.run(landStep)).result, 'land');
  expect(landed).toMatchObject({ verdict: 'ok', parent: head });
  expect(landed.results.map(({ passed }) => passed)).toEqual([true]);

  const red = await worker.run(pinned, { prompt: shellPrompt('echo "export const sum = () => 0;" > sum.js') });
  const bad = await worker.run({
    ...pinned,
    kind: 'check',
    candidate: implemented(red.result).candidate?.commit ?? '',
  });
  expect(answer(bad.result, 'check')).toMatchObject({ verdict: 'rejected', code: 'gate_failed', commit: null });
  expect(await readUserState(fixture)).toEqual(before);

  const step = {
    ...pinned,
    kind: 'publish' as const,
    story_id: null,
    branch: 'ralph/x',
    head: landed.commit,
    last: true,
  };
  const published = await worker.run({ ...step, commit: null });
  expect(answer(published.result, 'publish')).toMatchObject({ skipped: null, new: landed.commit });
  const { '.git/refs/heads/ralph/x': branch, ...rest } = await readUserState(fixture);
  expect(branch).toBeDefined();
  expect(rest).toEqual(before);
  const clone = join(fixture.root, 'clone');
  await run('git', ['clone', '--quiet', '--branch', 'ralph/x', fixture.repo, clone], { env: fixture.env });
  await run('npm', ['test'], { cwd: clone, env: fixture.env });
  const trailers = '%(trailers:key=Switchyard-Gates,valueonly)';
  expect(
    (await run('git', ['log', '-1', `--format=${trailers}`], { cwd: clone, env: fixture.env })).stdout.trim(),
  ).toBe('test=pass');
});
