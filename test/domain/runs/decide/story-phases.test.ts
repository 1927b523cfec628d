// Each row of the table of phases: what a running story does after the outcome of its step.
import { describe, expect, it } from 'vitest';
import { gateResult, onlineWorker, storyRow } from '../support/run-rows.ts';
import { simulateRun, type SimulatedRun } from '../support/simulated-run.ts';
import { checkAnswer, implementAnswer, judgeAnswer, landAnswer, redCheck } from '../support/step-answers.ts';

/** A run whose stories begin: `Tests pass` is shown by a gate, other criteria by the judge. */
function begun(stories = [storyRow('US-001')], run: Parameters<typeof simulateRun>[0]['run'] = {}): SimulatedRun {
  const simulated = simulateRun({ stories, run });
  simulated.look();
  simulated.complete('prepare');
  return simulated;
}

describe('a running story', () => {
  it('is implemented, checked, landed, published; the run is completed [runs-5.5, runs-5.6, runs-8.5]', () => {
    const run = begun();
    expect(run.story('US-001')).toMatchObject({
      status: 'running',
      phase: 'implementing',
      result: 'iteration 1: implementing',
    });
    run.complete('implement');
    expect(run.story('US-001').phase).toBe('checking');
    run.complete('check');
    const story = run.story('US-001');
    expect(story).toMatchObject({ status: 'passed', phase: null, iteration: 1 });
    expect(story.result).toBe(`commit ${story.commit?.slice(0, 7)}: 1 of 1 criteria (1 by test)`);
    expect(run.run.headCommit).toBe(story.commit);
    expect(run.planOf(run.open('publish'))).toMatchObject({ head: story.commit, last: true, targetWorkerId: 'home' });
    run.complete('publish');
    expect(run.run).toMatchObject({
      status: 'completed',
      currentIteration: 1,
      error: null,
      publishedCommit: story.commit,
    });
  });

  it('goes to the judge with the criteria that no command covers [runs-5.6, runs-10.2]', () => {
    const run = begun([storyRow('US-001', { criteria: ['Tests pass', 'The text is friendly'] })]);
    run.complete('implement');
    run.complete('check');
    expect(run.planOf(run.open('judge'))).toMatchObject({ criteria: [1], agent: 'codex' });
    run.complete('judge');
    expect(run.story('US-001').result).toMatch(/: 2 of 2 criteria \(1 by test, 1 by reviewer\)$/);
  });

  it('keeps the notes of its agent and each of its patterns, at most 8 KiB together [runs-9.4]', () => {
    const run = begun();
    const patterns = ['money is in cents', 'x'.repeat(8000), 'prices are positive'];
    run.complete('implement', (plan) => implementAnswer(plan, { notes: 'n'.repeat(400), patterns }));
    expect(run.rows.learnings.map(({ kind, author, text }) => [kind, author, text.slice(0, 20)])).toEqual([
      ['note', 'agent', 'n'.repeat(20)],
      ['pattern', 'agent', 'money is in cents'],
    ]);
  });

  it('is never judged by the agent that only runs commands', () => {
    const command = onlineWorker('home', ['command']);
    for (const [workers, agent] of [
      [[command], null],
      [[command, onlineWorker('other', ['command', 'model'])], 'model'],
    ] as const) {
      const run = begun([storyRow('US-001', { criteria: ['Tests pass', 'The text is friendly'] })]);
      run.change({ workers });
      run.complete('implement', (plan) => implementAnswer(plan, { agent: 'command' }));
      run.complete('check');
      expect(run.planOf(run.open('judge'))).toMatchObject({ agent });
    }
  });

  it('spends an iteration when a gate rejects it, and learns from facts [runs-9.3, runs-11.1]', () => {
    const run = begun();
    run.complete('implement');
    run.complete('check', (plan) => redCheck(plan, 'AssertionError: expected 2, got 3\n at src/sum.test.ts:12:5'));
    expect(run.story('US-001')).toMatchObject({ status: 'running', phase: 'implementing', iteration: 1 });
    expect(run.rows.learnings).toMatchObject([{ kind: 'failure', author: 'director', n: 1 }]);
    expect(run.rows.learnings[0]?.text).toContain('`npm test` exit 1');
    expect(run.planOf(run.open('implement'))).toMatchObject({ n: 2, try: 1 });
    expect(run.snapshot.attempts[0]).toMatchObject({ status: 'failed', failureCode: 'gate_failed' });
  });

  it('that is rejected has evidence of its candidate', () => {
    const run = begun();
    run.complete('implement');
    run.complete('check', (plan) => redCheck(plan, 'not ok 1'));
    const [attempt] = run.snapshot.attempts;
    expect(run.snapshot.evidence).toMatchObject([{ status: 'failed', commit: attempt?.candidateCommit }]);
    expect(attempt?.candidateCommit).not.toBe(attempt?.baseCommit);
  });

  it.each(['agent_error', 'agent_exit', 'timeout', 'step_limit', 'token_limit', 'bundle_too_large'])(
    'spends an iteration when its agent ends with %s',
    (code) => {
      const run = begun();
      run.fail('implement', code);
      expect(run.story('US-001')).toMatchObject({ iteration: 1, phase: 'implementing' });
      expect(run.snapshot.attempts[0]).toMatchObject({ status: 'failed', failureCode: code });
    },
  );

  it('fails after exactly its iterations, and names the reason; those that depend on it fail with it [runs-5.9, runs-5.11]', () => {
    const run = begun([storyRow('US-001'), storyRow('US-002'), storyRow('US-003')], { maxIterations: 2 });
    expect(run.story('US-002').result).toBe('waits for US-001');
    run.finishAll((plan) =>
      plan.kind === 'check'
        ? redCheck(plan, `AssertionError: expected ${plan.n === 1 ? 'sum' : 'list'} 2, got 3\n at src/sum.test.ts:12:5`)
        : implementAnswer(plan),
    );
    expect(run.run).toMatchObject({ status: 'failed', currentIteration: 2, error: { code: 'stories_failed' } });
    expect(run.run.spent.iterations).toBe(2);
    expect(run.story('US-001').result).toBe(
      '2 iterations: `npm test` exit 1: expected list 2, got 3 (src/sum.test.ts:12)',
    );
    expect(run.story('US-002')).toMatchObject({ status: 'failed', result: expect.stringContaining('US-001') });
    expect(run.story('US-003').status).toBe('failed');
  });

  it('fails the attempt that changed nothing, unless every criterion is shown by a command [runs-10.10]', () => {
    const run = begun([storyRow('US-001', { criteria: ['The text is friendly'] })]);
    run.complete('implement', (plan) => implementAnswer(plan, { candidate: null }));
    expect(run.planOf(run.open('check')).candidate).toBeNull();
    run.complete('check', (plan) => checkAnswer(plan, { commit: null, verdict: 'rejected', code: 'no_change' }));
    expect(run.snapshot.attempts[0]).toMatchObject({ status: 'failed', failureCode: 'no_change' });

    const met = begun();
    met.complete('implement', (plan) => implementAnswer(plan, { candidate: null }));
    met.complete('check', (plan) => checkAnswer(plan, { commit: null, verdict: 'rejected', code: 'no_change' }));
    expect(met.story('US-001')).toMatchObject({ status: 'passed', commit: null });
    expect(met.story('US-001').result).toBe('already met: 1 of 1 criteria (1 by test)');
    expect(met.run.status).toBe('completed');
  });

  it("never passes against its evidence, whatever the worker's verdict is", () => {
    const run = begun();
    run.complete('implement');
    run.complete('check', (plan) => checkAnswer(plan, { results: [gateResult({ passed: false })], verdict: 'ok' }));
    expect(run.snapshot.attempts[0]).toMatchObject({ status: 'failed', failureCode: 'gate_failed' });
  });

  it('spends an iteration when the judge rejects, and never passes on a quote that does not hold', () => {
    const run = begun([storyRow('US-001', { criteria: ['The text is friendly'] })]);
    run.complete('implement');
    run.complete('check');
    run.complete('judge', (plan) => judgeAnswer(plan, 'fail'));
    expect(run.snapshot.attempts[0]).toMatchObject({ status: 'failed', failureCode: 'judge_failed' });
    run.complete('implement');
    run.complete('check');
    const quotes = [{ path: 'a.ts', line: 1, text: 'invented', holds: false }];
    run.complete('judge', (plan) =>
      judgeAnswer(plan, 'pass', { criteria: [{ index: 0, verdict: 'pass', quotes, reason: '' }] }),
    );
    expect(run.question('unverifiable').data).toMatchObject({ criteria: [{ index: 0 }] });
    expect(run.story('US-001').phase).toBe('asking');
  });

  it('tries the judge again that gives no answer, then asks', () => {
    const run = begun([storyRow('US-001', { criteria: ['The text is friendly'] })]);
    run.complete('implement');
    run.complete('check');
    for (let turn = 0; turn < 3; turn++) run.fail('judge', 'agent_error');
    expect(run.question('infra').data).toMatchObject({ step: 'judge', code: 'agent_error', tries: 3 });
    expect(run.story('US-001').iteration).toBe(0);
  });
});

