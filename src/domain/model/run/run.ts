// The nouns of a run as rows hold them: run, story, attempt, step, question, evidence, learning.
import type { ActingOwner } from '../access/acting-owner.ts';
import type { AllowTestChanges, Prd, PrdCheck } from '../prd/prd.ts';
import type {
  AttemptStatus,
  QuestionKind,
  RunStatus,
  StepKind,
  StepStatus,
  StoryPhase,
  StoryStatus,
} from './run-state.ts';
import type { BundleSource, CheckBefore, GateResult, StepGate, StepResult, TestCounts } from './step.ts';

/** The choices of a run's creator; absent choices have the defaults of the service. */
export interface RunOptions {
  readonly base: string | null;
  readonly branchPolicy: 'new' | 'continue';
  /** Agents in order of preference; empty: whichever the worker prefers. */
  readonly agents: readonly string[];
  readonly model: string | null;
  readonly verifier: { readonly agent: string | null; readonly model: string | null };
  readonly baseline: 'ask' | 'require' | 'ignore';
  readonly unverifiable: 'ask' | 'accept' | 'fail';
  readonly iterationTimeoutSeconds: number | null;
  readonly mergeInto: string | null;
  /** True: added skips and disabled checks reject a candidate. */
  readonly strict: boolean;
  readonly commitOnPass: boolean;
  readonly commitProgress: boolean;
  /** Bound on the active time of a run without a time budget. */
  readonly maxRunSeconds: number;
  readonly bundleMaxBytes: number;
}

/** Null: no bound. */
export interface RunBudget {
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly seconds: number | null;
  readonly iterations: number | null;
}

export interface RunSpent {
  /** Null until a step has a price. With unpriced steps it is a lower bound. */
  readonly usd: number | null;
  /** Input and output tokens. */
  readonly tokens: number;
  /** Active seconds: not paused, not waiting for an answer. */
  readonly seconds: number;
  /** Judged attempts of all stories. */
  readonly iterations: number;
  readonly unpricedSteps: number;
}

export interface RunError {
  readonly code: string;
  readonly message: string;
}

/** The findings of prepare at the base. */
export interface RunBaseline {
  readonly gates: readonly StepGate[];
  readonly setup: readonly string[];
  readonly hashes: Readonly<Record<string, string>>;
  readonly results: readonly GateResult[];
  readonly checksBefore: readonly CheckBefore[];
}

export interface RunWarning {
  readonly code: string;
  readonly path?: string | undefined;
  readonly message: string;
}

