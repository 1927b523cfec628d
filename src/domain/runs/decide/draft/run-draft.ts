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
  readonly plans: StepPlan[] = [];
  /** Questions that this decision asks. */
  readonly asked: NewQuestion[] = [];
  /** Why the state of the run changes, where neither its error nor its wait says it. */
  reason: string | null = null;
  readonly #effects: RunEffect[] = [];
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
    this.#effects.push({ type: 'setRun', change: { headCommit } });
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
    this.#effects.push({ type: 'openAttempt', storyId, n, try: tryNumber, base });
    return attempt;
  }

  setAttempt(key: Pick<StoryAttempt, 'storyId' | 'n' | 'try'>, change: AttemptFields, ended = false): void {
    this.attempts = this.attempts.map((attempt) =>
      sameAttempt(attempt, key) ? { ...attempt, ...change, ...(ended && { endedAt: this.at }) } : attempt,
    );
  }

  openStep(plan: StepPlan): void {
    this.plans.push(plan);
    this.#effects.push({ type: 'openStep', plan });
  }

  /** Ends a step, or marks it as asking, and tells followers. */
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
    this.#effects.push({ type: 'closeStep', ...effect });
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
    this.#effects.push({ type: 'reopenStep', stepId: step.id });
    this.event('step', { story_id: step.storyId, n: step.n, kind: step.kind, task_id: step.taskId, status: 'open' });
  }

  cancelTask(taskId: string, reason: string): void {
    this.#effects.push({ type: 'cancelTask', taskId, reason });
  }

  answerTask(taskId: string, text: string): void {
    this.#effects.push({ type: 'answerTask', taskId, text });
  }

  ask(question: NewQuestion): void {
    this.asked.push(question);
    this.#effects.push({ type: 'ask', ...question });
  }

  closeQuestion(question: RunQuestion): void {
    this.questions = this.questions.map((one) =>
      one.id === question.id ? { ...one, answeredAt: this.at, answeredBy: 'moot', settled: true } : one,
    );
    this.#effects.push({ type: 'closeQuestion', questionId: question.id });
    this.event('answer', { question_id: question.id, by: 'moot' });
  }

  settleQuestion(question: RunQuestion): void {
    this.questions = this.questions.map((one) => (one.id === question.id ? { ...one, settled: true } : one));
    this.#effects.push({ type: 'settleQuestion', questionId: question.id });
  }

  addEvidence(evidence: Omit<CriterionEvidence, 'at'>): void {
    this.evidence = [...this.evidence, { ...evidence, at: this.at }];
    this.#effects.push({ type: 'addEvidence', evidence });
    const { storyId, n, criterion, by, status } = evidence;
    this.event('evidence', { story_id: storyId, n, criterion, by, status });
  }

  addLearning(learning: Omit<OneEffect<'addLearning'>, 'type'>): void {
    if (learning.text.trim() !== '') this.#effects.push({ type: 'addLearning', ...learning });
  }

  removeStory(storyId: string): void {
    this.stories = this.stories.filter((story) => story.storyId !== storyId);
    this.attempts = this.attempts.filter((attempt) => attempt.storyId !== storyId);
    this.#effects.push({ type: 'removeStory', storyId });
  }

  land(effect: Omit<OneEffect<'land'>, 'type'>): void {
    this.run = { ...this.run, headCommit: effect.commit };
    this.#effects.push({ type: 'land', ...effect });
  }

  event(event: RunEventType, data: Readonly<Record<string, unknown>>): void {
    this.#events.push({ type: 'event', event, data });
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
    const seen = ({ status, phase, iteration, result }: RunStory) => ({ status, phase, iteration, result });
    return this.stories.flatMap((story) => {
      const stood = this.before.stories.find((one) => one.storyId === story.storyId);
      if (stood === undefined || changedFields(seen(stood), seen(story)) === null) return [];
      return [{ type: 'event', event: 'story', data: { story_id: story.storyId, ...seen(story) } }];
    });
  }

  #runEvents(): RunEffect[] {
    const seen = (run: PrdRun) => ({ status: run.status, current_iteration: run.currentIteration, reason: reasonOf(run) });
    if (changedFields(seen(this.before.run), seen(this.run)) === null) return [];
    const { status, current_iteration } = seen(this.run);
    const reason = this.reason ?? reasonOf(this.run);
    return [{ type: 'event', event: 'run', data: { status, current_iteration, ...(reason !== null && { reason }) } }];
  }
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
