// Each option of each question, and what it does. runs-5.
import { describe, expect, it } from 'vitest';
import { commitOf, gateResult, storyRow } from '../support/run-rows.ts';
import { simulateRun, type SimulatedRun } from '../support/simulated-run.ts';
import {
  checkAnswer,
  implementAnswer,
  judgeAnswer,
  landAnswer,
  prepareAnswer,
  publishAnswer,
  redCheck,
} from '../support/step-answers.ts';

type Start = Parameters<typeof simulateRun>[0];

function prepared(run: Start['run'] = {}, stories = [storyRow('US-001'), storyRow('US-002')]): SimulatedRun {
  const simulated = simulateRun({ stories, run });
  simulated.look();
  simulated.complete('prepare');
  return simulated;
}

describe('baseline_red', () => {
  function red(baseline: 'ask' | 'require' | 'ignore' = 'ask'): SimulatedRun {
    const run = simulateRun({ stories: [storyRow('US-001')], run: { options: { baseline } } });
    run.look();
    run.complete('prepare', () => prepareAnswer({ baseline: [gateResult({ passed: false })] }));
    return run;
  }

  it('is asked before any story starts [runs-10.4]', () => {
    const run = red();
    expect(run.run.status).toBe('needs_input');
    expect(run.openKinds()).toEqual([]);
    expect(run.question('baseline_red').text).toContain('`npm test` (exit 1)');
  });

  it('quotes the output of the gate', () => {
    const run = simulateRun({ stories: [storyRow('US-001')] });
    run.look();
    const tail = "\n> money@1.0.0 test\n> node --test\n\nCould not find 'test/*.test.ts'\n";
    run.complete('prepare', () => prepareAnswer({ baseline: [gateResult({ passed: false, tail })] }));
    expect(run.question('baseline_red').text).toMatch(/\(exit 1\)\.\nCould not find 'test\/\*\.test\.ts'$/);
  });

  it('fix_first keeps the gate and tells the first story [runs-5.8]', () => {
    const run = red();
    run.answer('baseline_red', { choice: 'fix_first' });
    expect(run.rows.learnings).toMatchObject([{ kind: 'guidance', storyId: 'US-001', author: 'director' }]);
    expect(run.run.baseline?.gates[0]?.required).toBe(true);
    expect(run.openKinds()).toEqual(['implement US-001']);
  });

  it('ignore makes the gate advisory: its criteria go to the judge, its failure rejects nothing [runs-5.8]', () => {
    const run = red();
    run.answer('baseline_red', { choice: 'ignore' });
    run.complete('implement');
    run.complete('check', (plan) => checkAnswer(plan, { results: [gateResult({ passed: false })] }));
    expect(run.planOf(run.open('judge')).criteria).toEqual([0]);
  });

  it('can be answered ahead', () => {
    expect(red('require').rows.learnings).toHaveLength(1);
    expect(red('ignore').run.baseline?.gates[0]?.required).toBe(false);
  });

  it('cancel ends the run', () => {
    const run = red();
    run.answer('baseline_red', { choice: 'cancel' });
    expect(run.run.status).toBe('cancelled');
  });
});

describe('infra and agent_setup', () => {
  it('infra is asked after three tries of prepare, and retry begins to count anew [runs-11.2]', () => {
    const run = simulateRun({ stories: [storyRow('US-001')] });
    run.look();
    for (let turn = 0; turn < 3; turn++) run.fail('prepare', 'setup_failed');
    expect(run.question('infra')).toMatchObject({ storyId: null, data: { code: 'setup_failed', tries: 3 } });
    expect(run.question('infra').text).toContain('message of setup_failed');
    run.answer('infra', { choice: 'retry' });
    expect(run.open('prepare').step.infraTries).toBe(0);
    expect(run.run.status).toBe('running');
    run.fail('prepare', 'setup_failed');
    expect(run.openQuestions()).toEqual([]);
  });

  it('cancel after a failed set-up leaves its code with the run', () => {
    const run = simulateRun({ stories: [storyRow('US-001')] });
    run.look();
    for (let turn = 0; turn < 3; turn++) run.fail('prepare', 'setup_failed');
    run.answer('infra', { choice: 'cancel' });
    expect(run.run).toMatchObject({ status: 'cancelled', error: { code: 'setup_failed' } });
  });

  it.each(['model_refused', 'agent_missing', 'bad_model'])(
    '%s asks at once; another agent takes the step over',
    (code) => {
      const run = prepared();
      run.fail('implement', code);
      expect(run.question('agent_setup')).toMatchObject({ storyId: 'US-001', data: { code } });
      run.answer('agent_setup', { choice: 'other_agent', agent: 'codex' });
      expect(run.planOf(run.open('implement'))).toMatchObject({ agent: 'codex', n: 1, try: 1 });
      expect(run.story('US-001').iteration).toBe(0);
    },
  );

  it('other_agent for a judge is the verifier of the run [runs-5.8]', () => {
    const run = prepared({}, [storyRow('US-001', { criteria: ['friendly'] })]);
    run.complete('implement');
    run.complete('check');
    run.fail('judge', 'model_refused');
    run.answer('agent_setup', { choice: 'other_agent', agent: 'pi' });
    expect(run.planOf(run.open('judge')).agent).toBe('pi');
    expect(run.story('US-001').agent).toBeNull();
  });
});

