// One attempt at a task on this machine: workspace, agent, output, verdict, changes. Nothing of it is left behind.
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { NewArtifact, WorkerTask } from '../../contracts/worker.ts';
import { AgentError, type AgentAdapter, type AgentUsage } from '../agents/adapter/adapter.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { priceUsage, type PriceTable } from '../agents/prices/prices.ts';
import { containAttempt, type Containment, type AttemptContainment } from '../process/containment.ts';
import { attemptTagVariable, withoutCredentials } from '../process/environment.ts';
import { OutputWriter } from '../process/output-writer.ts';
import { cleanText } from '../process/text.ts';
import { checkpointVariable } from '../agents/adapter/checkpoint-text.ts';
import { artifactsVariable, openArtifactFolder } from './artifact-folder.ts';
import { CheckpointFile } from './checkpoint-file.ts';
import { reportInAnswer, reportName } from './report-block.ts';
import { InterventionHandler, type AgentInterventions } from './intervention-handler.ts';
import { runTurns, type TurnsEnd } from './run-turns.ts';
import type { SessionFacts, TaskOutcome } from '../report/task-outcome.ts';
import { branchArtifact, changeArtifacts, maxDiffBytes } from '../workspace/artifacts.ts';
import { changesBetween, type FileChange } from '../workspace/changes.ts';
import type { ClonePolicy } from '../workspace/clone.ts';
import { createGit } from '../workspace/git/git.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { openAttemptFolder, type AttemptFolder } from '../workspace/attempt-folder.ts';
import type { WorkspaceBinding, Workspace } from '../workspace/workspace.ts';
import { isDiskFull, WorkspaceError } from '../workspace/git/workspace-error.ts';

export interface ExecuteOptions {
  /** Chosen by `chooseAgent`. */
  readonly agent: AgentAdapter;
  readonly binding: WorkspaceBinding;
  /** The worker's state folder: worktrees, private homes, locks. */
  readonly stateDir: string;
  /** Prices of models, for agents that report none. */
  readonly prices: PriceTable;
  /** Wall-clock limit of the agent. */
  readonly timeoutMs: number;
  /** Limit of the whole output, in bytes of UTF-8. */
  readonly maxOutputBytes: number;
  /** Finds and ends the processes of attempts. */
  readonly containment: Containment;
  /** Time between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /** How long an agent may wait for an unreachable model before the attempt fails. Default: 3 minutes. */
  readonly modelPatienceMs?: number;
  /** The repositories that may be cloned, and how. */
  readonly clones: ClonePolicy;
  /** Deadline of one git command. */
  readonly gitTimeoutMs: number;
  /** The worker's environment. */
  readonly env: NodeJS.ProcessEnv;
  /** `agent_env`: names of variables that are passed on although they would be withheld. */
  readonly passEnv: string[];
  readonly agentHome: 'user' | 'private';
  /** Resolves when the event is taken: a slow one slows the agent. */
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
  /** Interventions of people; without it there are none. */
  readonly interventions?: AgentInterventions;
  /** An earlier session of the agent to resume. */
  readonly session?: string | undefined;
  /** Total usage of that session, if known. */
  readonly sessionUsage?: AgentUsage | undefined;
  /** Called with the facts about the agent's session when the agent has ended. */
  readonly onSessionFacts?: (facts: SessionFacts) => void;
  /** Its reason is `cancelled`, `lease_lost` or `shutdown`. */
  readonly signal: AbortSignal;
}

/** How long an agent may wait for an unreachable model. */
export const defaultModelPatienceMs = 180_000;

/** A cancelled attempt ends as `cancelled`. After a lost lease or a shutdown the task is for another attempt. */
function abortedOutcome(signal: AbortSignal): TaskOutcome {
  return { status: signal.reason === 'cancelled' ? 'cancelled' : 'pending' };
}

