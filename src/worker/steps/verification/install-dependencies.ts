// Gives a working tree its dependencies: from the cache, which set-up fills in a clean tree of the base. runs-10.
import { join } from 'node:path';
import { dependencyKey, openDependencyCache, type Dependencies } from '../../gates/dependency-cache.ts';
import { listMadeFiles } from '../../gates/made-files.ts';
import { isDependencyLock } from '../../gates/protection/gate-configuration.ts';
import { openCommitFiles, type CommitFiles } from '../../gates/repository-files.ts';
import { runGateCommand, type GateMachine, type GateRun } from '../../gates/run-gate.ts';
import { textHead, textTail } from '../../process/text.ts';
import { openStepTree, type StepTree } from '../open-step-tree.ts';
import { openGateMachine } from './gate-machine.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';

interface SetupFailure {
  readonly command: string;
  readonly run: GateRun;
}

interface Installed extends Dependencies {
  /** Undefined: every command succeeded. */
  readonly failure: SetupFailure | undefined;
}

const shownChars = 4_000;
const headBytes = 1_000;
const manifests = /(^|\/)(package\.json|pyproject\.toml|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?)$/;

/** Lockfiles decide what is installed; manifests do where there is no lockfile. */
async function readLocks(files: CommitFiles): Promise<Record<string, string>> {
  const paths = [...files.entries.keys()].filter((path) => !path.includes('node_modules/'));
  const locks = paths.filter(isDependencyLock);
  const decisive = locks.length > 0 ? locks : paths.filter((path) => manifests.test(path));
  return Object.fromEntries(decisive.map((path) => [path, files.entries.get(path)?.id ?? '']));
}

/** Runs set-up in a tree. The candidate's own commands never take part: they are those of the run's base. */
export async function setUpTree(
  context: StepContext,
  machine: GateMachine,
  { tree, setup }: { tree: StepTree; setup: readonly string[] },
): Promise<Installed> {
  const tracked = new Set((await openCommitFiles(placeOf(context), tree.commit)).entries.keys());
  const home = join(context.folder.path, `home-${tree.commit}`);
  for (const [at, command] of setup.entries()) {
    await context.emit({ type: 'progress', message: `Set-up: ${command}` });
    const run = await runGateCommand(machine, {
      command,
      path: tree.path,
      gitFolders: tree.gitFolders,
      timeoutMs: context.gates.timeoutMs,
      network: context.gates.setupNetwork,
      home: at === 0 ? undefined : home,
      keepHome: home,
      preload: false,
    });
    if (run.exitCode !== 0) return { paths: [], home: undefined, failure: { command, run } };
  }
  return { paths: await listMadeFiles(tree.path, tracked), home, failure: undefined };
}

/** The place in which git reads the repository's objects. */
export function placeOf({ git, repository }: Pick<StepContext, 'git' | 'repository'>): {
  git: StepContext['git'];
  root: string;
} {
  return { git, root: repository.root };
}

/**
 * Copies into a tree what set-up installs at a commit of the run, which is run there first where this worker has not.
 * @param commit the base whose lockfiles count
 * @throws StepError `setup_failed` with the command and the end of its output
 */
export async function installDependencies(
  context: StepContext,
  machine: GateMachine,
  { tree, commit, setup }: { tree: StepTree; commit: string; setup: readonly string[] },
): Promise<Dependencies> {
  if (setup.length === 0) return { paths: [], home: undefined };
  const cache = openDependencyCache(context.stateDir);
  const key = dependencyKey(await readLocks(await openCommitFiles(placeOf(context), commit)), setup);
  const kept = await cache.restore(key, tree.path, context.signal);
  if (kept !== undefined) return kept;
  await using base = await openStepTree(context, { commit, copy: context.step.copy, name: 'setup' });
  const { paths, home, failure } = await setUpTree(context, machine, { tree: base, setup });
  if (failure !== undefined) throw new StepError('setup_failed', describeFailure(failure));
  await cache.fill(key, { tree: base.path, paths, home: home ?? '' }, context.signal);
  const filled = await cache.restore(key, tree.path, context.signal);
  if (filled === undefined)
    throw new StepError('setup_failed', 'What set-up installed could not be kept. Retry the step.');
  return filled;
}

export function describeFailure({ command, run }: SetupFailure): string {
  const how = run.timedOut ? 'reached its time limit' : `exit ${run.exitCode ?? 'by a signal'}`;
  return `Set-up failed: ${command}: ${how}\n${shownOutput(run.output)}`;
}

/** The last lines; before them the first ones of a long output, where npm prints the reason before its usage. */
function shownOutput(output: string): string {
  if (output.length <= shownChars) return output;
  return `${textHead(output, headBytes)}\n…\n${textTail(output, shownChars - headBytes)}`;
}

/**
 * Installs what a tree's own commit demands, for an agent that works there.
 * @returns the paths that were installed
 * @throws as `installDependencies`
 */
export async function setUpForAgent(context: StepContext, tree: StepTree): Promise<readonly string[]> {
  const setup = context.step.setup ?? [];
  if (setup.length === 0) return [];
  const machine = await openGateMachine(context);
  return (await installDependencies(context, machine, { tree, commit: tree.commit, setup })).paths;
}