describe('approve_tests', () => {
  const changed = (plan: Parameters<typeof checkAnswer>[0]): ReturnType<typeof checkAnswer> =>
    checkAnswer(plan, {
      commit: null,
      verdict: 'rejected',
      code: 'tests_changed',
      results: [gateResult({ passed: plan.n !== 0 })],
      protected: [{ path: 'test/sum.test.ts', change: 'modified', verdict: 'tests_changed' }],
      protected_diff: `diff ${plan.n}`,
      failing_base_tests: ['sum adds negatives'],
    });

  function asked(): SimulatedRun {
    const run = prepared({ maxIterations: 2 });
    run.complete('implement');
    run.complete('check', changed);
    expect(run.snapshot.attempts[0]).toMatchObject({ status: 'failed', failureCode: 'tests_changed' });
    run.complete('implement');
    run.complete('check', changed);
    return run;
  }

  it('is asked the second time, with the diff, and spends nothing before the answer [runs-10.7]', () => {
    const run = asked();
    expect(run.question('approve_tests').data).toMatchObject({ diff: 'diff 2', failing: ['sum adds negatives'] });
    expect(run.question('approve_tests').text).toBe(
      'Iteration 2 changed test/sum.test.ts; the old tests fail on the new code.',
    );
    expect(run.story('US-001')).toMatchObject({ phase: 'asking', iteration: 1 });
  });

  it('accept checks this candidate again with these files allowed, and leaves evidence of the person', () => {
    const run = asked();
    run.answer('approve_tests', { choice: 'accept' });
    expect(run.story('US-001').allowTestChanges).toEqual(['test/sum.test.ts']);
    expect(run.snapshot.evidence.at(-1)).toMatchObject({ by: 'human', subject: 'person' });
    expect(run.planOf(run.open('check'))).toMatchObject({ n: 2, try: 1 });
    run.complete('check');
    expect(run.story('US-001')).toMatchObject({ status: 'passed', iteration: 2 });
  });

  it('accept holds for that attempt alone', () => {
    const run = prepared({ maxIterations: 4 });
    run.complete('implement');
    run.complete('check', changed);
    run.complete('implement');
    run.complete('check', changed);
    run.answer('approve_tests', { choice: 'accept' });
    run.complete('check', (plan) => redCheck(plan, 'error: something else'));
    expect(run.story('US-001')).toMatchObject({ iteration: 2, allowTestChanges: false });
  });

  it('reject fails the attempt with the text as guidance; allow holds for the story', () => {
    const run = asked();
    run.answer('approve_tests', { choice: 'reject', text: 'leave the tests alone' });
    expect(run.story('US-001').status).toBe('failed');
    expect(run.rows.learnings.some(({ kind, text }) => kind === 'guidance' && text === 'leave the tests alone')).toBe(
      true,
    );

    const other = asked();
    other.answer('approve_tests', { choice: 'allow' });
    expect(other.story('US-001').allowTestChanges).toBe(true);
    expect(other.openKinds()).toEqual(['check US-001']);
  });
});