export interface PrdRun {
  readonly id: string;
  readonly codebaseId: string;
  readonly project: string;
  readonly description: string;
  /** With its prefix. */
  readonly branch: string;
  /** Null until prepare has resolved it. */
  readonly baseCommit: string | null;
  /** The commit of the last landed story; the base until then. */
  readonly headCommit: string | null;
  /** The commit that the branch of the user has; null: not published yet. */
  readonly publishedCommit: string | null;
  /** The worker that holds the branch for the user; null until prepare has run. */
  readonly homeWorkerId: string | null;
  readonly status: RunStatus;
  /** Set when a pause was asked for: stop before the next step, or at once. */
  readonly pauseMode: 'after_step' | 'now' | null;
  readonly mode: 'sequential' | 'parallel';
  readonly maxParallel: number;
  readonly maxIterations: number;
  /** The highest iteration that any story has reached; it never falls. */
  readonly currentIteration: number;
  readonly prd: Prd;
  /** Null until prepare has run. */
  readonly baseline: RunBaseline | null;
  readonly options: RunOptions;
  readonly budget: RunBudget;
  readonly spent: RunSpent;
  /** The last share of the budget that was announced, in percent: 0, 50, 80 or 100. */
  readonly budgetShare: 0 | 50 | 80 | 100;
  /** A person accepted steps without a price. */
  readonly acceptsUnpriced: boolean;
  readonly priority: number;
  readonly webhookUrl: string | null;
  readonly conversationId: string | null;
  readonly retryOf: string | null;
  readonly prdSessionId: string | null;
  readonly prdVersion: number | null;
  readonly warnings: readonly RunWarning[];
  readonly waitingReason: string | null;
  readonly error: RunError | null;
  readonly createdBy: string;
  /** The API key that created it, or that created the creating session; null: another credential did. */
  readonly keyId: string | null;
  /** How its owner acts; null: it was created before this was stored. */
  readonly actsAs: ActingOwner | null;
  /** The bundles of a retry up to the commit at which it begins, in their order. */
  readonly baseBundles: readonly BundleSource[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  /** Null: active time does not grow. Else the time since which it is not yet in `spent.seconds`. */
  readonly activeSince: string | null;
  /** When the director has to look again; null: an event of a task or a person comes first. */
  readonly dueAt: string | null;
  /** Raised by each change: a writer names the version that it read. */
  readonly version: number;
  /** Number of the last event. */
  readonly lastSeq: number;
}

/** Why a running story does not go on, and until when. */
export interface StoryWait {
  readonly reason: string;
  /** ISO 8601; null: until the question is answered. */
  readonly notBefore: string | null;
  /** The phase in which it goes on. */
  readonly phase: StoryPhase;
  /** Waits of this kind in a row, for the back-off. */
  readonly count: number;
  /** When the first of them began. */
  readonly since: string;
}

export interface RunStory {
  readonly storyId: string;
  /** Its place in the order of the document. */
  readonly position: number;
  readonly title: string;
  readonly description: string;
  readonly criteria: readonly string[];
  readonly priority: number | null;
  /** As the document names them; null: the run's mode decides. */
  readonly dependsOn: readonly string[] | null;
  readonly checks: readonly PrdCheck[];
  readonly allowTestChanges: AllowTestChanges;
  readonly agent: string | null;
  readonly model: string | null;
  readonly status: StoryStatus;
  readonly phase: StoryPhase | null;
  /** Judged attempts so far. */
  readonly iteration: number;
  /** Attempts beyond `maxIterations` that a person granted (`hint`). */
  readonly extraIterations: number;
  readonly commit: string | null;
  /** One sentence for readers. */
  readonly result: string;
  readonly wait: StoryWait | null;
  /** Conflicts and red merged trees of the candidate so far. */
  readonly conflicts: number;
  /** Times that `diagnose` ran since the last hint. */
  readonly diagnoses: number;
  readonly passedAt: string | null;
  /** The run that the passed story was carried from. */
  readonly carriedFrom: string | null;
}

export interface StoryAttempt {
  readonly storyId: string;
  /** The iteration that it spends when it is judged, from 1. */
  readonly n: number;
  /** Tries of one iteration, from 1; all but the last are void. */
  readonly try: number;
  readonly status: AttemptStatus;
  readonly baseCommit: string;
  readonly candidateCommit: string | null;
  readonly candidateTree: string | null;
  /** The commit that check or land made. */
  readonly storyCommit: string | null;
  readonly failureCode: string | null;
  /** Equal for attempts that fail alike; null: it did not fail by a gate, check or judge. */
  readonly fingerprint: string | null;
  /** The agent's summary of its work. */
  readonly summary: string;
  /** The agent that implemented it; null: not yet known. */
  readonly agent: string | null;
  readonly promptSha256: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

export interface RunStep {
  readonly id: string;
  readonly kind: StepKind;
  readonly storyId: string | null;
  readonly n: number;
  readonly try: number;
  readonly taskId: string;
  readonly status: StepStatus;
  /** The descriptor's base, candidate and head: what the result refers to. */
  readonly base: string;
  readonly candidate: string | null;
  readonly head: string | null;
  readonly agent: string | null;
  readonly targetWorkerId: string | null;
  /** The parsed answer of a step that ended `ok` or `rejected`. */
  readonly result: StepResult | null;
  readonly code: string | null;
  /** The worker that ran it. */
  readonly workerId: string | null;
  /** Tries of this same step that ended as `infra`, in a row. */
  readonly infraTries: number;
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** The artifact with its bundle; null: it left none. */
  readonly bundleArtifactId: string | null;
}

export interface RunQuestion {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly storyId: string | null;
  readonly text: string;
  readonly options: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly askedAt: string;
  readonly answeredAt: string | null;
  readonly answer: RunAnswer | null;
  readonly answeredBy: string | null;
  /** The director has applied the answer. */
  readonly settled: boolean;
}

/** An answer, already checked against the options of its question. */
export interface RunAnswer {
  readonly choice: string | null;
  /** For `unverifiable`: the choice for each criterion, by index. */
  readonly choices: Readonly<Record<string, string>>;
  readonly text: string;
  readonly agent: string | null;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly raise: Partial<Record<keyof RunBudget, number>>;
}

export type EvidenceKind = 'gate' | 'check' | 'judge' | 'human';

export interface CriterionEvidence {
  readonly storyId: string;
  readonly n: number;
  readonly criterion: number;
  readonly by: EvidenceKind;
  readonly status: 'passed' | 'failed' | 'unverified';
  readonly gateId: string | null;
  readonly command: string | null;
  readonly exitCode: number | null;
  readonly seconds: number | null;
  readonly commit: string | null;
  readonly before: 'failed' | 'passed' | 'unknown';
  /** The check passed before the work began. */
  readonly vacuous: boolean;
  readonly flaky: boolean;
  readonly counts: TestCounts | null;
  readonly tail: string;
  readonly taskId: string | null;
  readonly artifactId: string | null;
  readonly quotes: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  readonly reason: string | null;
  /** The person, where `by` is human. */
  readonly subject: string | null;
  readonly sameAgent: boolean;
  readonly at: string;
}

export type LearningKind = 'failure' | 'note' | 'pattern' | 'diagnosis' | 'guidance' | 'conflict';

export interface RunLearning {
  readonly id: string;
  /** Null: it concerns all stories. */
  readonly storyId: string | null;
  readonly n: number | null;
  readonly kind: LearningKind;
  readonly author: 'director' | 'agent' | 'human';
  /** At most 8 KiB. */
  readonly text: string;
  readonly at: string;
}

/** An event of a run as followers see it; `data` has the members of runs-6.2. */
export interface RunEvent {
  readonly seq: number;
  readonly type: RunEventType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
}

export type RunEventType =
  | 'run'
  | 'story'
  | 'step'
  | 'gate'
  | 'evidence'
  | 'learning'
  | 'question'
  | 'answer'
  | 'landed'
  | 'budget'
  | 'published'
  | 'environment_differs';