function failedOutcome(error: unknown): TaskOutcome {
  if (isDiskFull(error)) {
    const message = "The worker's disk is full. Free some space, then retry the task.";
    return { status: 'failed', error: { code: 'disk_full', message } };
  }
  if (!(error instanceof WorkspaceError || error instanceof AgentError)) throw error;
  return { status: 'failed', error: { code: error.code, message: cleanText(error.message).slice(0, 20_000) } };
}

interface WorkspaceChanges {
  readonly changed: boolean;
  readonly files: FileChange[];
  readonly artifacts: NewArtifact[];
  /** The snapshot after the attempt; undefined when nothing changed, or it could not be taken. */
  readonly tree: string | undefined;
  readonly note: string | undefined;
  /** Set when the attempt cannot count as done, whatever its agent reports: its changes are unreachable. */
  readonly error: TaskOutcome['error'];
}

const noChanges: WorkspaceChanges = {
  changed: false,
  files: [],
  artifacts: [],
  tree: undefined,
  note: undefined,
  error: undefined,
};

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The error for changes that cannot be read or kept. The folder stays, and the message names it. */
async function unreachableChanges(
  workspace: Workspace,
  what: string,
  error: WorkspaceError,
): Promise<WorkspaceChanges> {
  const lost = !(await isThere(workspace.repository));
  const code = lost ? 'workspace_lost' : error.code;
  const why = lost ? `the repository ${workspace.repository} vanished while the agent worked` : error.message;
  const note = cleanText(`${what} (${why}). The files are in ${workspace.keepFolder()}.`);
  const hopeless = code === 'workspace_lost' || code === 'disk_full';
  return { ...noChanges, changed: true, note, error: hopeless ? { code, message: note.slice(0, 20_000) } : undefined };
}

/** The changes of an attempt. If the snapshot fails, the folder is kept, so that the user does not lose the work. */
async function collectChanges(workspace: Workspace): Promise<WorkspaceChanges> {
  if (workspace.snapshots === undefined) return { ...noChanges, changed: true };
  try {
    const tree = await workspace.snapshots.take();
    if (tree === workspace.before) return noChanges;
    const changes = await changesBetween(workspace.snapshots, workspace.before, tree, maxDiffBytes);
    return { ...noChanges, changed: true, files: changes.files, artifacts: changeArtifacts(changes), tree };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return unreachableChanges(workspace, 'The changes could not be read', error);
  }
}

/** Keeps the changes, unless the attempt was cancelled or will be repeated. */
async function keepChanges(
  workspace: Workspace,
  left: WorkspaceChanges,
  status: TaskOutcome['status'],
): Promise<WorkspaceChanges> {
  if (left.tree === undefined || status === 'cancelled' || status === 'pending') return left;
  try {
    const kept = await workspace.keepChanges(left.tree, status);
    if (kept === undefined) return left;
    const where = `The changes are on the branch ${kept.branch} of ${kept.repository}.`;
    const note = [where, kept.note].filter(Boolean).join(' ');
    return { ...left, note, artifacts: [...left.artifacts, branchArtifact(kept, left.files)] };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return {
      ...(await unreachableChanges(workspace, 'The branch could not be created', error)),
      artifacts: left.artifacts,
    };
  }
}