describe('a check', () => {
  it('that passed before the work is vacuous evidence [runs-10.14]', () => {
    const command = 'npm test -- sum';
    const checks = [{ criterion: 0, command }];
    for (const before of ['passed', 'failed'] as const) {
      const run = begun([storyRow('US-001', { criteria: ['It sums'], checks })]);
      const result = gateResult({ gate_id: null, criterion: 0, command, before });
      run.complete('implement');
      run.complete('check', (plan) => checkAnswer(plan, { results: [gateResult(), result] }));
      const evidence = run.snapshot.evidence.filter(({ by }) => by === 'check');
      expect(evidence).toMatchObject([{ criterion: 0, status: 'passed', before, vacuous: before === 'passed' }]);
    }
  });
});

describe('landing', () => {
  const parallel = { mode: 'parallel', maxParallel: 3 } as const;

  function twoChecked(): SimulatedRun {
    const run = begun([storyRow('US-001'), storyRow('US-002')], parallel);
    expect(run.openKinds()).toEqual(['implement US-001', 'implement US-002']);
    run.complete('implement', undefined, { storyId: 'US-002' });
    run.complete('implement', undefined, { storyId: 'US-001' });
    run.complete('check', undefined, { storyId: 'US-002' });
    run.complete('check', undefined, { storyId: 'US-001' });
    return run;
  }

  it('takes a step only where the head has moved, and lands what was checked on that head [runs-8.5, runs-12.2]', () => {
    const run = twoChecked();
    const first = run.story('US-002').commit;
    expect(run.run.headCommit).toBe(first);
    expect(run.planOf(run.open('land'))).toMatchObject({ storyId: 'US-001', head: first });
    run.complete('land');
    expect(run.story('US-001')).toMatchObject({ status: 'passed', commit: run.run.headCommit });
    run.finishAll();
    expect(run.run.status).toBe('completed');
    expect(run.rows.events.filter(({ type }) => type === 'landed')).toHaveLength(2);
  });

  it('lands again what was merged on a head that has moved meanwhile', () => {
    const run = twoChecked();
    const elsewhere = run.story('US-002').commit;
    const { step } = run.open('land');
    // Another landing changed the head between the opening of the step and its end.
    run.change({ run: { ...run.run, headCommit: 'f'.repeat(40) } });
    run.complete('land');
    expect(elsewhere).not.toBeNull();
    expect(run.open('land').step.id).not.toBe(step.id);
    expect(run.planOf(run.open('land')).head).toBe('f'.repeat(40));
  });

  it('lets an agent resolve a conflict in a new try, checks it again, and asks after three [runs-5.6]', () => {
    const run = twoChecked();
    const conflict = (plan: Parameters<typeof landAnswer>[0]): ReturnType<typeof landAnswer> =>
      landAnswer(plan, { verdict: 'conflict', commit: null, tree: null, conflicts: [{ path: 'src/a.ts' }] });
    run.complete('land', conflict);
    expect(run.planOf(run.open('resolve'))).toMatchObject({ n: 1, try: 2, base: run.run.headCommit });
    expect(run.snapshot.attempts.find(({ storyId, try: t }) => storyId === 'US-001' && t === 1)?.status).toBe('void');
    run.complete('resolve');
    run.complete('check');
    // Its base is the head, so no step is needed.
    expect(run.story('US-001')).toMatchObject({ status: 'passed', iteration: 1, conflicts: 1 });
  });

  it('implements again, from the new head, what is red on the merged tree or cannot be resolved', () => {
    const run = twoChecked();
    run.complete('land', (plan) => landAnswer(plan, { verdict: 'rejected', results: [gateResult({ passed: false })] }));
    expect(run.planOf(run.open('implement'))).toMatchObject({ n: 1, try: 2, base: run.run.headCommit });
    expect(run.rows.learnings.at(-1)).toMatchObject({ kind: 'conflict', storyId: 'US-001' });

    const other = twoChecked();
    other.complete('land', (plan) => landAnswer(plan, { verdict: 'conflict', conflicts: [{ path: 'a' }] }));
    other.complete('resolve', (plan) => implementAnswer(plan, { candidate: null }));
    expect(other.planOf(other.open('implement'))).toMatchObject({ n: 1, try: 3, base: other.run.headCommit });
    expect(other.story('US-001').iteration).toBe(0);
  });
});

