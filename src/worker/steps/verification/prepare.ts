// The step prepare: resolves the base, finds gates and set-up, and runs them there before any agent begins. runs-8.
import { join } from 'node:path';
import type { PrepareResultWire, StepGateWire } from '../../../contracts/step.ts';
import { openBaselineStore } from '../../gates/baseline-store.ts';
import { detectGates, pinScripts } from '../../gates/detection/detect-gates.ts';
import { pinFiles } from '../../gates/protection/pin-files.ts';
import { openCommitFiles, type CommitFiles } from '../../gates/repository-files.ts';
import { copyIndex } from '../../workspace/git/index-copy.ts';
import { openGateMachine } from './gate-machine.ts';
import { installDependencies, placeOf } from './install-dependencies.ts';
import { fetchStepCommits } from '../commits/step-commits.ts';
import { openStepTree } from '../open-step-tree.ts';
import { checkJobs, gateJobs, runGates } from './run-gates.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';

async function findCommit({ git, repository }: StepContext, revision: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, stdout } = await git.run(args, { cwd: repository.root, expect: [0, 1, 128] });
  const [commit] = stdout.toString().trim().split('\n').toReversed();
  return code === 0 && commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/** The tip of the run's branch where the run continues it, else what the caller named. @throws StepError */
async function resolveBase(context: StepContext, tip: string | undefined): Promise<string> {
  const { origin, step } = context;
  const { base, branch_policy: policy } = step;
  if (tip !== undefined && policy === 'continue') return step.head === null ? tip : newer(context, tip, step.head);
  // A clone of the worker has no files of a user: its origin's branches count.
  const remote =
    origin === undefined || base === '' ? undefined : await findCommit(context, `refs/remotes/origin/${base}`);
  const found =
    remote ?? (base === '' && origin !== undefined ? origin.commit : await findCommit(context, base || 'HEAD'));
  if (found !== undefined) return found;
  const message =
    base === ''
      ? `The repository ${context.repository.root} has no commit yet. Commit something first.`
      : `The base ${JSON.stringify(base)} names no commit of ${context.repository.root}.`;
  throw new StepError('base_not_found', message);
}

/**
 * The one of both that contains the other: the branch of a retry may have got further commits, or be behind on this worker.
 * @throws StepError `branch_moved` where each has commits that the other lacks
 */
async function newer(context: StepContext, tip: string, head: string): Promise<string> {
  const { git, repository, step } = context;
  const contains = async (commit: string, other: string): Promise<boolean> => {
    const ask = ['merge-base', '--is-ancestor', other, commit];
    return (await git.run(ask, { cwd: repository.root, expect: [0, 1] })).code === 0;
  };
  if (await contains(tip, head)) return tip;
  if (await contains(head, tip)) return head;
  const message = `The branch ${step.branch} is at ${tip}, which lacks commits of the run that is retried (${head}).`;
  const remedy = 'Merge them, or rename the branch and retry again.';
  throw new StepError('branch_moved', `${message} ${remedy}`);
}

/** Whether the user's folder has changes that no commit has. */
async function isDirty({ git, repository, folder, origin }: StepContext): Promise<boolean> {
  if (origin !== undefined) return false;
  const { root, gitDir, commonDir } = repository;
  const index = join(folder.path, 'status-index');
  await copyIndex(join(gitDir, 'index'), index);
  const excludes = `core.excludesFile=${join(commonDir, 'info/exclude')}`;
  const status = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all'];
  const own = ':(exclude,top,glob)**/.switchyard/**';
  const call = { cwd: root, env: { GIT_INDEX_FILE: index } };
  return (await git.run(['-c', excludes, ...status, '--', ':/', own], call)).stdout.length > 0;
}

/** Whether a gate looks as if it ran tests: types and lint have no number of them. */
function runsTests(command: string, gate: StepGateWire | undefined): boolean {
  return [gate?.id ?? '', command, gate?.script ?? ''].some((text) => /test|spec\b|jest|mocha|\bava\b/i.test(text));
}

interface Plan {
  readonly gates: readonly StepGateWire[];
  readonly setup: readonly string[];
}

/** Declared gates and set-up win over those that are found. */
async function planGates({ step }: StepContext, files: CommitFiles): Promise<Plan> {
  const found = await detectGates(files);
  return {
    gates: step.gates === null ? found.gates : await pinScripts(step.gates, files),
    setup: step.setup ?? found.setup,
  };
}

type Baseline = Pick<PrepareResultWire, 'baseline' | 'checks_before' | 'notes'>;

async function runBaseline(context: StepContext, commit: string, { gates, setup }: Plan): Promise<Baseline> {
  const { step } = context;
  if (gates.length + setup.length + step.checks.length === 0) {
    return { baseline: [], checks_before: [], notes: ['No gates were found in the repository.'] };
  }
  const machine = await openGateMachine(context);
  await using tree = await openStepTree(context, { commit, copy: step.copy, name: 'base' });
  const { home } = await installDependencies(context, machine, { tree, commit, setup });
  const green = await runGates(context, machine, { tree, home, jobs: gateJobs(gates, context), again: true });
  const results = green.map(({ result }) => result);
  const store = openBaselineStore(context.stateDir);
  for (const { command, passed } of results) await store.keep({ commit, command, setup }, passed);
  const checks = await runGates(context, machine, { tree, home, jobs: checkJobs(step, context), again: false });
  const uncounted = results.filter(
    ({ passed, counts, command }, at) => passed && counts === undefined && runsTests(command, gates[at]),
  );
  const notes = [
    ...(machine.confinement.kind === 'unconfined' ? ['Gates run without confinement on this worker.'] : []),
    ...results
      .filter(({ flaky }) => flaky)
      .map(({ command }) => `${command} passed at the base in its second run only.`),
    ...uncounted.map(({ command }) => `The output of ${command} shows no number of tests.`),
  ];
  const before = step.checks.map((check, at) => ({ ...check, passed: checks[at]?.result.passed === true }));
  return { baseline: results, checks_before: before, notes };
}

/**
 * @returns the answer of the step; where the branch is there and may not be continued, nothing has run
 * @throws StepError `base_not_found`, `branch_moved`, `setup_failed`, `gates_off`; BundleError; WorkspaceError; the reason of the context's signal
 */
export async function runPrepare(context: StepContext): Promise<PrepareResultWire> {
  const { step } = context;
  if (step.head !== null) await fetchStepCommits(context, [step.head]);
  const tip = await findCommit(context, `refs/heads/${step.branch}`);
  const commit = await resolveBase(context, tip);
  const facts = {
    kind: 'prepare',
    base_commit: commit,
    branch_exists: tip !== undefined,
    branch_commit: tip ?? null,
    dirty: await isDirty(context),
  } as const;
  if (tip !== undefined && step.branch_policy === 'new') {
    return { ...facts, gates: [], setup: [], hashes: {}, baseline: [], checks_before: [], notes: [] };
  }
  const files = await openCommitFiles(placeOf(context), commit);
  const plan = await planGates(context, files);
  const hashes = await pinFiles(files, plan.gates);
  const { gates, setup } = plan;
  return { ...facts, gates: [...gates], setup: [...setup], hashes, ...(await runBaseline(context, commit, plan)) };
}
