// Applies the effects of a decision to a snapshot in memory, and refuses what the database would refuse.
import type { RunEffect, StepPlan } from '../../../../src/domain/model/run/effect.ts';
import type { RunEvent, RunLearning, RunStep } from '../../../../src/domain/model/run/run.ts';
import { runMovesFrom, storyMovesFrom } from '../../../../src/domain/model/run/run-state.ts';
import type { RunSnapshot, StepTask } from '../../../../src/domain/model/run/snapshot.ts';

/** All rows of a simulated run: the snapshot, and what a decision only writes. */
export interface SimulatedRows {
  snapshot: RunSnapshot;
  readonly events: RunEvent[];
  readonly learnings: RunLearning[];
  /** The plan of each step ever opened, by the id of its task. */
  readonly plans: Map<string, StepPlan>;
  /** Commits that have been the head, oldest first. */
  readonly heads: string[];
  ids: number;
}

export const pendingTask: StepTask = {
  status: 'pending',
  error: null,
  usage: null,
  workerId: null,
  result: undefined,
  bundleArtifactId: null,
  question: null,
};

/** @throws Error for an effect that no state allows */
export function applyEffects(rows: SimulatedRows, effects: readonly RunEffect[], now: Date): void {
  for (const effect of effects) applyEffect(rows, effect, now.toISOString());
}

