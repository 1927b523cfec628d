// The step `land`: merges a candidate on the run's present head, verifies the merged tree and makes the story's commit.
import type { LandResultWire } from '../../../contracts/step.ts';
import { mergeCandidate } from './merge-candidate.ts';
import { isSamePatch } from './patch-id.ts';
import { withProgress } from './with-progress.ts';
import { openStepTree } from '../open-step-tree.ts';
import { stepChanges } from './step-changes.ts';
import { fetchStepCommits, keepStepCommit } from './step-commits.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';
import type { StepEnding } from './step-ending.ts';
import { writeCommit, writeStoryCommit } from '../story-commit.ts';

/** Gates, checks and protection of a commit compared with the one below it. */
export type Verify = (
  context: StepContext,
  commits: { readonly base: string; readonly candidate: string; readonly gated: string },
) => Promise<
  Pick<LandResultWire, 'results' | 'code' | 'environment_differs'> & { readonly verdict: 'ok' | 'rejected' }
>;

/**
 * The verdict is `conflict` with the files, `rejected` with the code of the gates, or `ok` with the commit.
 * Artifacts: `bundle` (head..commit), `diff`, `files`.
 * @throws StepError `bad_step`, `setup_failed`; BundleError; WorkspaceError
 */
export async function runLand(context: StepContext, verify: Verify): Promise<StepEnding> {
  const { step } = context;
  const { head, candidate } = step;
  if (head === null || candidate === null) {
    throw new StepError('bad_step', 'The step lands a candidate on a head, and one of them is not named.');
  }
  await fetchStepCommits(context, [head, candidate, step.base]);
  const { conflicts, tree: mergedTree } = await merge(context, head, candidate);
  const none = {
    kind: 'land',
    parent: head,
    commit: null,
    tree: mergedTree,
    results: [],
    conflicts: [],
    environment_differs: [],
    same_patch: false,
    code: null,
  } satisfies Omit<LandResultWire, 'verdict'>;
  if (mergedTree === null) {
    return { result: { ...none, conflicts: conflicts.map((path) => ({ path })), verdict: 'conflict' } };
  }
  const message = `Merged candidate of ${step.story_id ?? 'the run'}\n`;
  const commitTree = (tree: string): Promise<string> =>
    writeCommit(context, { tree, parent: head, message, createdAt: step.created_at });
  const merged = await commitTree(mergedTree);
  const tree = await withProgress(context, mergedTree);
  const gated = tree === mergedTree ? merged : await commitTree(tree);
  const { results, verdict, code, environment_differs } = await verify(context, {
    base: head,
    candidate: merged,
    gated,
  });
  if (verdict === 'rejected') return { result: { ...none, results, environment_differs, verdict, code } };
  const commit = await writeStoryCommit(context, { tree, parent: head, results });
  await keepStepCommit(context, { commit, base: head });
  const { artifacts } = await stepChanges(context, `${head}^{tree}`, tree);
  const own = { base: step.base, commit: candidate };
  const same_patch = await isSamePatch(context, own, { base: head, commit: merged });
  return { result: { ...none, commit, tree, results, same_patch, verdict, code }, artifacts };
}

async function merge(context: StepContext, head: string, candidate: string): ReturnType<typeof mergeCandidate> {
  await using tree = await openStepTree(context, { commit: head, name: 'merge' });
  return await mergeCandidate(context, tree, candidate);
}
