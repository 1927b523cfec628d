// A run in memory: decisions are applied to its rows, and the test plays its workers and its people.
//
//   const run = simulateRun({ stories: [storyRow('US-001')] });
//   run.look();                                   // decides and applies; a second decision has to be empty
//   run.complete('prepare');                      // the open step of that kind ends with a good answer
//   run.complete('check', (plan) => redCheck(plan, 'error'));
//   run.answer('stuck', { choice: 'give_up' });
//   run.finishAll();                              // good answers until nothing is open
import assert from 'node:assert/strict';
import {
  decide,
  decideCancel,
  decidePause,
  decidePublish,
  decideResume,
} from '../../../../src/domain/runs/decide/decide.ts';
import type { RunEffect, StepPlan } from '../../../../src/domain/model/run/effect.ts';
import type { PrdRun, RunAnswer, RunQuestion, RunStory } from '../../../../src/domain/model/run/run.ts';
import { type QuestionKind, type StepKind, isRunOver } from '../../../../src/domain/model/run/run-state.ts';
import type { OpenStep, RunSnapshot, RunWorker, StepTask } from '../../../../src/domain/model/run/snapshot.ts';
import type { StepResult } from '../../../../src/domain/model/run/step.ts';
import type { Usage } from '../../../../src/domain/model/task/task.ts';
import { type SimulatedRows, applyEffects, pendingTask } from './apply-effects.ts';
import { answerRow, onlineWorker, runRow, startOfRun } from './run-rows.ts';
import { goodAnswer } from './step-answers.ts';

export interface SimulatedStart {
  readonly stories: readonly RunStory[];
  readonly run?: Parameters<typeof runRow>[0];
  readonly workers?: readonly RunWorker[];
}

export class SimulatedRun {
  readonly rows: SimulatedRows;
  now = startOfRun;

  constructor({ stories, run = {}, workers = [onlineWorker('home'), onlineWorker('other')] }: SimulatedStart) {
    const snapshot: RunSnapshot = {
      run: runRow(run),
      stories: stories.map((story, position) => ({ ...story, position })),
      attempts: [],
      openSteps: [],
      endedSteps: [],
      questions: [],
      evidence: [],
      workers,
      activeRuns: 0,
      maxActiveRuns: 50,
      ownerActive: true,
      verifier: { agent: null, model: null },
    };
    this.rows = { snapshot, events: [], learnings: [], plans: new Map(), heads: [], ids: 0 };
  }

  get snapshot(): RunSnapshot {
    return this.rows.snapshot;
  }

  get run(): PrdRun {
    return this.snapshot.run;
  }

  /** Changes what surrounds the run: its workers, its owner, the room in the tenant. */
  change(change: Partial<RunSnapshot>): void {
    this.rows.snapshot = { ...this.snapshot, ...change };
  }

  story(storyId: string): RunStory {
    const story = this.snapshot.stories.find((one) => one.storyId === storyId);
    if (story === undefined) throw new Error(`no story ${storyId}`);
    return story;
  }

  /** Decides, applies, and demands that the same look finds nothing more. */
  look(): readonly RunEffect[] {
    return this.apply(decide(this.snapshot, this.now));
  }

  apply(effects: readonly RunEffect[]): readonly RunEffect[] {
    applyEffects(this.rows, effects, this.now);
    assert.deepEqual(decide(this.snapshot, this.now), [], 'the same look finds more');
    return effects;
  }

  /** Time passes; a look that was due is made. */
  advance(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
    if (this.run.dueAt !== null && this.run.dueAt <= this.now.toISOString()) this.look();
  }

  /** Time passes until the look that is due. @returns how long that was, in milliseconds */
  advanceToDue(): number {
    if (this.run.dueAt === null) throw new Error('no look is due');
    const ms = Math.max(0, Date.parse(this.run.dueAt) - this.now.getTime());
    this.advance(ms);
    return ms;
  }

  planOf({ step }: OpenStep): StepPlan {
    const plan = this.rows.plans.get(step.taskId);
    if (plan === undefined) throw new Error(`no plan of ${step.taskId}`);
    return plan;
  }

  /** The only open step of a kind, or of that kind and story. */
  open(kind: StepKind, storyId?: string): OpenStep {
    const fits = this.snapshot.openSteps.filter(
      ({ step }) => step.kind === kind && (storyId === undefined || step.storyId === storyId),
    );
    const [only] = fits;
    if (only === undefined || fits.length !== 1) {
      const open = this.snapshot.openSteps.map(({ step }) => `${step.kind} ${step.storyId ?? ''}`);
      throw new Error(`${fits.length} open steps ${kind} ${storyId ?? ''}; open: ${open.join(', ')}`);
    }
    return only;
  }

