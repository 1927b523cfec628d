// The changes of one decision of the director; each effect is applied by one statement, all in one transaction. runs-7.
import type { CriterionEvidence, LearningKind, PrdRun, RunEventType, RunLearning, RunStory } from './run.ts';
import type { AttemptStatus, QuestionKind, StepKind, StepStatus } from './run-state.ts';
import type { StepResult } from './step.ts';

/** A step to open. Its ids, its prompt and its descriptor are made when it is applied (domain/runs/steps). */
export interface StepPlan {
  readonly kind: StepKind;
  readonly storyId: string | null;
  readonly n: number;
  readonly try: number;
  /** The commit that it starts from; prepare: the revision as the caller gave it, '' is HEAD. */
  readonly base: string;
  readonly candidate: string | null;
  readonly head: string | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly targetWorkerId: string | null;
  readonly infraTries: number;
  /** judge: the criteria that no command covers. */
  readonly criteria: readonly number[];
  /** publish: where the branch stands; last: also leave the bundle of the whole run. */
  readonly oldHead: string | null;
  readonly last: boolean;
}

export type AttemptChange = Partial<{
  readonly status: AttemptStatus;
  readonly baseCommit: string;
  readonly candidateCommit: string | null;
  readonly candidateTree: string | null;
  readonly storyCommit: string | null;
  readonly failureCode: string | null;
  readonly fingerprint: string | null;
  readonly summary: string;
  readonly agent: string | null;
  readonly ended: true;
}>;

/** Fields of a run that the director sets; absent ones stay. */
export type RunChange = Partial<
  Omit<PrdRun, 'id' | 'codebaseId' | 'createdBy' | 'createdAt' | 'updatedAt' | 'version' | 'lastSeq'>
>;
/** Fields of a story that the director sets; absent ones stay. */
export type StoryChange = Partial<Omit<RunStory, 'storyId' | 'position'>>;

export type RunEffect =
  | { readonly type: 'setRun'; readonly change: RunChange }
  | { readonly type: 'setStory'; readonly storyId: string; readonly change: StoryChange }
  | {
      readonly type: 'openAttempt';
      readonly storyId: string;
      readonly n: number;
      readonly try: number;
      readonly base: string;
    }
  | {
      readonly type: 'setAttempt';
      readonly storyId: string;
      readonly n: number;
      readonly try: number;
      readonly change: AttemptChange;
    }
  | { readonly type: 'openStep'; readonly plan: StepPlan }
  | {
      readonly type: 'closeStep';
      readonly stepId: string;
      readonly status: Exclude<StepStatus, 'open'>;
      readonly code: string | null;
      readonly result: StepResult | null;
      readonly workerId: string | null;
      readonly bundleArtifactId: string | null;
    }
  /** An asking step whose task goes on. */
  | { readonly type: 'reopenStep'; readonly stepId: string }
  | { readonly type: 'cancelTask'; readonly taskId: string; readonly reason: string }
  /** The answer of a person to a task that asks. */
  | { readonly type: 'answerTask'; readonly taskId: string; readonly text: string }
  | {
      readonly type: 'ask';
      readonly kind: QuestionKind;
      readonly storyId: string | null;
      readonly text: string;
      readonly options: readonly string[];
      readonly data: Readonly<Record<string, unknown>>;
    }
  /** A question that an answer or the run's end has made pointless; answered ones are closed by the verb. */
  | { readonly type: 'closeQuestion'; readonly questionId: string }
  /** The effects of an answered question have been applied. */
  | { readonly type: 'settleQuestion'; readonly questionId: string }
  | { readonly type: 'addEvidence'; readonly evidence: Omit<CriterionEvidence, 'at'> }
  | {
      readonly type: 'addLearning';
      readonly storyId: string | null;
      readonly n: number | null;
      readonly kind: LearningKind;
      readonly author: RunLearning['author'];
      readonly text: string;
    }
  | { readonly type: 'removeStory'; readonly storyId: string }
  /** A landed commit; `head` is what the run's head becomes, if it still is `parent`. */
  | {
      readonly type: 'land';
      readonly storyId: string;
      readonly commit: string;
      readonly parent: string;
      readonly source: { readonly taskId: string; readonly artifactId: string | null };
    }
  | { readonly type: 'event'; readonly event: RunEventType; readonly data: Readonly<Record<string, unknown>> };
