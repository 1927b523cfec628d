// The branch of a run: a person moved it, it could not be moved at the end, a merge into another one. runs-5, runs-12.
import { describe, expect, it } from 'vitest';
import { commitOf, onlineWorker, storyRow } from '../support/run-rows.ts';
import { simulateRun, type SimulatedRun } from '../support/simulated-run.ts';
import { landAnswer, prepareAnswer, publishAnswer } from '../support/step-answers.ts';

type Start = Parameters<typeof simulateRun>[0];

function prepared(run: Start['run'] = {}, stories = [storyRow('US-001')]): SimulatedRun {
  const simulated = simulateRun({ stories, run });
  simulated.look();
  simulated.complete('prepare');
  return simulated;
}

/** Implements and checks the story at work. */
function pass(run: SimulatedRun): void {
  run.complete('implement');
  run.complete('check');
}

describe('branch_moved', () => {
  const theirs = commitOf('theirs');

  const asked = (skipped: 'moved' | 'checked_out' = 'moved'): SimulatedRun => {
    const run = prepared();
    run.complete('implement');
    run.complete('check');
    run.complete('publish', (plan) => publishAnswer(plan, { skipped, old: theirs }));
    return run;
  };

  it('is asked where all stories have passed too, and the run completes when it is answered', () => {
    const run = asked('checked_out');
    expect(run.run.status).toBe('needs_input');
    run.answer('branch_moved', { choice: 'continue' });
    expect(run.planOf(run.open('publish'))).toMatchObject({ oldHead: null, last: true });
    run.complete('publish');
    expect(run.run.status).toBe('completed');
  });

  it('continue makes a branch anew that a person deleted [runs-5.8]', () => {
    const run = prepared({}, [storyRow('US-001'), storyRow('US-002')]);
    pass(run);
    run.complete('publish');
    pass(run);
    run.complete('publish', (plan) => publishAnswer(plan, { skipped: 'moved', old: null }));
    expect(run.question('branch_moved').text).toContain('was deleted');
    run.answer('branch_moved', { choice: 'continue' });
    expect(run.planOf(run.open('publish'))).toMatchObject({ oldHead: null, head: run.run.headCommit });
    run.complete('publish');
    expect(run.run.status).toBe('completed');
  });

  it("continue puts the run's commits on theirs after a gate run [runs-5.8, runs-12.5]", () => {
    const run = asked();
    const [ours, storyCommit] = [run.run.headCommit, run.story('US-001').commit];
    run.answer('branch_moved', { choice: 'continue' });
    expect(run.planOf(run.open('land'))).toMatchObject({ candidate: ours, head: theirs, targetWorkerId: 'home' });
    run.complete('land');
    expect(run.story('US-001').commit).not.toBe(storyCommit);
    expect(run.run.headCommit).toBe(run.story('US-001').commit);
    expect(run.planOf(run.open('publish'))).toMatchObject({ oldHead: theirs, head: run.run.headCommit });
    run.complete('publish');
    expect(run.run.status).toBe('completed');
  });

  it('asks again where both do not go together; rename publishes under another name', () => {
    const run = asked();
    run.answer('branch_moved', { choice: 'continue' });
    run.complete('land', (plan) =>
      landAnswer(plan, { verdict: 'conflict', commit: null, conflicts: [{ path: 'a.ts' }] }),
    );
    expect(run.question('branch_moved').text).toContain('a.ts');
    run.answer('branch_moved', { choice: 'rename', branch: 'ralph/second' });
    expect(run.run).toMatchObject({ branch: 'ralph/second', publishedCommit: null });
    run.complete('publish');
    expect(run.run.status).toBe('completed');
  });

  describe('with two stories that the branch lacks', () => {
    const criteria = ['Tests pass', 'The text is friendly'];

    function askedWithTwo(): SimulatedRun {
      const run = prepared({}, [storyRow('US-001', { criteria }), storyRow('US-002')]);
      run.complete('implement');
      run.complete('check');
      run.complete('judge');
      // The branch had moved before the first story was there; the second lands while the question is open.
      run.complete('publish', (plan) => publishAnswer(plan, { skipped: 'moved', old: theirs }));
      run.complete('implement');
      run.complete('check');
      expect(run.run.publishedCommit).toBeNull();
      return run;
    }

    it('each story stays one commit on theirs, in its order, with its own trailers and evidence [runs-12.10, runs-12.9]', () => {
      const run = askedWithTwo();
      const [one, two] = [run.story('US-001').commit, run.story('US-002').commit];
      run.answer('branch_moved', { choice: 'continue' });
      expect(run.planOf(run.open('land'))).toMatchObject({ storyId: 'US-001', candidate: one, head: theirs });
      run.complete('land');
      const first = run.planOf(run.open('land'));
      expect(first).toMatchObject({ storyId: 'US-002', base: one, candidate: two, head: expect.any(String) });
      expect(run.story('US-001').commit).toBe(one);
      run.complete('land');
      const landed = ['US-001', 'US-002'].map((id) => run.story(id).commit);
      expect(new Set([...landed, one, two]).size).toBe(4);
      expect(first.head).toBe(landed[0]);
      expect(run.run).toMatchObject({ headCommit: landed[1], publishedCommit: theirs });
      expect(run.rows.heads.slice(-2)).toEqual(landed);
      for (const [index, by] of [
        [0, 'gate'],
        [1, 'judge'],
      ] as const) {
        const rows = run.snapshot.evidence.filter((row) => row.criterion === index && row.storyId === 'US-001');
        expect(rows.at(-1)).toMatchObject({ by, status: 'passed', commit: landed[0] });
      }
      run.complete('publish');
      expect(run.run).toMatchObject({ status: 'completed', warnings: [] });
    });

    it('warns where the change of a story is another one on theirs [runs-12.9]', () => {
      const run = askedWithTwo();
      run.answer('branch_moved', { choice: 'continue' });
      run.complete('land', (plan) => landAnswer(plan, { same_patch: false }));
      run.complete('land');
      expect(run.run.warnings).toMatchObject([{ code: 'change_differs', message: expect.stringContaining('US-001') }]);
    });

    it('asks about theirs again where the second conflicts, and keeps what stands there [runs-12.10]', () => {
      const run = askedWithTwo();
      const two = run.story('US-002').commit;
      run.answer('branch_moved', { choice: 'continue' });
      run.complete('land');
      const conflict = { verdict: 'conflict', commit: null, conflicts: [{ path: 'a.ts' }] } as const;
      run.complete('land', (plan) => landAnswer(plan, conflict));
      expect(run.question('branch_moved').data).toMatchObject({ found: theirs });
      expect(run.run.headCommit).toBe(two);
      run.answer('branch_moved', { choice: 'continue' });
      expect(run.planOf(run.open('land'))).toMatchObject({ storyId: 'US-002', candidate: two });
      run.complete('land');
      run.complete('publish');
      expect(run.run.status).toBe('completed');
    });
  });
});

