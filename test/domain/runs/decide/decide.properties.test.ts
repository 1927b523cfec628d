// Properties of decisions in a random world: any order of outcomes, crashes, answers and repeated looks. runs-15, scenario 5.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRunOver } from '../../../../src/domain/model/run/run-state.ts';
import { decide } from '../../../../src/domain/runs/decide/decide.ts';
import {
  act,
  openWorld,
  turnGood,
  worldActions,
  worldStart,
  type WorldAction,
  type WorldStart,
} from '../support/random-world.ts';
import type { SimulatedRun } from '../support/simulated-run.ts';

const runs = 150;

/** A world in which a passed story lands once more, because a person moved the branch. */
const landsOnceMore: [WorldStart, WorldAction[]] = [
  {
    stories: 1,
    edges: [],
    isParallel: false,
    maxIterations: 1,
    hasJudge: false,
    budget: null,
    commitOnPass: true,
    unverifiable: 'ask',
    isRetry: false,
  },
  (
    [
      ['finish', 203],
      ['wait', 145],
      ['finish', 6],
      ['look', 0],
      ['finish', 326],
      ['look', 0],
      ['finish', 283],
      ['look', 0],
      ['answer', 0],
      ['finish', 0],
      ['finish', 0],
      ['look', 0],
    ] as const
  ).map(([kind, how]) => ({ kind, which: 0, how })),
];

/** Invariants after every look. */
function assertInvariants(run: SimulatedRun, iterationBefore: number): void {
  const { run: row, stories, attempts, openSteps, endedSteps } = run.snapshot;
  expect(row.currentIteration).toBeGreaterThanOrEqual(iterationBefore);
  expect(row.currentIteration).toBeLessThanOrEqual(row.maxIterations);
  for (const story of stories) {
    expect(story.iteration).toBeLessThanOrEqual(row.maxIterations + story.extraIterations);
    if (story.status === 'running' && !isRunOver(row.status)) assertAtWork(run, story.storyId);
    if (story.status === 'passed') assertPassed(run, story.storyId);
  }
  const judged = attempts.filter(({ status }) => status === 'passed' || status === 'failed');
  expect(row.spent.iterations).toBe(judged.length);
  for (const kind of ['prepare', 'land', 'publish'] as const) {
    expect(openSteps.filter(({ step }) => step.kind === kind).length).toBeLessThanOrEqual(1);
  }
  const byStory = Map.groupBy(openSteps, ({ step }) => step.storyId);
  for (const [storyId, steps] of byStory) if (storyId !== null) expect(steps).toHaveLength(1);
  assertNoStepTwice(endedSteps);
  if (isRunOver(row.status)) {
    // A cancelled run still brings what has landed to the branch.
    const left = openSteps.map(({ step }) => step.kind);
    expect(left).toEqual(row.status === 'cancelled' && left.length > 0 ? ['publish'] : []);
    expect(run.openQuestions()).toEqual([]);
    expect(row).toMatchObject({ dueAt: null, activeSince: null });
    expect(stories.every(({ status }) => status === 'passed' || status === 'failed')).toBe(true);
    if (row.status === 'completed') expect(stories.every(({ status }) => status === 'passed')).toBe(true);
    if (row.status === 'failed') expect(row.error).not.toBeNull();
  } else {
    const waits =
      openSteps.length > 0 || run.openQuestions().length > 0 || row.status === 'paused' || row.dueAt !== null;
    expect(waits).toBe(true);
    expect(row.status === 'needs_input').toBe(
      run.openQuestions().length > 0 && !['paused', 'pending'].includes(row.status),
    );
  }
}

