// Gates, checks and protection on a candidate: what check and land demand before they make a commit. runs-10.
import type { CheckResultWire, StepGateWire } from '../../../contracts/step.ts';
import type { GateMachine } from '../../gates/run-gate.ts';
import { judgeProtection, type Protection } from '../../gates/protection/protected-files.ts';
import { openCommitFiles } from '../../gates/repository-files.ts';
import { watchFiles } from '../../gates/protection/watch-files.ts';
import { runBaseTests } from './base-tests.ts';
import { findEnvironmentDifferences } from './environment-differs.ts';
import { openGateMachine } from './gate-machine.ts';
import { describeFailure, installDependencies, placeOf, setUpTree } from './install-dependencies.ts';
import { openStepTree, type StepTree } from '../open-step-tree.ts';
import { checkJobs, gateJobs, runGates, type GateOutcome } from './run-gates.ts';
import type { StepContext } from '../step-context.ts';

/** The answer of check without the commit, which is made afterwards. */
export type Verification = Omit<CheckResultWire, 'kind' | 'commit'>;

export interface CandidateOnBase {
  /** The commit to verify. Equal to `base`: nothing was changed, and the checks alone count. */
  readonly candidate: string;
  /** The commit that it was made on, from whose lockfiles dependencies come. */
  readonly base: string;
  /** The commit that the gates run on: the candidate, perhaps with files that the service adds. */
  readonly gated: string;
}

interface Installation {
  readonly paths: readonly string[];
  readonly home: string | undefined;
  /** The set-up of changed lockfiles, where it failed: the candidate's own fault. */
  readonly failed: GateOutcome | undefined;
}

/** From the base's lockfile; where the candidate changed a lockfile as it may, by set-up in its own tree. */
export async function installFor(
  context: StepContext,
  machine: GateMachine,
  { tree, base, lockChanged }: { tree: StepTree; base: string; lockChanged: boolean },
): Promise<Installation> {
  const setup = context.step.setup ?? [];
  if (!lockChanged) {
    return { ...(await installDependencies(context, machine, { tree, commit: base, setup })), failed: undefined };
  }
  const { paths, home, failure } = await setUpTree(context, machine, { tree, setup });
  if (failure === undefined) return { paths, home, failed: undefined };
  const { command, run } = failure;
  const result = {
    gate_id: 'setup',
    criterion: null,
    command,
    exit_code: run.exitCode,
    passed: false,
    flaky: false,
    timed_out: run.timedOut,
    seconds: run.seconds,
    tail: describeFailure(failure),
  };
  return { paths, home, failed: { result, failedTests: [] } };
}

interface GatedTree {
  readonly outcomes: readonly GateOutcome[];
  readonly changedFiles: readonly string[];
}

async function runInCandidate(
  context: StepContext,
  machine: GateMachine,
  { gated, base, lockChanged }: CandidateOnBase & { lockChanged: boolean },
): Promise<GatedTree> {
  const { step } = context;
  await using tree = await openStepTree(context, { commit: gated, copy: step.copy, name: 'candidate' });
  const { paths, home, failed } = await installFor(context, machine, { tree, base, lockChanged });
  if (failed !== undefined) return { outcomes: [failed], changedFiles: [] };
  const tracked = new Set((await openCommitFiles(placeOf(context), gated)).entries.keys());
  const { git } = context;
  const watch = await watchFiles({ path: tree.path, git, env: tree.env, tracked, dependencies: paths });
  const jobs = [...gateJobs(step.gates ?? [], context), ...checkJobs(step, context)];
  const outcomes = await runGates(context, machine, { tree, home, jobs, again: true });
  return { outcomes, changedFiles: await watch.findChanges() };
}

/** Executed tests of a required gate that are fewer than at the base; null: of none. */
function findFewerTests({ step }: StepContext, outcomes: readonly GateOutcome[]): CheckResultWire['fewer_tests'] {
  const required = new Set((step.gates ?? []).filter((gate) => gate.required).map(({ id }) => id));
  for (const { result } of outcomes) {
    if (result.gate_id === null || !required.has(result.gate_id)) continue;
    const known = step.baseline.find(({ gate_id: gate }) => gate === result.gate_id)?.counts;
    if (known === undefined) continue;
    const before = known.passed + known.failed;
    const now = result.counts === undefined ? 0 : result.counts.passed + result.counts.failed;
    if (now < before) return { before, now };
  }
  return null;
}

