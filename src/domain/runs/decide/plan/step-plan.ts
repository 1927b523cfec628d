// The plan of a step from what all steps of its story share.
import type { StepPlan } from '../../../model/run/effect.ts';
import type { StoryAttempt } from '../../../model/run/run.ts';

/** A plan with the members that its kind uses; the others are empty. */
export function planStep(
  given: Pick<StepPlan, 'kind' | 'storyId' | 'n' | 'try' | 'base'> & Partial<StepPlan>,
): StepPlan {
  return {
    candidate: null,
    head: null,
    agent: null,
    model: null,
    targetWorkerId: null,
    infraTries: 0,
    criteria: [],
    oldHead: null,
    last: false,
    ...given,
  };
}

export function planForAttempt(attempt: StoryAttempt, given: Pick<StepPlan, 'kind'> & Partial<StepPlan>): StepPlan {
  const { storyId, n, baseCommit } = attempt;
  return planStep({ storyId, n, try: attempt.try, base: baseCommit, ...given });
}
