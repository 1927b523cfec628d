// The ports of the rows of runs. Every writer holds the row lock of its run; every member sees one tenant.
import type { OwnerRecords } from '../../model/access/acting-owner.ts';
import type { AttemptChange, RunChange, StoryChange } from '../../model/run/effect.ts';
import type { QuestionKind, RunStatus, StepStatus, StoryStatus } from '../../model/run/run-state.ts';
import type {
  CriterionEvidence,
  LearningKind,
  PrdRun,
  RunAnswer,
  RunEvent,
  RunEventType,
  RunLearning,
  RunQuestion,
  RunStep,
  RunStory,
  StoryAttempt,
} from '../../model/run/run.ts';
import type { RunWorker, StepTask } from '../../model/run/snapshot.ts';
import type { BundleSource, StepResult } from '../../model/run/step.ts';
import type { TaskError } from '../../model/task/task.ts';
import type { Page } from './page.ts';

/** Every field narrows the list. */
export interface RunFilter {
  readonly codebaseId?: string | undefined;
  readonly status?: PrdRun['status'] | undefined;
  readonly project?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly prdSessionId?: string | undefined;
  /** Words in the project, the branch or the description, case-insensitive. */
  readonly text?: string | undefined;
}

/** A run as its creator inserts it; the database sets the rest. */
export type NewRun = Omit<PrdRun, 'createdAt' | 'updatedAt' | 'version' | 'lastSeq'>;

/** A run as a writer read it. */
export type RunVersion = Pick<PrdRun, 'id' | 'version'>;

/** An open step with its task, whose answer is not parsed yet. */
export interface OpenStepRow {
  readonly step: RunStep;
  /** Null: the task does not exist. */
  readonly task: StepTaskRow | null;
}

export type StepTaskRow = Omit<StepTask, 'result' | 'error'> & {
  readonly error: TaskError | null;
  /** The content of the artifact `step` of a completed task; null: there is none. */
  readonly answer: { readonly data?: unknown; readonly text?: string } | null;
};

/** The rows that a look reads beside the run itself, in one statement. */
export interface RunState {
  readonly stories: readonly RunStory[];
  readonly attempts: readonly StoryAttempt[];
  readonly openSteps: readonly OpenStepRow[];
  /** Without the tails and diffs of their results. */
  readonly endedSteps: readonly RunStep[];
  readonly questions: readonly RunQuestion[];
  /** Evidence of running and passed stories. */
  readonly evidence: readonly CriterionEvidence[];
  readonly workers: readonly RunWorker[];
  /** Other runs of the tenant that are at work. */
  readonly activeRuns: number;
  /** The records of the owner in this tenant. */
  readonly owner: OwnerRecords;
}

