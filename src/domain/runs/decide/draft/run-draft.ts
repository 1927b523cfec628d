// The working copy of one decision: each change is made here at once, and becomes an effect. runs-7.
import type { RunChange, RunEffect, StepPlan, StoryChange } from '../../../model/run/effect.ts';
import type {
  CriterionEvidence,
  PrdRun,
  RunEventType,
  RunQuestion,
  RunStep,
  RunStory,
  StoryAttempt,
} from '../../../model/run/run.ts';
import type { QuestionKind } from '../../../model/run/run-state.ts';
import type { OpenStep, RunSnapshot } from '../../../model/run/snapshot.ts';
import { changedFields } from './changed.ts';

type OneEffect<T extends RunEffect['type']> = Extract<RunEffect, { type: T }>;
type AttemptFields = Omit<OneEffect<'setAttempt'>['change'], 'ended'>;
/** A question of this decision: it has no id before it is applied. */
type NewQuestion = Pick<RunQuestion, 'kind' | 'storyId' | 'text' | 'options' | 'data'>;

const sameAttempt = (a: StoryAttempt, b: Pick<StoryAttempt, 'storyId' | 'n' | 'try'>): boolean =>
  a.storyId === b.storyId && a.n === b.n && a.try === b.try;

/** Reads see every change made before; `finish` answers the effects of all of them, changes of one row as one effect. */
export class RunDraft {
  readonly before: RunSnapshot;
  readonly now: Date;
  /** `now` as ISO 8601. */
  readonly at: string;
  run: PrdRun;
  stories: readonly RunStory[];
  attempts: readonly StoryAttempt[];
  openSteps: readonly OpenStep[];
  endedSteps: readonly RunStep[];
  questions: readonly RunQuestion[];
  evidence: readonly CriterionEvidence[];
  /** Steps that this decision opens. */
  plans: readonly StepPlan[] = [];
  /** Questions that this decision asks. */
  asked: readonly NewQuestion[] = [];
  /** The reason why the run's state changes, where neither its error nor its wait has it. */
  reason: string | null = null;
  #effects: readonly RunEffect[] = [];
  readonly #events: OneEffect<'event'>[] = [];

  constructor(snapshot: RunSnapshot, now: Date) {
    this.before = snapshot;
    this.now = now;
    this.at = now.toISOString();
    this.run = snapshot.run;
    this.stories = snapshot.stories;
    this.attempts = snapshot.attempts;
    this.openSteps = snapshot.openSteps;
    this.endedSteps = snapshot.endedSteps;
    this.questions = snapshot.questions;
    this.evidence = snapshot.evidence;
  }

  setRun(change: Omit<RunChange, 'headCommit'>): void {
    this.run = { ...this.run, ...change };
  }

  /** Sets the head where no story lands; an effect of its own, since a landing may follow. */
  moveHead(headCommit: string): void {
    this.run = { ...this.run, headCommit };
    this.#add({ type: 'setRun', change: { headCommit } });
  }

  setStory(storyId: string, change: StoryChange): void {
    this.stories = this.stories.map((story) => (story.storyId === storyId ? { ...story, ...change } : story));
  }

  story(storyId: string | null): RunStory | undefined {
    return this.stories.find((story) => story.storyId === storyId);
  }

  openAttempt(storyId: string, n: number, tryNumber: number, base: string): StoryAttempt {
    const attempt = newAttempt(storyId, n, tryNumber, base, this.at);
    this.attempts = [...this.attempts, attempt];
    this.#add({ type: 'openAttempt', storyId, n, try: tryNumber, base });
    return attempt;
  }

  setAttempt(key: Pick<StoryAttempt, 'storyId' | 'n' | 'try'>, change: AttemptFields, ended = false): void {
    this.attempts = this.attempts.map((attempt) =>
      sameAttempt(attempt, key) ? { ...attempt, ...change, ...(ended && { endedAt: this.at }) } : attempt,
    );
  }

  openStep(plan: StepPlan): void {
    this.plans = [...this.plans, plan];
    this.#add({ type: 'openStep', plan });
  }

