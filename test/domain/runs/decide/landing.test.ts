// Landings whose head moved meanwhile: gates of another machine, evidence for the merged commit, findings about what passed.
// runs-10, runs-12.
import { describe, expect, it } from 'vitest';
import { gateResult, onlineWorker, storyRow } from '../support/run-rows.ts';
import { simulateRun, type SimulatedRun } from '../support/simulated-run.ts';
import { checkAnswer, implementAnswer, judgeAnswer, landAnswer } from '../support/step-answers.ts';

const criteria = ['Tests pass', 'The text is friendly'];
const red = [gateResult({ passed: false })];

/** Two stories at work, of which the first has landed: the second, whose criteria need a judge too, has to be merged. */
function merging(): SimulatedRun {
  const stories = [storyRow('US-001', { dependsOn: [] }), storyRow('US-002', { dependsOn: [], criteria })];
  const run = simulateRun({ stories, run: { mode: 'parallel', maxParallel: 2 } });
  run.look();
  run.complete('prepare');
  const changed = [{ path: 'src/sum.ts', status: 'modified', added: 2, removed: 1 } as const];
  for (const storyId of ['US-001', 'US-002']) {
    run.complete('implement', (plan) => implementAnswer(plan, { changed }), { storyId });
    run.complete('check', (plan) => checkAnswer(plan), { storyId });
  }
  run.advance(1000);
  run.complete('judge');
  expect(run.planOf(run.open('land'))).toMatchObject({ storyId: 'US-002', head: run.story('US-001').commit });
  return run;
}

describe('a landing whose gates are red on another worker alone', () => {
  it('goes home; the attempt stays, and no conflict is counted [runs-10.13]', () => {
    const run = merging();
    const answer = { verdict: 'rejected', commit: null, code: 'gate_failed', results: red } as const;
    run.complete('land', (plan) => landAnswer(plan, { ...answer, environment_differs: ['test'] }), {
      workerId: 'other',
    });
    expect(run.planOf(run.open('land'))).toMatchObject({ targetWorkerId: 'home', n: 1, try: 1 });
    expect(run.story('US-002')).toMatchObject({ phase: 'landing', conflicts: 0, iteration: 0 });
    expect(run.rows.learnings).toEqual([]);
    run.complete('land');
    expect(run.story('US-002').status).toBe('passed');
  });

  it('asks when they are red at the base on every worker, home among them; an answer tries it there again [runs-10.13]', () => {
    const run = merging();
    const differs = (plan: Parameters<typeof landAnswer>[0]) =>
      landAnswer(plan, { verdict: 'rejected', commit: null, results: red, environment_differs: ['test'] });
    run.complete('land', differs, { workerId: 'home' });
    expect(run.open('land').step.targetWorkerId).toBe('other');
    run.complete('land', differs, { workerId: 'other' });
    expect(run.question('infra')).toMatchObject({ storyId: 'US-002', data: { code: 'environment_differs' } });
    expect(run.story('US-002').iteration).toBe(0);
    run.answer('infra', { choice: 'retry' });
    expect(run.open('land').step.targetWorkerId).toBe('home');
  });

  it('a check at a new home, whose gates are red at the base, spends no iteration [runs-10.13]', () => {
    const run = simulateRun({ stories: [storyRow('US-001')], workers: [onlineWorker('home')] });
    run.look();
    run.complete('prepare');
    run.complete('implement');
    const rejected = { verdict: 'rejected', commit: null, code: 'gate_failed', results: red } as const;
    run.complete('check', (plan) => checkAnswer(plan, { ...rejected, environment_differs: ['test'] }));
    expect(run.question('infra').data).toMatchObject({ code: 'environment_differs' });
    expect(run.story('US-001')).toMatchObject({ phase: 'asking', iteration: 0 });
  });
});

describe('the evidence of a merged story', () => {
  it('of commands is that of the merged tree, of the judge the same while the change is [runs-12.9]', () => {
    const run = merging();
    run.complete('land');
    const { commit, status } = run.story('US-002');
    expect(status).toBe('passed');
    const rows = run.snapshot.evidence.filter((row) => row.storyId === 'US-002' && row.commit === commit);
    expect(rows.map(({ criterion, by }) => [criterion, by])).toEqual([
      [0, 'gate'],
      [1, 'judge'],
    ]);
  });

  it('of the judge is asked for anew where the merge made it another change [runs-12.9]', () => {
    const run = merging();
    run.complete('land', (plan) => landAnswer(plan, { same_patch: false }));
    const head = run.story('US-001').commit;
    const plan = run.planOf(run.open('judge'));
    expect(plan).toMatchObject({ storyId: 'US-002', criteria: [1], base: head });
    expect(plan.candidate).not.toBe(run.snapshot.attempts.find(({ storyId }) => storyId === 'US-002')?.candidateCommit);
    run.complete('judge', (asked) => judgeAnswer(asked, 'fail'));
    expect(run.story('US-002')).toMatchObject({ status: 'running', iteration: 1 });
  });

  it('lands when the judge accepts the merged change [runs-12.9]', () => {
    const run = merging();
    run.complete('land', (plan) => landAnswer(plan, { same_patch: false }));
    run.complete('judge');
    expect(run.story('US-002')).toMatchObject({ status: 'passed', commit: run.run.headCommit });
  });
});

it('a conflict names the files of both diffs to the next attempt [runs-11.9]', () => {
  const run = merging();
  const conflict = { verdict: 'conflict', commit: null, conflicts: [{ path: 'src/sum.ts' }] } as const;
  run.complete('land', (plan) => landAnswer(plan, conflict));
  const text = run.rows.learnings.at(-1)?.text ?? '';
  expect(text).toContain('the diff of US-002 touched src/sum.ts (+2 -1)');
  expect(text).toContain(
    `US-001 landed meanwhile as ${run.story('US-001').commit?.slice(0, 7)} and touched src/sum.ts`,
  );
});

it('findings about a story that passed are warnings: skips, accepted tests, flaky commands [runs-10.16]', () => {
  const run = simulateRun({ stories: [storyRow('US-001', { allowTestChanges: true })] });
  run.look();
  run.complete('prepare');
  run.complete('implement');
  run.complete('check', (plan) =>
    checkAnswer(plan, {
      results: [gateResult({ flaky: true })],
      suppressions: ['src/a.ts:3 // eslint-disable-next-line'],
      protected: [
        { path: 'test/a.test.ts', change: 'modified', verdict: 'accepted' },
        { path: 'test/new.test.ts', change: 'added', verdict: 'accepted' },
      ],
    }),
  );
  expect(run.story('US-001').status).toBe('passed');
  expect(run.run.warnings).toEqual([
    { code: 'flaky', message: 'US-001: `npm test` failed, and passed when it was run again.' },
    { code: 'suppressed', message: 'US-001 skips tests or disables checks: src/a.ts:3 // eslint-disable-next-line' },
    {
      code: 'tests_changed',
      message: 'US-001 changes existing tests, which was accepted: test/a.test.ts (modified)',
    },
  ]);
});
