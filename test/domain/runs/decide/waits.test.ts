// Causes that spend time and no iteration: rate limits, models out of reach, pauses, cancellation. runs-11, scenarios 11 and 12.
import { describe, expect, it } from 'vitest';
import { storyRow } from '../support/run-rows.ts';
import { simulateRun, type SimulatedRun } from '../support/simulated-run.ts';

const minute = 60_000;

function implementing(run: NonNullable<Parameters<typeof simulateRun>[0]['run']> = {}): SimulatedRun {
  const options = { maxRunSeconds: 1e8, ...run.options };
  const simulated = simulateRun({ stories: [storyRow('US-001'), storyRow('US-002')], run: { ...run, options } });
  simulated.look();
  simulated.complete('prepare');
  return simulated;
}

describe('a model out of reach', () => {
  it('is tried again after 1, 5, 30 and 120 minutes, the same iteration; after a day a person is asked [runs-11.3]', () => {
    const run = implementing();
    const waits: number[] = [];
    while (run.openQuestions().length === 0) {
      run.fail('implement', 'model_unreachable');
      if (run.openQuestions().length > 0) break;
      expect(run.story('US-001')).toMatchObject({ phase: 'waiting', iteration: 0 });
      expect(run.openKinds()).toEqual([]);
      expect(run.run.waitingReason).toBe('model_unreachable');
      waits.push(run.advanceToDue() / minute);
      expect(run.planOf(run.open('implement'))).toMatchObject({ n: 1, try: 1 });
    }
    expect(waits.slice(0, 6)).toEqual([1, 5, 30, 120, 120, 120]);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(24 * 60);
    expect(run.question('infra').data).toMatchObject({ code: 'model_unreachable' });
  });

  it('begins its back-off anew after a step that ended', () => {
    const run = implementing();
    run.fail('implement', 'model_unreachable');
    run.advanceToDue();
    run.complete('implement');
    expect(run.story('US-001').wait).toBeNull();
  });
});

describe('a rate limit', () => {
  it('waits until it is over and a minute, at least one minute and at most a day [runs-11.4]', () => {
    for (const [announced, waited] of [
      [10 * minute, 11 * minute],
      [-100 * minute, minute],
      [50 * 60 * minute, 24 * 60 * minute],
    ] as const) {
      const run = implementing();
      run.fail('implement', 'rate_limited', { retryAt: new Date(run.now.getTime() + announced).toISOString() });
      expect(run.openKinds()).toEqual([]);
      expect(run.advanceToDue()).toBe(waited);
      expect(run.planOf(run.open('implement'))).toMatchObject({ n: 1, try: 1 });
    }
  });

  it('without a time is waited for as a model out of reach', () => {
    const run = implementing();
    run.fail('implement', 'rate_limited');
    expect(run.advanceToDue()).toBe(minute);
    run.fail('implement', 'rate_limited');
    expect(run.advanceToDue()).toBe(5 * minute);
  });

  it('lets another agent of the list take over at once, then waits', () => {
    const run = implementing({ options: { agents: ['claude', 'codex'] } });
    expect(run.planOf(run.open('implement')).agent).toBe('claude');
    const retryAt = new Date(run.now.getTime() + 30 * minute).toISOString();
    run.fail('implement', 'rate_limited', { retryAt });
    expect(run.planOf(run.open('implement'))).toMatchObject({ agent: 'codex', n: 1, try: 1 });
    run.fail('implement', 'rate_limited', { retryAt });
    expect(run.advanceToDue()).toBe(31 * minute);
    expect(run.planOf(run.open('implement')).agent).toBe('claude');
  });
});

describe('a failure outside the story', () => {
  it.each(['lease_lost', 'disk_full', 'workspace_lost', 'bad_step_result', 'anything_else'])(
    '%s repeats the step three times, then asks; nothing is spent',
    (code) => {
      const run = implementing();
      run.complete('implement');
      for (let turn = 0; turn < 2; turn++) {
        run.fail('check', code);
        expect(run.planOf(run.open('check'))).toMatchObject({ n: 1, try: 1, infraTries: turn + 1 });
      }
      run.fail('check', code);
      expect(run.question('infra').data).toMatchObject({ code, tries: 3, step: 'check' });
      expect(run.story('US-001')).toMatchObject({ iteration: 0, phase: 'asking' });
      run.answer('infra', { choice: 'retry' });
      expect(run.planOf(run.open('check')).infraTries).toBe(0);
      expect(run.run.spent.iterations).toBe(0);
    },
  );

  it('is also an answer that is none, a task that is gone, and one that somebody cancelled [runs-7.6]', () => {
    for (const change of [{ status: 'completed', result: undefined }, undefined, { status: 'cancelled' }] as const) {
      const run = implementing();
      run.setTask(run.open('implement').step.taskId, change);
      run.look();
      expect(run.snapshot.endedSteps.at(-1)?.status).toBe('infra');
      expect(run.planOf(run.open('implement'))).toMatchObject({ n: 1, try: 1 });
    }
  });

  it.each(['base_not_found', 'not_a_repository', 'branch_exists'])('%s in prepare fails the run at once', (code) => {
    const run = simulateRun({ stories: [storyRow('US-001')] });
    run.look();
    run.fail('prepare', code);
    expect(run.run).toMatchObject({ status: 'failed', error: { code } });
    expect(run.story('US-001')).toMatchObject({ status: 'failed', result: `the run failed: message of ${code}` });
  });
});