describe('a run that does not commit by itself', () => {
  it('completes with its commits off the branch, and publishes them when a person says so [runs-6.1.9, tools-3.6.3, tools-8.3]', () => {
    const run = begun([storyRow('US-001')], { options: { commitOnPass: false } });
    run.complete('implement');
    run.complete('check');
    expect(run.run).toMatchObject({ status: 'completed', publishedCommit: null });
    expect(run.story('US-001').result).toMatch(/, waits for commit$/);
    run.publish();
    run.complete('publish');
    expect(run.run).toMatchObject({ status: 'completed', publishedCommit: run.run.headCommit });
    expect(run.story('US-001').result).not.toContain('waits for commit');
  });
});

describe('being stuck', () => {
  it('leads to one diagnosis, then to a question [runs-5.6, runs-11.6]', () => {
    const run = begun([storyRow('US-001')], { maxIterations: 9 });
    const red = (): void => {
      run.complete('implement');
      run.complete('check', (plan) =>
        redCheck(plan, `AssertionError: expected 2, got ${plan.n}\n at src/a${plan.n}/s.ts:${plan.n}`),
      );
    };
    red();
    red();
    expect(run.story('US-001')).toMatchObject({ phase: 'diagnosing', iteration: 2 });
    run.complete('diagnose');
    expect(run.rows.learnings.at(-1)).toMatchObject({ kind: 'diagnosis', author: 'agent', text: 'try another way' });
    expect(run.planOf(run.open('implement')).n).toBe(3);
    red();
    expect(run.question('stuck').data).toMatchObject({ reason: 'same_failure' });
    expect(run.run.status).toBe('needs_input');
    run.answer('stuck', { choice: 'hint', text: 'use the other function' });
    expect(run.rows.learnings.at(-1)).toMatchObject({ kind: 'guidance', author: 'human' });
    expect(run.story('US-001')).toMatchObject({ extraIterations: 1, diagnoses: 0, phase: 'implementing' });
    expect(run.run.status).toBe('running');
  });

  it('is seen in a tree that comes again and in two attempts that change nothing, not in other words', () => {
    const run = begun([storyRow('US-001', { criteria: ['friendly'] })], { maxIterations: 9 });
    const tree = 'a'.repeat(40);
    const attempt = (commit: string): void => {
      run.complete('implement', (plan) => implementAnswer(plan, { candidate: { commit, tree } }));
      run.complete('check', (plan) => redCheck(plan, `error of ${commit} alone`));
    };
    attempt('b'.repeat(40));
    attempt('c'.repeat(40));
    expect(run.story('US-001').phase).toBe('diagnosing');

    const idle = begun([storyRow('US-001', { criteria: ['friendly'] })], { maxIterations: 9 });
    for (let turn = 0; turn < 2; turn++) {
      idle.complete('implement', (plan) => implementAnswer(plan, { candidate: null, summary: `said ${turn}` }));
      idle.complete('check', (plan) => checkAnswer(plan, { commit: null, verdict: 'rejected', code: 'no_change' }));
    }
    expect(idle.story('US-001').phase).toBe('diagnosing');
  });
});