function applyEffect(rows: SimulatedRows, effect: RunEffect, at: string): void {
  const { snapshot } = rows;
  const set = (change: Partial<RunSnapshot>): void => {
    rows.snapshot = { ...rows.snapshot, ...change };
  };
  const nextId = (kind: string): string => `${kind}-${++rows.ids}`;
  switch (effect.type) {
    case 'setRun': {
      const { status, headCommit } = effect.change;
      if (status !== undefined && status !== snapshot.run.status) {
        // One decision may make two moves, as `resumed` and `asked`.
        const reachable = runMovesFrom(snapshot.run.status).flatMap((one) => [one, ...runMovesFrom(one)]);
        if (!reachable.includes(status)) throw new Error(`run: ${snapshot.run.status} to ${status}`);
      }
      if (headCommit !== undefined && headCommit !== null) rows.heads.push(headCommit);
      set({ run: { ...snapshot.run, ...effect.change } });
      return;
    }
    case 'setStory': {
      const story = find(snapshot.stories, (one) => one.storyId === effect.storyId, effect.storyId);
      const { status } = effect.change;
      if (status !== undefined && status !== story.status) {
        const reachable = storyMovesFrom(story.status).flatMap((one) => [one, ...storyMovesFrom(one)]);
        if (!reachable.includes(status)) throw new Error(`story ${story.storyId}: ${story.status} to ${status}`);
      }
      set({ stories: snapshot.stories.map((one) => (one === story ? { ...one, ...effect.change } : one)) });
      return;
    }
    case 'openAttempt': {
      const { storyId, n, try: tryNumber, base } = effect;
      if (snapshot.attempts.some((one) => one.storyId === storyId && one.n === n && one.try === tryNumber)) {
        throw new Error(`attempt ${storyId} ${n}.${tryNumber} exists`);
      }
      if (snapshot.attempts.some((one) => one.storyId === storyId && one.status === 'open')) {
        throw new Error(`${storyId} has an open attempt`);
      }
      set({ attempts: [...snapshot.attempts, attemptRow(storyId, n, tryNumber, base, at)] });
      return;
    }
    case 'setAttempt': {
      const { ended, ...change } = effect.change;
      const fits = (one: { storyId: string; n: number; try: number }): boolean =>
        one.storyId === effect.storyId && one.n === effect.n && one.try === effect.try;
      const attempt = find(snapshot.attempts, fits, `${effect.storyId} ${effect.n}.${effect.try}`);
      if (attempt.status !== 'open') throw new Error(`attempt ${attempt.storyId} ${attempt.n} has ended`);
      const next = { ...attempt, ...change, ...(ended === true && { endedAt: at }) };
      set({ attempts: snapshot.attempts.map((one) => (one === attempt ? next : one)) });
      return;
    }
    case 'openStep': {
      const taskId = nextId('task');
      rows.plans.set(taskId, effect.plan);
      const step = stepRow(nextId('step'), taskId, effect.plan, at);
      set({ openSteps: [...snapshot.openSteps, { step, task: pendingTask }] });
      rows.events.push({ seq: rows.events.length + 1, type: 'step', data: { kind: step.kind, status: 'open' }, at });
      return;
    }
    case 'closeStep': {
      const open = find(snapshot.openSteps, ({ step }) => step.id === effect.stepId, effect.stepId);
      const { type: _, stepId: __, ...change } = effect;
      const step = { ...open.step, ...change };
      if (effect.status === 'asking') {
        set({ openSteps: snapshot.openSteps.map((one) => (one === open ? { ...one, step } : one)) });
        return;
      }
      set({
        openSteps: snapshot.openSteps.filter((one) => one !== open),
        endedSteps: [...snapshot.endedSteps, { ...step, endedAt: at }],
      });
      return;
    }
    case 'reopenStep':
      set({
        openSteps: snapshot.openSteps.map((one) =>
          one.step.id === effect.stepId ? { ...one, step: { ...one.step, status: 'open' } } : one,
        ),
      });
      return;
    case 'cancelTask':
      return; // The step of the task is closed by an effect of its own.
    case 'answerTask':
      set({
        openSteps: snapshot.openSteps.map((one) =>
          one.step.taskId === effect.taskId ? { ...one, task: pendingTask } : one,
        ),
      });
      return;
    case 'ask': {
      const { type: _, ...question } = effect;
      const open = { answeredAt: null, answer: null, answeredBy: null, settled: false };
      const asked = { ...question, ...open, id: nextId('question'), askedAt: at };
      set({ questions: [...snapshot.questions, asked] });
      return;
    }
    case 'closeQuestion':
      set({
        questions: snapshot.questions.map((one) =>
          one.id === effect.questionId ? { ...one, answeredAt: at, answeredBy: 'moot', settled: true } : one,
        ),
      });
      return;
    case 'settleQuestion':
      set({
        questions: snapshot.questions.map((one) => (one.id === effect.questionId ? { ...one, settled: true } : one)),
      });
      return;
    case 'addEvidence':
      set({ evidence: [...snapshot.evidence, { ...effect.evidence, at }] });
      return;
    case 'addLearning': {
      const { type: _, ...learning } = effect;
      rows.learnings.push({ ...learning, id: nextId('learning'), at });
      return;
    }
    case 'removeStory':
      set({ stories: snapshot.stories.filter(({ storyId }) => storyId !== effect.storyId) });
      return;
    case 'land':
      if (snapshot.run.headCommit !== effect.parent) throw new Error(`${effect.storyId} lands on another head`);
      rows.heads.push(effect.commit);
      set({ run: { ...snapshot.run, headCommit: effect.commit } });
      return;
    case 'event':
      rows.events.push({ seq: rows.events.length + 1, type: effect.event, data: effect.data, at });
  }
}

function find<T>(rows: readonly T[], fits: (row: T) => boolean, name: string): T {
  const row = rows.find(fits);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
}

function attemptRow(
  storyId: string,
  n: number,
  tryNumber: number,
  base: string,
  at: string,
): RunSnapshot['attempts'][number] {
  return {
    storyId,
    n,
    try: tryNumber,
    status: 'open',
    baseCommit: base,
    candidateCommit: null,
    candidateTree: null,
    storyCommit: null,
    failureCode: null,
    fingerprint: null,
    summary: '',
    agent: null,
    promptSha256: 'prompt',
    startedAt: at,
    endedAt: null,
  };
}

function stepRow(id: string, taskId: string, plan: StepPlan, at: string): RunStep {
  const { kind, storyId, n, base, candidate, head, agent, targetWorkerId, infraTries } = plan;
  return {
    id,
    kind,
    storyId,
    n,
    try: plan.try,
    taskId,
    status: 'open',
    base,
    candidate,
    head,
    agent,
    targetWorkerId,
    result: null,
    code: null,
    workerId: null,
    infraTries,
    createdAt: at,
    endedAt: null,
    bundleArtifactId: null,
  };
}