async function executeInWorkspace(
  workspace: Workspace,
  folder: AttemptFolder,
  contained: AttemptContainment,
  task: WorkerTask,
  options: ExecuteOptions,
): Promise<TaskOutcome> {
  const { agent, signal, emit } = options;
  const reportProgress = async (message: string | undefined): Promise<void> => {
    if (message !== undefined) await emit({ type: 'progress', message: cleanText(message) });
  };
  await reportProgress(`${agent.name} works in ${workspace.path}.`);
  await reportProgress(workspace.note);
  const output = new OutputWriter({ emit, maxBytes: options.maxOutputBytes, signal });
  const modelPatienceMs = options.modelPatienceMs ?? defaultModelPatienceMs;
  const interventions =
    options.interventions ?? new InterventionHandler({ task, answer: () => undefined, cancel: () => undefined });
  await using checkpoint = await CheckpointFile.open({ folder: folder.path, task, emit, signal });
  const artifactFolder = await openArtifactFolder(workspace.path);
  const runEnv = {
    [checkpointVariable]: checkpoint.path,
    ...(artifactFolder !== undefined && { [artifactsVariable]: artifactFolder.path }),
  };
  const location = { folder: folder.path, path: workspace.path, gitFolders: workspace.gitFolders, contained };
  const end: TurnsEnd = await runTurns({
    ...options,
    ...location,
    task,
    interventions,
    runEnv,
    output,
    modelPatienceMs,
  });
  options.onSessionFacts?.(end.facts);
  await checkpoint.finish();
  if (signal.aborted && signal.reason !== 'cancelled') return abortedOutcome(signal);

  const left = signal.aborted ? undefined : await artifactFolder?.collect(emit);
  const report = left?.has(reportName) === true ? undefined : reportInAnswer(end.answer);
  const collected = await collectChanges(workspace);
  const judged: TaskOutcome = signal.aborted ? abortedOutcome(signal) : end.judge(collected.changed);
  const kept = await keepChanges(workspace, collected, judged.status);
  if (!signal.aborted) await reportProgress(kept.note);
  const failed: Partial<TaskOutcome> =
    kept.error !== undefined && judged.status === 'completed' ? { status: 'failed', error: kept.error } : {};
  return {
    ...judged,
    ...failed,
    artifacts: [...kept.artifacts, ...end.artifacts, ...(report === undefined ? [] : [report])],
    usage: priceUsage(end.usage, task.model ?? agent.defaultModel, options.prices),
  };
}

/**
 * Makes one attempt at a task: opens the workspace, starts the agent in a process session of its own, streams its
 * output, ends it at the time limit or when `signal` aborts (with every process that it started), and collects its
 * changes. The artifacts of the outcome are `diff` and `files`, whatever the verdict; files that the agent left as artifacts
 * are reported before.
 *
 * Errors of the outcome: `agent_not_found`, `agent_exit`, `agent_error`, `model_unreachable`, `model_refused`,
 * `timeout`, `bad_model`, `no_command`, `prompt_too_large`, and those of `WorkspaceErrorCode`.
 * @throws what `emit` throws (the agent has been ended by then), and errors of this machine
 */
export async function executeTask(task: WorkerTask, options: ExecuteOptions): Promise<TaskOutcome> {
  const { signal, stateDir, emit } = options;
  if (signal.aborted) return abortedOutcome(signal);
  const contained = containAttempt(options.containment, randomUUID());
  const { tag } = contained;
  // The tag marks git processes too, so that the next start finds them if the worker is killed.
  const env = { ...withoutCredentials(options), [attemptTagVariable]: tag };
  // The end of the attempt ends git only while preparing; afterwards git is needed to collect the changes.
  const preparing = new AbortController();
  const stopPreparing = (): void => preparing.abort();
  signal.addEventListener('abort', stopPreparing, { once: true });
  const git = createGit({ env, deadlineMs: options.gitTimeoutMs, signal: preparing.signal });
  const onWait = (): Promise<void> =>
    emit({ type: 'progress', message: 'Another attempt is using this folder; waiting for it to end.' });
  try {
    await using folder = await openAttemptFolder(stateDir, task.id, contained);
    const workspaceOptions = { git, task, folder, stateDir, clones: options.clones, signal, onWait };
    await using workspace = await openWorkspace(options.binding, workspaceOptions);
    signal.removeEventListener('abort', stopPreparing);
    if (workspace === undefined || signal.aborted) return abortedOutcome(signal);
    return await executeInWorkspace(workspace, folder, contained, task, options);
  } catch (error) {
    // Git was ended together with the attempt.
    if (signal.aborted && error instanceof WorkspaceError) return abortedOutcome(signal);
    return failedOutcome(error);
  } finally {
    signal.removeEventListener('abort', stopPreparing);
  }
}