  openKinds(): readonly string[] {
    return this.snapshot.openSteps.map(({ step }) =>
      step.storyId === null ? step.kind : `${step.kind} ${step.storyId}`,
    );
  }

  setTask(taskId: string, change: Partial<StepTask> | undefined): void {
    this.change({
      openSteps: this.snapshot.openSteps.map((open) =>
        open.step.taskId === taskId
          ? { ...open, task: change === undefined ? undefined : { ...(open.task ?? pendingTask), ...change } }
          : open,
      ),
    });
  }

  /** The open step of this kind ends with an answer, on the worker that it names or on `home`. */
  complete(
    kind: StepKind,
    answer: (plan: StepPlan) => StepResult = goodAnswer,
    given: { readonly storyId?: string; readonly workerId?: string; readonly usage?: Usage } = {},
  ): readonly RunEffect[] {
    const open = this.open(kind, given.storyId);
    const workerId = given.workerId ?? open.step.targetWorkerId ?? 'home';
    const bundleArtifactId = `bundle of ${open.step.taskId}`;
    const result = answer(this.planOf(open));
    this.setTask(open.step.taskId, {
      status: 'completed',
      result,
      workerId,
      bundleArtifactId,
      usage: given.usage ?? null,
    });
    return this.look();
  }

  /** The task of the open step of this kind fails. */
  fail(
    kind: StepKind,
    code: string,
    given: { readonly storyId?: string; readonly retryAt?: string; readonly workerId?: string } = {},
  ): readonly RunEffect[] {
    const { step } = this.open(kind, given.storyId);
    const retryAt = given.retryAt === undefined ? {} : { retryAt: given.retryAt };
    const error = { code, message: `message of ${code}`, ...retryAt };
    this.setTask(step.taskId, { status: 'failed', error, workerId: given.workerId ?? 'home' });
    return this.look();
  }

  openQuestions(): readonly RunQuestion[] {
    return this.snapshot.questions.filter(({ answeredAt }) => answeredAt === null);
  }

  /** The only open question of a kind. */
  question(kind: QuestionKind): RunQuestion {
    const fits = this.openQuestions().filter((question) => question.kind === kind);
    const [only] = fits;
    if (only === undefined || fits.length !== 1) {
      throw new Error(
        `${fits.length} open questions ${kind}; open: ${this.openQuestions()
          .map((one) => one.kind)
          .join(', ')}`,
      );
    }
    return only;
  }

  /** A person answers, as the verb writes it down. */
  answer(kind: QuestionKind, given: Partial<RunAnswer>): readonly RunEffect[] {
    this.writeAnswer(this.question(kind).id, given);
    return this.look();
  }

  writeAnswer(questionId: string, given: Partial<RunAnswer>): void {
    const answered = { answeredAt: this.now.toISOString(), answer: answerRow(given), answeredBy: 'person' };
    this.change({
      questions: this.snapshot.questions.map((one) => (one.id === questionId ? { ...one, ...answered } : one)),
    });
  }

  pause(mode: 'after_step' | 'now'): void {
    this.apply(decidePause(this.snapshot, mode, this.now));
  }

  resume(): void {
    this.apply(decideResume(this.snapshot, this.now));
  }

  /** A person puts the landed commits on the branch. */
  publish(): void {
    this.apply(decidePublish(this.snapshot, this.now));
  }

  cancel(reason = 'not needed'): void {
    this.apply(decideCancel(this.snapshot, reason, this.now));
  }

  /** Good answers to all steps, until the run is over or nothing is open. */
  finishAll(answer: (plan: StepPlan) => StepResult = goodAnswer): void {
    for (let turn = 0; turn < 1000; turn++) {
      const [open] = this.snapshot.openSteps;
      if (open === undefined || isRunOver(this.run.status)) return;
      const { kind, storyId, taskId, targetWorkerId } = open.step;
      const [workerId, bundleArtifactId] = [targetWorkerId ?? 'home', `bundle of ${taskId}`];
      if (this.rows.plans.get(taskId) === undefined) throw new Error(`no plan of ${kind} ${storyId ?? ''}`);
      const result = answer(this.planOf(open));
      this.setTask(taskId, { status: 'completed', result, workerId, bundleArtifactId });
      this.look();
    }
    throw new Error('the run does not end');
  }
}

export function simulateRun(start: SimulatedStart): SimulatedRun {
  return new SimulatedRun(start);
}
