// What the prompts of a story's steps are made from.
import type { PrdRun, RunLearning, RunStory, StoryAttempt } from '../../model/run/run.ts';

/** How one criterion of the story is shown. */
export type CriterionCheck =
  | { readonly by: 'gate'; readonly gateId: string }
  | { readonly by: 'check'; readonly command: string }
  | { readonly by: 'judge' };

export interface PromptFacts {
  readonly run: PrdRun;
  readonly story: RunStory;
  readonly stories: readonly RunStory[];
  /** One for each criterion of the story. */
  readonly checks: readonly CriterionCheck[];
  /** Of the run, oldest first. */
  readonly learnings: readonly RunLearning[];
  /** Of the story, oldest first. */
  readonly attempts: readonly StoryAttempt[];
  /** The attempt that the step belongs to, from 1. */
  readonly n: number;
}

/** Most characters of a prompt. runs-9. */
export const maxPromptChars = 60_000;