describe('a pause', () => {
  it('after the step lets the step end, and opens no other', () => {
    const run = implementing();
    run.pause('after_step');
    expect(run.run).toMatchObject({ status: 'paused', activeSince: null, dueAt: null });
    run.complete('implement');
    expect(run.openKinds()).toEqual([]);
    expect(run.story('US-001').phase).toBe('checking');
    run.resume();
    expect(run.run.status).toBe('running');
    expect(run.openKinds()).toEqual(['check US-001']);
  });

  it('now ends what runs: an implementation is void, a candidate is kept [runs-8.8]', () => {
    const run = implementing();
    run.pause('now');
    expect(run.openKinds()).toEqual([]);
    expect(run.snapshot.attempts[0]).toMatchObject({ status: 'void' });
    run.resume();
    expect(run.planOf(run.open('implement'))).toMatchObject({ n: 1, try: 2 });
    run.complete('implement');
    run.pause('now');
    run.resume();
    expect(run.planOf(run.open('check'))).toMatchObject({ n: 1, try: 2 });
    run.finishAll();
    expect(run.run).toMatchObject({ status: 'completed', currentIteration: 1 });
  });

  it('keeps an open question, which is asked again after it [runs-5.3]', () => {
    const run = implementing();
    run.fail('implement', 'agent_missing');
    run.pause('after_step');
    expect(run.run.status).toBe('paused');
    run.resume();
    expect(run.run.status).toBe('needs_input');
    expect(run.openQuestions()).toHaveLength(1);
  });

  it('lasts while the owner is disabled [runs-18.5]', () => {
    const run = implementing();
    run.change({ ownerActive: false });
    run.look();
    expect(run.run).toMatchObject({ status: 'paused', waitingReason: 'owner_disabled' });
    run.change({ ownerActive: true });
    run.advanceToDue();
    expect(run.run).toMatchObject({ status: 'running', waitingReason: null });
  });
});

describe('a cancellation', () => {
  it.each(['implement', 'check', 'publish'] as const)(
    'ends the tasks in the phase of %s; what has landed stays',
    (kind) => {
      const run = implementing();
      for (const step of ['implement', 'check'] as const)
        if (kind !== 'implement' && !run.openKinds().includes(kind)) {
          if (run.snapshot.openSteps.some((open) => open.step.kind === step) && step !== kind) run.complete(step);
        }
      const [head, { taskId }] = [run.run.headCommit, run.snapshot.openSteps[0]?.step ?? { taskId: '' }];
      run.cancel('not needed');
      expect(run.run).toMatchObject({ status: 'cancelled', headCommit: head, dueAt: null });
      expect(taskId).not.toBe('');
      // The branch still gets what has landed, with the bundle of the whole run.
      expect(run.snapshot.openSteps.some(({ step }) => step.taskId === taskId)).toBe(false);
      expect(run.openKinds()).toEqual(kind === 'publish' ? ['publish'] : []);
      if (kind === 'publish') expect(run.planOf(run.open('publish'))).toMatchObject({ head, last: true });
      expect(run.snapshot.attempts.every(({ status }) => status !== 'open')).toBe(true);
      expect(run.story('US-002').result).toBe('the run was cancelled: not needed');
      expect(run.rows.events.at(-1)).toMatchObject({
        type: 'run',
        data: { status: 'cancelled', reason: 'not needed' },
      });
    },
  );
});

describe('room in the tenant', () => {
  it('keeps a run pending, and lets it begin when there is some [runs-12.8]', () => {
    const run = simulateRun({ stories: [storyRow('US-001')] });
    run.change({ activeRuns: 50 });
    run.look();
    expect(run.run).toMatchObject({ status: 'pending', waitingReason: 'runs_at_limit' });
    run.change({ activeRuns: 49 });
    run.advanceToDue();
    expect(run.run.status).toBe('running');
    expect(run.openKinds()).toEqual(['prepare']);
  });
});