describe('the last publish of a run that is over', () => {
  const away = { ...onlineWorker('home'), online: false, offlineSince: '2026-03-01T08:00:00.000Z' };

  function cancelled(): SimulatedRun {
    const run = prepared({}, [storyRow('US-001'), storyRow('US-002')]);
    pass(run);
    run.cancel();
    expect(run.run.status).toBe('cancelled');
    expect(run.openKinds()).toEqual(['publish']);
    return run;
  }

  it('is tried three times, then a warning says how to put the commits on the branch [runs-12.11]', () => {
    const run = cancelled();
    for (const tries of [0, 1, 2]) {
      expect(run.open('publish').step.infraTries).toBe(tries);
      run.fail('publish', 'disk_full');
    }
    expect(run.openKinds()).toEqual([]);
    const message = expect.stringMatching(/lacks commits up to .*disk_full.*switchyard ralph commit/);
    expect(run.run.warnings).toMatchObject([{ code: 'not_published', message }]);
    run.publish();
    run.complete('publish');
    expect(run.run).toMatchObject({ publishedCommit: run.run.headCommit, warnings: [] });
  });

  it('goes to another worker where home is away until its deadline [runs-12.11]', () => {
    const run = cancelled();
    run.change({ workers: [away, onlineWorker('other')] });
    run.fail('publish', 'deadline_exceeded');
    expect(run.planOf(run.open('publish'))).toMatchObject({ targetWorkerId: 'other', oldHead: null, last: true });
    run.complete('publish');
    expect(run.run).toMatchObject({ homeWorkerId: 'other', publishedCommit: run.run.headCommit });
  });

  it('is a warning where no worker is left, and where the branch had moved before [runs-12.11]', () => {
    const alone = cancelled();
    alone.change({ workers: [away] });
    alone.fail('publish', 'deadline_exceeded');
    expect(alone.run.warnings).toMatchObject([{ code: 'not_published' }]);
    const moved = prepared({}, [storyRow('US-001'), storyRow('US-002')]);
    pass(moved);
    moved.complete('publish', (plan) => publishAnswer(plan, { skipped: 'moved', old: commitOf('theirs') }));
    moved.cancel();
    expect(moved.run.warnings).toMatchObject([{ code: 'not_published' }]);
  });
});

