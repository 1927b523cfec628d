// Budgets by money, tokens, time and iterations, and agents without a price. runs-11, scenario 13.
import { describe, expect, it } from 'vitest';
import type { RunBudget } from '../../../../src/domain/model/run/run.ts';
import { storyRow } from '../support/run-rows.ts';
import { simulateRun, type SimulatedRun } from '../support/simulated-run.ts';
import { redCheck } from '../support/step-answers.ts';

function implementing(budget: Partial<RunBudget>, maxRunSeconds = 86_400): SimulatedRun {
  const run = simulateRun({
    stories: [storyRow('US-001'), storyRow('US-002')],
    run: {
      budget: { usd: null, tokens: null, seconds: null, iterations: null, ...budget },
      options: { maxRunSeconds },
    },
  });
  run.look();
  run.complete('prepare');
  return run;
}

const priced = (usd: number) => ({ usage: { input_tokens: 600, output_tokens: 400, cost_usd: usd } });

describe('a budget', () => {
  it('announces 50 and 80 percent, stops before the next step at 100, and goes on when it is raised [runs-11.7]', () => {
    const run = implementing({ usd: 10 });
    run.complete('implement', undefined, priced(5));
    expect(run.rows.events.findLast(({ type }) => type === 'budget')?.data).toMatchObject({ share: 50 });
    run.complete('check', (plan) => redCheck(plan, 'error: one'));
    run.complete('implement', undefined, priced(5));
    expect(run.openKinds()).toEqual([]);
    expect(run.question('budget').data).toMatchObject({ reached: ['usd'], spent: { usd: 10, tokens: 2000 } });
    expect(run.run.status).toBe('needs_input');
    run.answer('budget', { choice: 'raise', raise: { usd: 10 } });
    expect(run.run).toMatchObject({ status: 'running', budget: { usd: 20 }, budgetShare: 50 });
    expect(run.openKinds()).toEqual(['check US-001']);
  });

  it('counts what a running task has reported, and lets it end', () => {
    const run = implementing({ tokens: 1000 });
    run.setTask(run.open('implement').step.taskId, {
      status: 'running',
      usage: { input_tokens: 900, output_tokens: 200 },
    });
    run.look();
    expect(run.question('budget').data).toMatchObject({ reached: ['tokens'] });
    expect(run.openKinds()).toEqual(['implement US-001']);
  });

  it('of time is looked at when it is reached; waiting for an answer takes none [runs-18.9]', () => {
    const run = implementing({ seconds: 100 });
    expect(run.advanceToDue()).toBe(50_000);
    expect(run.advanceToDue()).toBe(30_000);
    expect(run.advanceToDue()).toBe(20_000);
    expect(run.question('budget').data).toMatchObject({ reached: ['seconds'] });
    run.advance(1_000_000);
    expect(run.run.spent.seconds).toBe(100);
    run.answer('budget', { choice: 'raise', raise: { seconds: 60 } });
    expect(run.run).toMatchObject({ status: 'running', budget: { seconds: 160 } });
  });

  it('every run has a bound on its active time', () => {
    const run = implementing({}, 10);
    run.advance(10_000);
    run.answer('budget', { choice: 'raise', raise: { seconds: 5 } });
    expect(run.run.budget.seconds).toBe(15);
  });

  it('of iterations bounds all stories together; finish fails the run and keeps what landed', () => {
    const run = implementing({ iterations: 1 });
    run.complete('implement');
    run.complete('check');
    expect(run.story('US-001').status).toBe('passed');
    expect(run.story('US-002').status).toBe('pending');
    run.answer('budget', { choice: 'finish' });
    run.finishAll();
    expect(run.run).toMatchObject({
      status: 'failed',
      error: { code: 'stories_failed' },
      publishedCommit: run.run.headCommit,
    });
    expect(run.story('US-001').status).toBe('passed');
    expect(run.story('US-002').result).toContain('The budget is used up');
  });

  it('in money asks once about an agent without a price, and never counts it as nothing [runs-11.8]', () => {
    const run = implementing({ usd: 10 });
    run.complete('implement', undefined, { usage: { input_tokens: 5, output_tokens: 5 } });
    expect(run.run.spent).toMatchObject({ usd: null, unpricedSteps: 1 });
    expect(run.openKinds()).toEqual([]);
    run.answer('unpriced', { choice: 'go_on' });
    run.complete('check', (plan) => redCheck(plan, 'error: one'));
    run.complete('implement');
    expect(run.openQuestions()).toEqual([]);
    expect(run.run.spent.unpricedSteps).toBe(2);
  });

  it('counts void attempts and cancelled tasks too', () => {
    const run = implementing({});
    run.setTask(run.open('implement').step.taskId, { status: 'running', usage: { input_tokens: 7, output_tokens: 1 } });
    run.pause('now');
    expect(run.run.spent).toMatchObject({ tokens: 8, iterations: 0 });
  });
});