describe('workers', () => {
  it('run a check at home whose gates are red on another worker alone [runs-10.13]', () => {
    const run = begun();
    run.complete('implement');
    run.complete('check', (plan) => checkAnswer(plan, { verdict: 'rejected', environment_differs: ['test'] }), {
      workerId: 'other',
    });
    expect(run.planOf(run.open('check'))).toMatchObject({ targetWorkerId: 'home', n: 1, try: 1 });
    expect(run.rows.events.some(({ type }) => type === 'environment_differs')).toBe(true);
    expect(run.story('US-001').iteration).toBe(0);
  });

  it('that lack the base are not asked again; a person is when none is left [runs-12.4]', () => {
    const run = begun();
    run.complete('implement');
    run.fail('check', 'base_missing', { workerId: 'other' });
    expect(run.open('check').step.targetWorkerId).toBe('home');
    run.fail('check', 'base_missing', { workerId: 'home' });
    expect(run.question('infra').data).toMatchObject({ code: 'base_missing' });
  });

  it('that hold the branch and stay away for ten minutes lose it [runs-12.7]', () => {
    const run = begun();
    run.complete('implement');
    run.complete('check');
    const offlineSince = run.now.toISOString();
    run.change({ workers: [{ ...onlineWorker('home'), online: false, offlineSince }, onlineWorker('other')] });
    run.look();
    expect(run.open('publish').step.targetWorkerId).toBe('home');
    expect(run.advanceToDue()).toBe(10 * 60_000);
    expect(run.open('publish').step.targetWorkerId).toBe('other');
    run.complete('publish');
    expect(run.run).toMatchObject({ status: 'completed', homeWorkerId: 'other' });
  });
});