  /** Takes back the steps that this decision opened for a worker. */
  withdrawPlans(targetWorkerId: string): void {
    this.plans = this.plans.filter((plan) => plan.targetWorkerId !== targetWorkerId);
    this.#effects = this.#effects.filter(
      (effect) => effect.type !== 'openStep' || effect.plan.targetWorkerId !== targetWorkerId,
    );
  }

  /** Ends a step, or marks it as asking, and notifies followers. */
  closeStep(effect: Omit<OneEffect<'closeStep'>, 'type'>): void {
    const open = this.openSteps.find(({ step }) => step.id === effect.stepId);
    if (open === undefined) return;
    const { stepId: _, ...fields } = effect;
    const step = { ...open.step, ...fields };
    if (effect.status === 'asking') {
      this.openSteps = this.openSteps.map((one) => (one === open ? { ...one, step } : one));
    } else {
      this.openSteps = this.openSteps.filter((one) => one !== open);
      this.endedSteps = [...this.endedSteps, { ...step, endedAt: this.at }];
    }
    this.#add({ type: 'closeStep', ...effect });
    this.event('step', {
      story_id: step.storyId,
      n: step.n,
      kind: step.kind,
      task_id: step.taskId,
      status: step.status,
      ...(step.code !== null && { code: step.code }),
    });
  }

  reopenStep(step: RunStep): void {
    this.openSteps = this.openSteps.map((one) =>
      one.step.id === step.id ? { ...one, step: { ...one.step, status: 'open' } } : one,
    );
    this.#add({ type: 'reopenStep', stepId: step.id });
    this.event('step', { story_id: step.storyId, n: step.n, kind: step.kind, task_id: step.taskId, status: 'open' });
  }

  cancelTask(taskId: string, reason: string): void {
    this.#add({ type: 'cancelTask', taskId, reason });
  }

  answerTask(taskId: string, text: string): void {
    this.#add({ type: 'answerTask', taskId, text });
  }

  ask(question: NewQuestion): void {
    this.asked = [...this.asked, question];
    this.#add({ type: 'ask', ...question });
  }

  /** Closes the open questions of a story, or with undefined all of the run. One of this decision is never asked. */
  dropQuestions(storyId?: string): void {
    const fits = (question: { readonly storyId: string | null }): boolean =>
      storyId === undefined || question.storyId === storyId;
    for (const question of this.openQuestions().filter(fits)) this.closeQuestion(question);
    this.asked = this.asked.filter((question) => !fits(question));
    this.#effects = this.#effects.filter((effect) => effect.type !== 'ask' || !fits(effect));
  }

  closeQuestion(question: RunQuestion): void {
    this.questions = this.questions.map((one) =>
      one.id === question.id ? { ...one, answeredAt: this.at, answeredBy: 'moot', settled: true } : one,
    );
    this.#add({ type: 'closeQuestion', questionId: question.id });
    this.event('answer', { question_id: question.id, by: 'moot' });
  }

  settleQuestion(question: RunQuestion): void {
    this.questions = this.questions.map((one) => (one.id === question.id ? { ...one, settled: true } : one));
    this.#add({ type: 'settleQuestion', questionId: question.id });
  }

  addEvidence(evidence: Omit<CriterionEvidence, 'at'>): void {
    this.evidence = [...this.evidence, { ...evidence, at: this.at }];
    this.#add({ type: 'addEvidence', evidence });
    const { storyId, n, criterion, by, status } = evidence;
    this.event('evidence', { story_id: storyId, n, criterion, by, status });
  }

  addLearning(learning: Omit<OneEffect<'addLearning'>, 'type'>): void {
    if (learning.text.trim() !== '') this.#add({ type: 'addLearning', ...learning });
  }

  removeStory(storyId: string): void {
    this.stories = this.stories.filter((story) => story.storyId !== storyId);
    this.attempts = this.attempts.filter((attempt) => attempt.storyId !== storyId);
    this.#add({ type: 'removeStory', storyId });
  }

  land(effect: Omit<OneEffect<'land'>, 'type'>): void {
    this.run = { ...this.run, headCommit: effect.commit };
    this.#add({ type: 'land', ...effect });
  }

  event(event: RunEventType, data: Readonly<Record<string, unknown>>): void {
    this.#events.push({ type: 'event', event, data });
  }

  #add(effect: RunEffect): void {
    this.#effects = [...this.#effects, effect];
  }

  /** Whether a question of this kind waits for its answer; without `storyId`: of any story or of the run. */
  isAsked(kind: QuestionKind, storyId?: string | null): boolean {
    const fits = (question: NewQuestion): boolean =>
      question.kind === kind && (storyId === undefined || question.storyId === storyId);
    return this.asked.some(fits) || this.openQuestions().some(fits);
  }

  openQuestions(): readonly RunQuestion[] {
    return this.questions.filter((question) => question.answeredAt === null);
  }

  /** All effects in the order of their application: an attempt ends before the next of its story opens, events come last. */
  finish(): readonly RunEffect[] {
    const isKnown = (attempt: StoryAttempt): boolean => this.before.attempts.some((one) => sameAttempt(one, attempt));
    const known = this.#attemptChanges(this.attempts.filter(isKnown));
    const opened = this.#attemptChanges(this.attempts.filter((attempt) => !isKnown(attempt)));
    const events = [...this.#events, ...this.#storyEvents(), ...this.#runEvents()];
    return [...known, ...this.#effects, ...opened, ...this.#storyChanges(), ...this.#runChanges(), ...events];
  }

  #attemptChanges(attempts: readonly StoryAttempt[]): RunEffect[] {
    return attempts.flatMap((attempt) => {
      const { storyId, n, try: tryNumber, startedAt, promptSha256: _, endedAt, ...fields } = attempt;
      const stood =
        this.before.attempts.find((one) => sameAttempt(one, attempt)) ??
        newAttempt(storyId, n, tryNumber, attempt.baseCommit, startedAt);
      const change = changedFields<AttemptFields>(stood, fields);
      const ended = endedAt !== stood.endedAt;
      if (change === null && !ended) return [];
      return [{ type: 'setAttempt', storyId, n, try: tryNumber, change: { ...change, ...(ended && { ended }) } }];
    });
  }

  #storyChanges(): RunEffect[] {
    return this.stories.flatMap((story) => {
      const { storyId, position: _, ...fields } = story;
      const stood = this.before.stories.find((one) => one.storyId === storyId);
      const change = stood === undefined ? null : changedFields<StoryChange>(stood, fields);
      return change === null ? [] : [{ type: 'setStory', storyId, change }];
    });
  }

  #runChanges(): RunEffect[] {
    const { id: _i, codebaseId: _c, createdBy: _b, createdAt: _a, updatedAt: _u, ...rest } = this.run;
    // Effects of their own move the head.
    const { version: _v, lastSeq: _s, headCommit: _h, ...fields } = rest;
    const change = changedFields<RunChange>(this.before.run, fields);
    return change === null ? [] : [{ type: 'setRun', change }];
  }

  #storyEvents(): RunEffect[] {
    return this.stories.flatMap((story) => {
      const stood = this.before.stories.find((one) => one.storyId === story.storyId);
      if (stood === undefined || changedFields(seenOfStory(stood), seenOfStory(story)) === null) return [];
      return [{ type: 'event', event: 'story', data: { story_id: story.storyId, ...seenOfStory(story) } }];
    });
  }

  #runEvents(): RunEffect[] {
    if (changedFields(seenOfRun(this.before.run), seenOfRun(this.run)) === null) return [];
    const { status, current_iteration } = seenOfRun(this.run);
    const reason = this.reason ?? reasonOf(this.run);
    return [{ type: 'event', event: 'run', data: { status, current_iteration, ...(reason !== null && { reason }) } }];
  }
}

/** The members of a story that its events carry. */
function seenOfStory({ status, phase, iteration, result }: RunStory) {
  return { status, phase, iteration, result };
}

function seenOfRun(run: PrdRun) {
  return { status: run.status, current_iteration: run.currentIteration, reason: reasonOf(run) };
}

function reasonOf(run: PrdRun): string | null {
  return run.error?.message ?? run.waitingReason;
}

function newAttempt(storyId: string, n: number, tryNumber: number, base: string, at: string): StoryAttempt {
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
    promptSha256: null,
    startedAt: at,
    endedAt: null,
  };
}