/** A running story has a step, a question, a time, or a place in the landing queue; or the whole run is held up. */
function assertAtWork(run: SimulatedRun, storyId: string): void {
  const story = run.story(storyId);
  const hasStep = run.snapshot.openSteps.some(({ step }) => step.storyId === storyId);
  const isAsked = run.openQuestions().some((question) => question.storyId === storyId);
  const isHeld =
    run.run.status === 'paused' ||
    run.openQuestions().some(({ kind }) => ['budget', 'unpriced', 'baseline_red'].includes(kind));
  const isQueued =
    story.phase === 'landing' &&
    run.snapshot.openSteps.some(({ step }) => step.kind === 'land' || step.kind === 'publish');
  const waits = story.phase === 'waiting' && story.wait?.notBefore !== null;
  expect({ story, ok: hasStep || isAsked || isHeld || isQueued || waits }).toMatchObject({ ok: true });
  if (story.phase === 'asking') expect(isAsked).toBe(true);
}

/** Its commit is on the head, and each criterion has evidence that it passes. */
function assertPassed(run: SimulatedRun, storyId: string): void {
  const story = run.story(storyId);
  if (story.commit !== null) expect(run.rows.heads).toContain(story.commit);
  const attempt = run.snapshot.attempts.findLast((one) => one.storyId === storyId);
  expect(attempt?.status).toBe('passed');
  for (const index of story.criteria.keys()) {
    const rows = run.snapshot.evidence.filter(
      (row) => row.storyId === storyId && row.n === attempt?.n && row.criterion === index,
    );
    expect(rows.at(-1)?.status).toBe('passed');
    // It holds for the commit on the head, unless a person's commits below it made it another change.
    if (story.commit === null || run.run.warnings.some(({ code }) => code === 'change_differs')) continue;
    expect(rows.findLast(({ commit }) => commit === story.commit)?.status).toBe('passed');
  }
}

/** An agent's step that ended well is never made again for the same try. */
function assertNoStepTwice(ended: SimulatedRun['snapshot']['endedSteps']): void {
  const done = ended
    .filter(({ kind, status }) => status === 'ok' && ['prepare', 'implement', 'resolve'].includes(kind))
    .map(({ kind, storyId, n, try: t }) => `${kind} ${storyId ?? ''} ${n}.${t}`);
  expect(new Set(done).size).toBe(done.length);
}

function play(start: WorldStart, actions: readonly WorldAction[]): SimulatedRun {
  const run = openWorld(start);
  run.look();
  for (const action of actions) {
    const before = run.run.currentIteration;
    act(run, action);
    // Observations between looks leave a state that no decision has seen.
    if (action.kind === 'look') assertInvariants(run, before);
  }
  return run;
}

describe('decisions in any world', () => {
  it('keep the totals, never exceed the iterations, and leave nothing waiting for nothing [runs-5.9, runs-5.10, runs-7.3]', () => {
    fc.assert(
      fc.property(worldStart, worldActions, (start, actions) => {
        const run = play(start, actions);
        if (!isRunOver(run.run.status)) run.look();
        assertInvariants(run, 0);
        expect(run.run.currentIteration).toBeLessThanOrEqual(run.run.maxIterations);
      }),
      { numRuns: runs },
    );
  });

  it('end every run once the world turns good', () => {
    fc.assert(
      fc.property(worldStart, worldActions, (start, actions) => {
        const run = play(start, actions);
        turnGood(run);
        expect({ status: run.run.status, phases: run.snapshot.stories, open: run.openKinds() }).toMatchObject({
          status: expect.stringMatching(/^(completed|failed)$/),
        });
        assertInvariants(run, 0);
      }),
      { numRuns: runs },
    );
  });

  it('are the same for the same rows and time, and none for a run that is over [runs-7.2]', () => {
    fc.assert(
      fc.property(worldStart, worldActions, (start, actions) => {
        const run = play(start, actions);
        expect(decide(run.snapshot, run.now)).toEqual(decide(structuredClone(run.snapshot), run.now));
        if (isRunOver(run.run.status)) return;
        run.cancel();
        assertInvariants(run, 0);
        expect(run.run.status).toBe('cancelled');
      }),
      { numRuns: 60, examples: [landsOnceMore] },
    );
  });
});
