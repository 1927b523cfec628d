// The step `publish`: moves the run's branch to its head, the only step that touches a branch of the user. runs-9, runs-12.
import { plainText } from '../../../lib/text/plain-text.ts';
import { checkedOut } from '../../workspace/git/linked-worktree.ts';
import { findCommit } from '../../workspace/task-branch.ts';
import { stepChanges } from './step-changes.ts';
import { fetchStepCommits, keepStepCommit } from './step-commits.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';
import type { StepEnding } from './step-ending.ts';

/**
 * Moves `refs/heads/<branch>` from `old_head` to `head`, only where it stands there and no working tree has it checked
 * out; pushes it to the origin of a worker's clone where the operator allows that. The last one of a run leaves the
 * bundle and the diff of all its commits, and fast-forwards `merge_into` where nobody else uses it.
 * @throws StepError `bad_step`; BundleError; WorkspaceError, `clone_failed` when the push is refused
 */
export async function runPublish(context: StepContext): Promise<StepEnding> {
  const { origin, git, repository, step } = context;
  const { branch, head, old_head: from } = step;
  if (head === null) throw new StepError('bad_step', 'The step publishes a head that is not named.');
  await fetchStepCommits(context, [head, ...(step.last ? [step.run_base] : [])]);
  await requireBranchName(context, branch);
  const { skipped, old } = await moveBranch(context, { branch, from, to: head });
  const moved = skipped === null;
  if (moved && origin?.push !== undefined) await origin.push(git, head, branch);
  const artifacts = step.last ? await leaveWhole(context, head) : [];
  const merge_note = step.last && moved ? await mergeInto(context, head) : null;
  const pushed = moved && origin?.push !== undefined ? plainText(origin.url) : null;
  const result = { kind: 'publish', branch, old, new: head, pushed, skipped, merge_note } as const;
  if (moved) await context.emit({ type: 'progress', message: `${branch} is at ${head} in ${repository.root}.` });
  return { result, artifacts };
}

async function requireBranchName({ git, repository }: StepContext, branch: string): Promise<void> {
  const check = ['check-ref-format', `refs/heads/${branch}`];
  const { code } = await git.run(check, { cwd: repository.root, expect: [0, 1, 129] });
  if (code === 0 && !branch.startsWith('-')) return;
  throw new StepError('bad_step', 'The name of the branch is not one that git accepts.');
}

interface Move {
  readonly branch: string;
  /** Null: the branch must not exist yet. */
  readonly from: string | null;
  readonly to: string;
}

interface Moved {
  /** Why the branch was left alone; null: it stands at `to`. */
  readonly skipped: 'checked_out' | 'moved' | null;
  /** Its commit; null: it did not exist. */
  readonly old: string | null;
}

async function moveBranch(context: StepContext, { branch, from, to }: Move): Promise<Moved> {
  const { git, repository } = context;
  const { root, commonDir } = repository;
  const ref = `refs/heads/${branch}`;
  const now = (await findCommit({ git, root }, ref)) ?? null;
  // A repeated step finds its own work.
  if (now === to) return { skipped: null, old: from };
  if (now !== from) return { skipped: 'moved', old: now };
  if ((await checkedOut(commonDir)).has(ref)) return { skipped: 'checked_out', old: now };
  const update = ['update-ref', '--no-deref', ref, to, from ?? '0'.repeat(to.length)];
  const { code, stderr } = await git.run(update, { cwd: root, expect: [0, 1, 128] });
  if (code === 0) return { skipped: null, old: now };
  const moved = (await findCommit({ git, root }, ref)) ?? null;
  if (moved !== now) return { skipped: 'moved', old: moved };
  throw new StepError('branch_unusable', `The branch ${branch} could not be moved: ${plainText(stderr)}`);
}

/** The whole run as one bundle and one diff, which outlive the tasks of its stories. */
async function leaveWhole(
  context: StepContext,
  head: string,
): Promise<Awaited<ReturnType<typeof stepChanges>>['artifacts']> {
  const { run_base: base } = context.step;
  if (base === head) return [];
  await keepStepCommit(context, { commit: head, base });
  return (await stepChanges(context, `${base}^{tree}`, `${head}^{tree}`)).artifacts;
}

/** @returns how to merge by hand, where the branch was not fast-forwarded; null: it was, or none was asked for */
async function mergeInto(context: StepContext, head: string): Promise<string | null> {
  const { git, repository, step } = context;
  const { branch, merge_into: into, run_base: base } = step;
  if (into === null || base === head) return null;
  await requireBranchName(context, into);
  const byHand = `Merge it by hand: git checkout ${into} && git merge ${branch}`;
  const now = await findCommit({ git, root: repository.root }, `refs/heads/${into}`);
  if (now === undefined) return `There is no branch ${into}. ${byHand}`;
  const { skipped } = await moveBranch(context, { branch: into, from: base, to: head });
  if (skipped === null) return null;
  const why = skipped === 'checked_out' ? 'is checked out' : 'does not stand at the base of the run any more';
  return `${into} ${why}. ${byHand}`;
}