describe('a merge that was asked for', () => {
  it.each(['failed', 'cancelled'] as const)(
    'is left to people, with a warning that names the command, where the run is %s [runs-9.12]',
    (status) => {
      const run = prepared({ maxIterations: 1, options: { mergeInto: 'main' } }, [
        storyRow('US-001'),
        storyRow('US-002'),
      ]);
      pass(run);
      run.complete('publish');
      if (status === 'cancelled') run.cancel();
      else run.fail('implement', 'agent_error');
      run.finishAll();
      expect(run.run.status).toBe(status);
      const message = expect.stringContaining('git checkout main && git merge ralph/feature');
      expect(run.run.warnings).toMatchObject([{ code: 'not_merged', message }]);
    },
  );
});

describe('a retry', () => {
  const oldHead = commitOf('old head');
  const retry = {
    retryOf: '019c0000-0000-7000-8000-00000000000f',
    homeWorkerId: 'home',
    options: { base: oldHead, branchPolicy: 'continue' },
  } as const;

  function begun(workers = [onlineWorker('other'), onlineWorker('home')]): SimulatedRun {
    const run = simulateRun({ stories: [storyRow('US-001')], run: retry, workers });
    run.look();
    return run;
  }

  it('is prepared where the branch is, on a base that has the old head [runs-12.12]', () => {
    const run = begun();
    expect(run.planOf(run.open('prepare'))).toMatchObject({ head: oldHead, base: oldHead, targetWorkerId: 'home' });
    const tip = commitOf('behind');
    const answer = prepareAnswer({ base_commit: oldHead, branch_exists: true, branch_commit: tip });
    run.complete('prepare', () => answer);
    pass(run);
    expect(run.planOf(run.open('publish'))).toMatchObject({ oldHead: tip, head: run.story('US-001').commit });
  });

  it('goes to another worker where home serves the codebase no more, or is away [runs-12.12]', () => {
    expect(begun([onlineWorker('other')]).open('prepare').step.targetWorkerId).toBeNull();
    const away = { ...onlineWorker('home'), online: false, offlineSince: '2026-03-01T07:59:00.000Z' };
    const run = begun([away, onlineWorker('other')]);
    expect(run.open('prepare').step.targetWorkerId).toBe('home');
    expect(run.advanceToDue()).toBe(9 * 60_000);
    expect(run.open('prepare').step.targetWorkerId).toBe('other');
  });

  it('is prepared by another worker where one lacks the base, and asks when none is left [runs-12.12, runs-12.4]', () => {
    const run = begun();
    run.fail('prepare', 'base_missing', { workerId: 'home' });
    expect(run.open('prepare').step.targetWorkerId).toBe('other');
    run.fail('prepare', 'base_missing', { workerId: 'other' });
    expect(run.question('infra').data).toMatchObject({ code: 'base_missing' });
  });

  it('fails where the branch lacks what had landed', () => {
    const run = begun();
    run.fail('prepare', 'branch_moved');
    expect(run.run).toMatchObject({ status: 'failed', error: { code: 'branch_moved' } });
  });
});