function failedGates(outcomes: readonly GateOutcome[], gates: readonly StepGateWire[]): StepGateWire[] {
  const red = new Set(outcomes.filter(({ result }) => !result.passed).map(({ result }) => result.gate_id));
  return gates.filter(({ id, required }) => required && red.has(id));
}

function rejection(code: string): Pick<Verification, 'verdict' | 'code'> {
  return { verdict: 'rejected', code };
}

/** The part of an answer that lists the changes, before anything ran. */
function describeProtection(protection: Protection, tree: string): Verification {
  return {
    tree,
    results: [],
    protected: [...protection.files],
    protected_diff: protection.diff,
    failing_base_tests: [],
    fewer_tests: null,
    suppressions: [...protection.suppressions],
    no_change: protection.noChange,
    environment_differs: [],
    verdict: 'ok',
    code: null,
  };
}

/** The findings about a candidate whose gates and checks are green. */
async function judgeGreen(
  context: StepContext,
  machine: GateMachine,
  { candidate, base, protection, tree }: Omit<CandidateOnBase, 'gated'> & { protection: Protection; tree: GatedTree },
): Promise<Partial<Verification>> {
  if (tree.changedFiles.length > 0) {
    return {
      ...rejection('files_changed'),
      suppressions: [
        ...protection.suppressions,
        ...tree.changedFiles.map((path) => `${path} changed while the gates ran`),
      ],
    };
  }
  const { changedTests, lockChanged, explainsFewerTests } = protection;
  if (changedTests.length > 0) {
    const failing = await runBaseTests(context, machine, { candidate, base, changedTests, lockChanged });
    if (failing.length > 0) {
      const changed = new Set(changedTests.map(({ path }) => path));
      const files = protection.files.map((file) =>
        changed.has(file.path) ? { ...file, verdict: 'tests_changed' as const } : file,
      );
      return { ...rejection('tests_changed'), protected: files, failing_base_tests: failing };
    }
  }
  const fewer = explainsFewerTests ? null : findFewerTests(context, tree.outcomes);
  if (fewer !== null) return { ...rejection('fewer_tests'), fewer_tests: fewer };
  return context.step.strict && protection.suppressions.length > 0 ? rejection('suppressed') : {};
}

/**
 * Verifies a candidate in a clean checkout. Nothing of the work place of an agent takes part.
 * @throws StepError `setup_failed`, `gates_off`; WorkspaceError; the reason of the context's signal
 */
export async function verifyCandidate(
  context: StepContext,
  { candidate, base, gated }: CandidateOnBase,
): Promise<Verification> {
  const { step, git, repository } = context;
  const machine = await openGateMachine(context);
  const protection = await judgeProtection(placeOf(context), { base, candidate, rules: step });
  const tree = await git.line(['rev-parse', '--verify', `${gated}^{tree}`], { cwd: repository.root });
  const found = describeProtection(protection, tree);
  if (protection.files.some(({ verdict }) => verdict === 'gate_changed'))
    return { ...found, ...rejection('gate_changed') };
  const { lockChanged } = protection;
  const gatedTree = await runInCandidate(context, machine, { candidate, base, gated, lockChanged });
  const results = gatedTree.outcomes.map(({ result }) => result);
  const red = failedGates(gatedTree.outcomes, step.gates ?? []);
  const setupFailed = results.some(({ gate_id: gate, passed }) => gate === 'setup' && !passed);
  if (red.length > 0 || setupFailed) {
    const differs = await findEnvironmentDifferences(context, machine, red);
    return { ...found, results, environment_differs: differs, ...rejection('gate_failed') };
  }
  if (results.some(({ gate_id: gate, passed }) => gate === null && !passed)) {
    return { ...found, results, ...rejection(protection.noChange ? 'no_change' : 'check_failed') };
  }
  return {
    ...found,
    results,
    ...(await judgeGreen(context, machine, { candidate, base, protection, tree: gatedTree })),
  };
}
