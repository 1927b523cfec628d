// The step check: gates and checks on a candidate in a clean checkout, then the story's commit. runs-8.
import type { CheckResultWire } from '../../../contracts/step.ts';
import type { StepContext } from '../step-context.ts';
import { writeCommit, writeStoryCommit } from '../story-commit.ts';
import { withProgress } from '../commits/with-progress.ts';
import { verifyCandidate } from './verify.ts';

/**
 * @returns the answer of the step; its commit is null where the candidate is rejected or changes nothing
 * @throws as `verifyCandidate`, and StepError `bad_step`
 */
export async function runCheck(context: StepContext): Promise<CheckResultWire> {
  const { step } = context;
  const candidate = step.candidate ?? step.base;
  const gated = await commitWithProgress(context, candidate);
  const verified = await verifyCandidate(context, { base: step.base, candidate, gated });
  const isCommitted = verified.verdict === 'ok' && !verified.no_change;
  const { tree, results } = verified;
  const commit = isCommitted ? await writeStoryCommit(context, { tree, parent: step.base, results }) : null;
  return { kind: 'check', commit, ...verified };
}

/** The candidate as it would land: the gates run on the files that the story's commit has. */
async function commitWithProgress(context: StepContext, candidate: string): Promise<string> {
  const { git, repository, step } = context;
  const trees = [candidate, step.base].map((commit) => `${commit}^{tree}`);
  const [tree = '', baseTree = ''] = (await git.line(['rev-parse', ...trees], { cwd: repository.root })).split('\n');
  const wanted = tree === baseTree ? tree : await withProgress(context, tree);
  if (wanted === tree) return candidate;
  const message = `Candidate of ${step.story_id ?? 'the run'} with progress.txt\n`;
  return writeCommit(context, { tree: wanted, parent: step.base, message, createdAt: step.created_at });
}
