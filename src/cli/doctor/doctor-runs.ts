// Checks of `doctor` and `worker doctor` for runs: which codebases can serve one, with which gates and agents. runs-6.4.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGitUrl } from '../../lib/text/git-url.ts';
import { commandAgent } from '../../worker/agents/programs/command.ts';
import { AgentMissing, detectAgents } from '../../worker/agents/detect.ts';
import { detectGates, type DetectedGates } from '../../worker/gates/detection/detect-gates.ts';
import { findConfinement } from '../../worker/gates/find-confinement.ts';
import { openCommitFiles } from '../../worker/gates/repository-files.ts';
import { withoutCredentials } from '../../worker/process/environment.ts';
import { loadSettings, type CodebaseSetting, type WorkerSettings } from '../../worker/settings/settings.ts';
import { SettingsError } from '../../worker/settings/settings-error.ts';
import { createGit, type Git } from '../../worker/workspace/git/git.ts';
import { openIsolatedGit } from '../../worker/workspace/git/isolated-git.ts';
import { findHeadCommit, inspectFolder, type Repository } from '../../worker/workspace/git/repository.ts';
import { WorkspaceError } from '../../worker/workspace/git/workspace-error.ts';
import { ok, warn, type Check } from '../core/doctor-check.ts';
import type { CliIo } from '../core/io.ts';
import { workerSources } from '../flags/worker-flags.ts';

const deadlineMs = 20_000;

/**
 * One result per codebase of a worker with these settings.
 * @param fallback the agent of a worker that finds none
 */
export async function checkRuns(
  io: Pick<CliIo, 'env' | 'fetch'>,
  settings: WorkerSettings,
  fallback?: string,
): Promise<Check[]> {
  // `global` is another folder on each worker.
  const codebases = settings.codebases.filter(({ codebase_id: id }) => id !== 'global');
  if (codebases.length === 0) {
    const remedy = 'Name the folder of a repository (--codebase) to have runs on it.';
    return [{ ...ok('runs', 'no codebase for runs: global cannot serve one'), remedy }];
  }
  const git = createGit({ env: withoutCredentials({ env: io.env, passEnv: settings.agentEnv }), deadlineMs });
  const found = await findMachine(io, settings);
  const machine = found.agents.length === 0 && fallback !== undefined ? { ...found, agents: [fallback] } : found;
  return Promise.all(codebases.map((codebase) => checkCodebaseForRuns(git, codebase, machine)));
}

/** The folder that `up` would serve from here. */
export async function checkRunsHere(io: CliIo): Promise<Check[]> {
  // A worker needs both to start; a look at its folder needs neither.
  const { SWITCHYARD_TOKEN_FILE: _, ...rest } = io.env;
  const env = { ...rest, A2A_SERVER_URL: 'http://127.0.0.1', SWITCHYARD_TOKEN: 'none' };
  try {
    const { settings, shown } = await loadSettings(workerSources({ ...io, env }, { codebase: [io.cwd] }));
    const isForbidden = shown.some(({ name, origin }) => name === 'allow_command' && origin !== 'default');
    // `up` enables it where it finds no other agent.
    return await checkRuns(io, settings, isForbidden ? undefined : commandAgent.name);
  } catch (error) {
    // The check of the agents reports the setting.
    if (error instanceof SettingsError) return [];
    throw error;
  }
}

/** The abilities of the machine that every run on it shares. */
interface RunMachine {
  readonly agents: readonly string[];
  /** Undefined: no gates run here. */
  readonly confinement: 'confined' | 'unconfined' | undefined;
  readonly gateMode: WorkerSettings['gates']['mode'];
}

async function findMachine(io: Pick<CliIo, 'env' | 'fetch'>, settings: WorkerSettings): Promise<RunMachine> {
  const { agentBin, allowCommand, gates } = settings;
  const model = settings.model && { settings: settings.model, fetch: io.fetch };
  const found = await detectAgents({ agentBin, env: io.env, allowCommand, model }).catch((error: unknown) => {
    if (error instanceof AgentMissing) return [];
    throw error;
  });
  const agents = found.map(({ name }) => name);
  const offersPrograms = found.some(({ version }) => version !== undefined);
  const confinement = await findConfinement(gates.mode, { env: io.env, offersPrograms });
  return { agents, confinement: confinement?.kind, gateMode: gates.mode };
}

async function checkCodebaseForRuns(git: Git, { name, path }: CodebaseSetting, machine: RunMachine): Promise<Check> {
  const title = `runs ${name}`;
  if (isGitUrl(path)) return assess(title, machine, 'its gates are found after the clone');
  try {
    const folder = await inspectFolder(git, path);
    const detected = folder.kind === 'git' ? await detectAtHead(git, folder) : undefined;
    if (detected !== undefined) return assess(title, machine, describeGates(detected));
    const found = folder.kind === 'git' ? 'no run: the repository has no commit' : 'no run: it is no git repository';
    const remedy = 'A run needs a commit to start from: git init, git add, git commit.';
    return { ...ok(title, found), remedy };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return warn(title, `no run: ${error.message}`, 'Fix it, or remove the codebase from the settings.');
  }
}

function assess(title: string, { agents, confinement, gateMode }: RunMachine, gates: string): Check {
  if (confinement === undefined) {
    const isOff = gateMode === 'off';
    const why = isOff ? 'A2A_WORKER_GATES is off' : 'bubblewrap (bwrap) does not work here';
    const remedy = `${isOff ? 'Unset it' : 'Install it'}, or set A2A_WORKER_GATES=unconfined where that is accepted.`;
    return warn(title, `no run: ${why}; ${gates}`, remedy);
  }
  if (agents.length === 0) {
    return warn(title, `no run: no agent; ${gates}`, 'Install an agent program, or set MODEL_PROVIDER_ENDPOINT.');
  }
  const how = confinement === 'confined' ? 'confined by bubblewrap' : 'unconfined';
  return ok(title, `can serve a run: ${gates}, ${how}; ${describeAgents(agents)}`);
}

function describeAgents(agents: readonly string[]): string {
  const reviewers = agents.filter((agent) => agent !== commandAgent.name);
  const implement = agents.length === 1 ? 'implements' : 'implement';
  if (reviewers.length === 0) {
    return `${agents.join(', ')} ${implement}; no agent reviews, so a run asks about each criterion without a command`;
  }
  const isSame = reviewers.length === agents.length;
  const review = `${isSame ? '' : `${reviewers.join(', ')} `}${reviewers.length === 1 ? 'reviews' : 'review'}`;
  return `${agents.join(', ')} ${implement}${isSame ? ' and ' : '; '}${review}`;
}

/** @returns undefined before the first commit */
async function detectAtHead(git: Git, repository: Repository): Promise<DetectedGates | undefined> {
  const { root } = repository;
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-doctor-'));
  try {
    const isolated = await openIsolatedGit(git, repository, { folder: join(folder, 'git'), stateDir: folder });
    const head = await findHeadCommit(isolated.git, root);
    if (head === undefined) return undefined;
    return await detectGates(await openCommitFiles({ git: isolated.git, root }, head));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function describeGates({ gates, setup }: DetectedGates): string {
  const list = gates.map(({ id, command }) => `${id} \`${command}\``).join(', ');
  const found = list === '' ? 'no gates found (a PRD may declare them)' : `gates ${list}`;
  return setup.length === 0 ? found : `${found}, set-up ${setup.map((line) => `\`${line}\``).join(', ')}`;
}
