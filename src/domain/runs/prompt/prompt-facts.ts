// The facts from which the prompts of a story's steps are made.
import type { CriterionTie } from '../../prd/criterion-rules.ts';
import type { PrdRun, RunLearning, RunStory, StoryAttempt } from '../../model/run/run.ts';

export interface PromptFacts {
  readonly run: PrdRun;
  readonly story: RunStory;
  readonly stories: readonly RunStory[];
  /** The evidence that each criterion of the story needs. */
  readonly ties: readonly CriterionTie[];
  /** All learnings of the run, oldest first. */
  readonly learnings: readonly RunLearning[];
  /** All attempts at the story, oldest first. */
  readonly attempts: readonly StoryAttempt[];
  /** The attempt that the step belongs to, from 1. */
  readonly n: number;
}

/** Most characters of a prompt. runs-9. */
export const maxPromptChars = 60_000;