describe('unverifiable', () => {
  function asked(unverifiable: 'ask' | 'accept' | 'fail' = 'ask'): SimulatedRun {
    const run = prepared({ options: { unverifiable } }, [storyRow('US-001', { criteria: ['friendly', 'quick'] })]);
    run.complete('implement');
    run.complete('check');
    run.complete('judge', (plan) => judgeAnswer(plan, 'unverifiable'));
    return run;
  }

  it('accept of every criterion lands the story with evidence of the person [runs-5.8]', () => {
    const run = asked();
    run.answer('unverifiable', { choices: { '0': 'accept', '1': 'accept' } });
    expect(run.story('US-001').result).toMatch(/2 of 2 criteria \(2 by a person\)$/);
    expect(run.snapshot.evidence.at(-1)).toMatchObject({ by: 'human', subject: 'person', status: 'passed' });
  });

  it('reject of one, or silence about it, fails the attempt', () => {
    const answers: Record<string, string>[] = [{ '0': 'accept', '1': 'reject' }, { '0': 'accept' }];
    for (const choices of answers) {
      const run = asked();
      run.answer('unverifiable', { choices, text: 'too slow' });
      expect(run.story('US-001')).toMatchObject({ status: 'running', iteration: 1 });
      expect(run.snapshot.attempts[0]?.status).toBe('failed');
    }
  });

  it('can be decided ahead', () => {
    expect(asked('accept').story('US-001').status).toBe('passed');
    expect(asked('fail').snapshot.attempts[0]).toMatchObject({ status: 'failed', failureCode: 'judge_failed' });
  });
});

describe('blocked and stuck', () => {
  function blocked(): SimulatedRun {
    const run = prepared({ maxIterations: 5 });
    for (let turn = 0; turn < 2; turn++)
      run.complete('implement', (plan) => implementAnswer(plan, { blocked: 'no access' }));
    return run;
  }

  it('blocked is asked the second time', () => {
    const run = blocked();
    expect(run.question('blocked').text).toContain('no access');
    expect(run.story('US-001')).toMatchObject({ phase: 'asking', iteration: 2 });
  });

  it('remove_story takes the story out; others go on [runs-5.8]', () => {
    const run = blocked();
    run.answer('blocked', { choice: 'remove_story' });
    expect(run.snapshot.stories.map(({ storyId }) => storyId)).toEqual(['US-002']);
    run.finishAll();
    expect(run.run.status).toBe('completed');
  });

  it('give_up fails the story and those that depend on it', () => {
    const run = blocked();
    run.answer('blocked', { choice: 'give_up' });
    expect(run.story('US-001').result).toBe('given up by a person after 2 iterations');
    expect(run.run).toMatchObject({ status: 'failed', error: { code: 'stories_failed' } });
  });

  it('hint gives one attempt more than the bound [runs-5.8]', () => {
    const run = prepared({ maxIterations: 3 }, [storyRow('US-001')]);
    for (let turn = 0; turn < 2; turn++)
      run.complete('implement', (plan) => implementAnswer(plan, { blocked: 'no access' }));
    run.answer('blocked', { choice: 'hint', text: 'look at the docs' });
    run.complete('implement');
    run.complete('check', (plan) => redCheck(plan, 'error: one'));
    run.complete('implement');
    run.complete('check', (plan) => redCheck(plan, 'failed otherwise'));
    expect(run.story('US-001')).toMatchObject({ status: 'failed', iteration: 4 });
    expect(run.run).toMatchObject({ currentIteration: 3, status: 'failed' });
  });
});

describe('conflict', () => {
  function asked(): SimulatedRun {
    const run = prepared({ mode: 'parallel' });
    for (const storyId of ['US-001', 'US-002']) run.complete('implement', undefined, { storyId });
    run.complete('check', undefined, { storyId: 'US-002' });
    run.complete('check', undefined, { storyId: 'US-001' });
    run.finishAll((plan) => {
      if (plan.kind === 'land')
        return landAnswer(plan, { verdict: 'conflict', commit: null, conflicts: [{ path: 'a.ts' }] });
      return plan.kind === 'resolve' ? implementAnswer(plan, { candidate: null }) : checkAnswerOf(plan, run);
    });
    return run;
  }

  /** The head moves before each landing, so that every landing needs a merge. */
  function checkAnswerOf(plan: Parameters<typeof checkAnswer>[0], run: SimulatedRun): ReturnType<typeof goodAnswerOf> {
    if (plan.kind === 'check') run.change({ run: { ...run.run, headCommit: commitOf(`head ${plan.try}`) } });
    return goodAnswerOf(plan);
  }

  function goodAnswerOf(plan: Parameters<typeof checkAnswer>[0]) {
    if (plan.kind === 'check') return checkAnswer(plan);
    return plan.kind === 'publish' ? publishAnswer(plan) : implementAnswer(plan);
  }

  it('is asked after three, and no iteration is spent', () => {
    const run = asked();
    expect(run.question('conflict')).toMatchObject({ storyId: 'US-001', text: expect.stringContaining('a.ts') });
    expect(run.story('US-001')).toMatchObject({ iteration: 0, conflicts: 3, phase: 'asking' });
  });

  it('retry resolves again, with three more tries [runs-5.8]', () => {
    const run = asked();
    run.answer('conflict', { choice: 'retry' });
    expect(run.story('US-001')).toMatchObject({ conflicts: 0, phase: 'resolving' });
    expect(run.planOf(run.open('resolve')).candidate).not.toBeNull();
  });

  it('take checks the commit of a person at home; give_up fails the story [runs-5.8]', () => {
    const run = asked();
    const commit = commitOf('by hand');
    run.answer('conflict', { choice: 'take', commit });
    expect(run.planOf(run.open('check'))).toMatchObject({
      candidate: commit,
      targetWorkerId: 'home',
      base: run.run.headCommit,
    });
    run.complete('check');
    expect(run.story('US-001').status).toBe('passed');

    const other = asked();
    other.answer('conflict', { choice: 'give_up' });
    expect(other.story('US-001').status).toBe('failed');
    other.finishAll();
    expect(other.run.status).toBe('failed');
  });
});

