// Everything that the director decides from: one run's rows, read under its row lock. runs-7.
import type { TaskError, Usage } from '../task/task.ts';
import type { TaskStatus } from '../task/task-state.ts';
import type { CriterionEvidence, PrdRun, RunQuestion, RunStep, RunStory, StoryAttempt } from './run.ts';
import type { StepResult } from './step.ts';

/** The task of a step, as it stands now. */
export interface StepTask {
  readonly status: TaskStatus;
  readonly error: (TaskError & { readonly retryAt?: string | undefined }) | null;
  readonly usage: Usage | null;
  readonly workerId: string | null;
  /** The answer of a completed task, parsed; undefined: there is none, or it is not the contract's. */
  readonly result: StepResult | undefined;
  /** The id of the artifact with its bundle; null: it left none. */
  readonly bundleArtifactId: string | null;
  /** The question of a task in needs_input. */
  readonly question: string | null;
}

export interface OpenStep {
  readonly step: RunStep;
  /** Undefined: the task does not exist (it was deleted). */
  readonly task: StepTask | undefined;
}

/** A worker that serves the run's codebase now. */
export interface RunWorker {
  readonly workerId: string;
  readonly online: boolean;
  /** Since when it is offline; null while it is online. ISO 8601. */
  readonly offlineSince: string | null;
  readonly agents: readonly string[];
}

export interface RunSnapshot {
  readonly run: PrdRun;
  /** In the order of the document. */
  readonly stories: readonly RunStory[];
  /** All of the run, oldest first. */
  readonly attempts: readonly StoryAttempt[];
  /** Steps that are open or asking, with their tasks. */
  readonly openSteps: readonly OpenStep[];
  /** Steps that ended, oldest first, without the large parts of their results. */
  readonly endedSteps: readonly RunStep[];
  /** All questions of the run, oldest first; those answered since the last look are among them. */
  readonly questions: readonly RunQuestion[];
  /** The evidence of current attempts of running stories, and of passed ones. */
  readonly evidence: readonly CriterionEvidence[];
  /** Workers that serve the codebase and run steps. */
  readonly workers: readonly RunWorker[];
  /** Other runs of the tenant that are at work, and the most that may be. */
  readonly activeRuns: number;
  readonly maxActiveRuns: number;
  /** False: the owner may create no more tasks: it is disabled, has lost its role, or its API key is revoked or has expired. */
  readonly ownerActive: boolean;
  /** The agent and model that judge by default; null: another agent of the codebase than the implementer's. */
  readonly verifier: { readonly agent: string | null; readonly model: string | null };
}
