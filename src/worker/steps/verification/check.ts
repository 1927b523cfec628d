// The step check: gates and checks on a candidate in a clean checkout, then the story's commit. runs-8.
import type { CheckResultWire } from '../../../contracts/step.ts';
import type { StepContext } from '../step-context.ts';
import { writeStoryCommit } from '../story-commit.ts';
import { verifyCandidate } from './verify.ts';

/**
 * @returns the answer of the step; its commit is null where the candidate is rejected or changes nothing
 * @throws as `verifyCandidate`, and StepError `bad_step`
 */
export async function runCheck(context: StepContext): Promise<CheckResultWire> {
  const { step } = context;
  const verified = await verifyCandidate(context, { base: step.base, candidate: step.candidate ?? step.base });
  const isCommitted = verified.verdict === 'ok' && !verified.no_change;
  const { tree, results } = verified;
  const commit = isCommitted ? await writeStoryCommit(context, { tree, parent: step.base, results }) : null;
  return { kind: 'check', commit, ...verified };
}