describe('agent', () => {
  it('is what a task asks; the answer goes to the task, and nothing is spent [runs-5.7]', () => {
    const run = prepared();
    const { step } = run.open('implement');
    run.setTask(step.taskId, { status: 'needs_input', question: 'Which database?' });
    run.look();
    expect(run.question('agent')).toMatchObject({ text: 'Which database?', options: [] });
    expect(run.story('US-001').phase).toBe('asking');
    const effects = run.answer('agent', { text: 'PostgreSQL' });
    expect(effects).toContainEqual({ type: 'answerTask', taskId: step.taskId, text: 'PostgreSQL' });
    expect(run.story('US-001').phase).toBe('implementing');
    expect(run.open('implement').step).toMatchObject({ id: step.id, status: 'open' });
  });

  it('is moot when the task goes on or ends without the answer', () => {
    const run = prepared();
    run.setTask(run.open('implement').step.taskId, { status: 'needs_input', question: 'Which?' });
    run.look();
    run.complete('implement');
    expect(run.openQuestions()).toEqual([]);
    expect(run.rows.events.some(({ type, data }) => type === 'answer' && data['by'] === 'moot')).toBe(true);
    expect(run.story('US-001').phase).toBe('checking');
  });

  it('may be asked at the end of an answer: the next try has the reply', () => {
    const run = prepared();
    run.complete('implement', (plan) => implementAnswer(plan, { asks: 'Which colour?' }));
    run.answer('agent', { text: 'red' });
    expect(run.rows.learnings.at(-1)?.text).toBe('Which colour?\nAnswer: red');
    expect(run.planOf(run.open('implement'))).toMatchObject({ n: 1, try: 2 });
    expect(run.story('US-001').iteration).toBe(0);
  });
});

describe('a question of one story', () => {
  const independent = (budget: { tokens?: number } = {}): SimulatedRun => {
    const run = simulateRun({
      stories: ['US-001', 'US-002', 'US-003'].map((id) => storyRow(id, { criteria: ['Tests pass'], dependsOn: [] })),
      run: {
        mode: 'parallel',
        maxParallel: 2,
        budget: { usd: null, tokens: null, seconds: null, iterations: null, ...budget },
      },
    });
    run.look();
    run.complete('prepare');
    return run;
  };

  it('lets the others go on, and start [runs-5.4]', () => {
    const run = independent();
    run.fail('implement', 'model_refused', { storyId: 'US-001' });
    expect(run.run.status).toBe('needs_input');
    run.complete('implement', undefined, { storyId: 'US-002' });
    run.complete('check', undefined, { storyId: 'US-002' });
    expect(run.story('US-002').status).toBe('passed');
    expect(run.openKinds()).toContain('implement US-003');
    expect(run.story('US-001').phase).toBe('asking');
  });

  it('about the budget starts nothing new [runs-5.4]', () => {
    const run = independent({ tokens: 10 });
    const usage = { input_tokens: 10, output_tokens: 10 };
    run.complete('implement', undefined, { storyId: 'US-001', usage });
    expect(run.question('budget').storyId).toBeNull();
    run.complete('implement', undefined, { storyId: 'US-002', usage });
    expect(run.openKinds()).toEqual([]);
    expect(run.story('US-003').status).toBe('pending');
  });
});