export interface RunRows {
  insert(run: NewRun, stories: readonly RunStory[]): Promise<void>;
  find(runId: string): Promise<PrdRun | undefined>;
  /** Locks the run until the transaction ends, after those that hold it. */
  lock(runId: string): Promise<PrdRun | undefined>;
  /** Locks the run; undefined also when another transaction holds it. */
  lockIfFree(runId: string): Promise<PrdRun | undefined>;
  /** The state of a locked run. */
  state(run: PrdRun): Promise<RunState>;
  list(filter: RunFilter, page: Page): Promise<PrdRun[]>;
  /** The tenant's runs by status. */
  countByStatus(): Promise<Readonly<Record<RunStatus, number>>>;
  /** The stories of these runs by status, by run. */
  countStories(runIds: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<StoryStatus, number>>>>;
  /**
   * Changes the named fields and raises the version. @returns the run as it is then
   * @throws DomainError conflict `version_conflict` when the run has another version than the one that was read
   */
  update(run: RunVersion, change: RunChange): Promise<PrdRun>;
  /** Makes a run due again after a delay; nothing else of it changes. */
  postpone(runId: string, seconds: number): Promise<void>;
  /** Makes the unfinished runs of an owner, or those that an API key created, due at once. */
  makeDueOf(of: { readonly owner: string } | { readonly keyId: string }): Promise<void>;
  /** Deletes a run with all its rows. */
  delete(runId: string): Promise<void>;
  /** Deletes up to `limit` runs that finished more than this many days ago. @returns how many */
  dropFinished(olderThanDays: number, limit: number): Promise<number>;
  /** The content of the run's bundle or diff that its last publish left; undefined: there is none. */
  output(runId: string, name: 'bundle' | 'diff'): Promise<Uint8Array | undefined>;
  /** Whether a finished run has left its bundle. */
  hasBundle(runId: string): Promise<boolean>;
  /** Copies the artifact of that name from a task to the run, if the task has one. The last copy stays. */
  keepOutput(runId: string, name: 'bundle' | 'diff', taskId: string): Promise<void>;
}

export interface RunStoryRows {
  /** In the order of the document. */
  list(runId: string): Promise<RunStory[]>;
  update(runId: string, storyId: string, change: StoryChange): Promise<void>;
  /** Several at once, each story once. */
  updateAll(runId: string, changes: readonly { storyId: string; change: StoryChange }[]): Promise<void>;
  delete(runId: string, storyId: string): Promise<void>;
  /** Notes which bundle has the commit of a story that has landed. */
  setLanded(runId: string, storyId: string, source: { taskId: string; artifactId: string | null }): Promise<void>;
  /** Bundles of the stories that landed in this run, in the order in which they landed; carried ones are not among them. */
  landedBundles(runId: string): Promise<BundleSource[]>;
  /** Oldest first; without a story, of all. */
  attempts(runId: string, storyId?: string): Promise<StoryAttempt[]>;
  openAttempt(runId: string, attempt: Pick<StoryAttempt, 'storyId' | 'n' | 'try' | 'baseCommit'>): Promise<void>;
  updateAttempt(
    runId: string,
    attempt: Pick<StoryAttempt, 'storyId' | 'n' | 'try'>,
    change: AttemptChange & { readonly promptSha256?: string },
  ): Promise<void>;
}

export type NewStep = Pick<
  RunStep,
  | 'id'
  | 'kind'
  | 'storyId'
  | 'n'
  | 'try'
  | 'taskId'
  | 'base'
  | 'candidate'
  | 'head'
  | 'agent'
  | 'targetWorkerId'
  | 'infraTries'
>;

export interface StepOutcome {
  readonly status: StepStatus;
  readonly code: string | null;
  readonly result: StepResult | null;
  readonly workerId: string | null;
  readonly bundleArtifactId: string | null;
}

export interface RunStepRows {
  /** Oldest first, with their whole results; without a story, of all. */
  list(runId: string, storyId?: string): Promise<RunStep[]>;
  insert(runId: string, step: NewStep): Promise<void>;
  close(stepId: string, outcome: StepOutcome): Promise<void>;
  /** An asking step whose task goes on. */
  reopen(stepId: string): Promise<void>;
  /** The run of an open or asking step whose task is this one, and has come to rest or goes on after a question. */
  runToLook(taskId: string): Promise<string | undefined>;
}

export type NewLearning = Omit<RunLearning, 'at'>;

export type NewQuestion = Pick<RunQuestion, 'id' | 'storyId' | 'text' | 'options' | 'data'> & {
  readonly kind: QuestionKind;
};

export interface RunEventDraft {
  readonly type: RunEventType;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LearningFilter {
  readonly storyId?: string | undefined;
  readonly kind?: LearningKind | undefined;
}

export interface RunRecordRows {
  /** Oldest first; without a story, of all. */
  evidence(runId: string, storyId?: string): Promise<CriterionEvidence[]>;
  addEvidence(runId: string, id: string, evidence: Omit<CriterionEvidence, 'at'>): Promise<void>;
  /** Newest first. */
  learnings(runId: string, filter: LearningFilter, page: Page): Promise<RunLearning[]>;
  /** Oldest first, all of the run. */
  allLearnings(runId: string): Promise<RunLearning[]>;
  /** @returns false when agents or people left an equal learning of that kind and story before; nothing was stored */
  addLearning(runId: string, learning: NewLearning): Promise<boolean>;
  /** Oldest first. */
  questions(runId: string): Promise<RunQuestion[]>;
  ask(runId: string, question: NewQuestion): Promise<void>;
  /**
   * Records an answer; null: the question became moot.
   * @returns false when it was answered before, or does not exist
   */
  answer(runId: string, questionId: string, answer: RunAnswer | null, answeredBy: string | null): Promise<boolean>;
  /** The effects of the answer have been applied. */
  settle(runId: string, questionId: string): Promise<void>;
  /** Appends events with the next numbers. @returns the number of the last one */
  appendEvents(runId: string, events: readonly RunEventDraft[]): Promise<number>;
  /** Events after a number, in order. */
  events(runId: string, after: number, limit: number): Promise<RunEvent[]>;
}
