// The life cycle of a worker: it cleans up, registers, works until it is stopped, and leaves nothing behind. choices-5.
import { statfs } from 'node:fs/promises';
import { arch, release, type } from 'node:os';
import { prdCapabilityLabel, stepCapabilityLabel } from '../contracts/step.ts';
import { findAgents } from './agents/detect.ts';
import { listMissingAgents } from './agents/missing-agents.ts';
import { partitionUsable } from './agents/programs/usable-agents.ts';
import { assembleWorker, type WorkerParts, type WorkerRuntimeDeps } from './assembly.ts';
import { createWorkerClient, type WorkerClient } from './service/client.ts';
import { withoutCredentials } from './process/environment.ts';
import type { WorkerLog } from './base/log.ts';
import { WorkerRegistration } from './service/registration.ts';
import { describeError } from './base/service-error.ts';
import { runSessionSync, syncSessionsOnce } from './report/session-sync.ts';
import type { WorkerSettings } from './settings/settings.ts';
import { createServedFolders, declaredRoots } from './codebases/served-folders.ts';
import { replaySpool } from './report/replay.ts';
import { Spool } from './report/spool.ts';
import { lockState } from './worker-lock.ts';
import { withModes } from './settings/workspace-mode.ts';
import { sweepClones } from './workspace/clone.ts';
import { createGit, type Git } from './workspace/git/git.ts';
import { sweepAttempts } from './workspace/attempt-folder.ts';
import { runWorkspaceMaintenance } from './workspace/workspace-maintenance.ts';
import { whenAborted } from '../lib/wait.ts';

/** A started worker. Disposing of it stops it at once. */
export interface WorkerHandle extends AsyncDisposable {
  /** Resolves with its id after its registration; rejects as `done` does when it ends before. */
  readonly ready: Promise<string>;
  /** Resolves when it was stopped; rejects when it could not start, or failed. */
  readonly done: Promise<void>;
  /**
   * Takes no more tasks. Attempts go on for the settings' `drainMs`, then their tasks are released. Resolves at the
   * end.
   */
  drain(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long the service has to take the last results, after the work itself has ended. */
const finalReportMs = 15_000;
const unregisterTimeoutMs = 5000;

/**
 * Starts a worker. The caller owns it: `done` must be awaited. `done` rejects with SettingsError, AgentMissing,
 * ServiceRefusal (the registration), or an error of this machine.
 */
export function startWorker(settings: WorkerSettings, deps: WorkerRuntimeDeps): WorkerHandle {
  const draining = new AbortController();
  const immediate = new AbortController();
  const ready = Promise.withResolvers<string>();
  // `done` reports the failure to callers that do not use `ready`.
  ready.promise.catch(() => undefined);
  const stop = { draining: draining.signal, immediate: immediate.signal };
  const done = runUntilStopped(settings, deps, stop, ready.resolve).catch((error: unknown) => {
    ready.reject(error);
    throw error;
  });
  return {
    ready: ready.promise,
    done,
    drain() {
      draining.abort();
      return done;
    },
    [Symbol.asyncDispose]() {
      draining.abort();
      immediate.abort();
      return done;
    },
  };
}

interface StopSignals {
  readonly draining: AbortSignal;
  readonly immediate: AbortSignal;
}

async function runUntilStopped(
  settings: WorkerSettings,
  deps: WorkerRuntimeDeps,
  stop: StopSignals,
  ready: (workerId: string) => void,
): Promise<void> {
  const { clock, log, random } = deps;
  await using _lock = await lockState(settings.stateDir);
  const gitEnv = withoutCredentials({ env: deps.env, passEnv: settings.agentEnv });
  const git = createGit({ env: gitEnv, deadlineMs: settings.gitTimeoutMs });
  await sweep(git, settings, log);
  const agents = await findAgents({
    agentBin: settings.agentBin,
    env: deps.env,
    allowCommand: settings.allowCommand,
    model: settings.model && { settings: settings.model, fetch: deps.fetch },
    hidden: settings.privatePaths,
  });
  const { usable, unusable } = await partitionUsable(agents);
  for (const { name, program, trouble } of unusable)
    log.warn({ agent: name, program }, `${name} is not offered: ${trouble}`);
  if (usable.length === 0)
    log.warn('no agent found: install one (opencode, codex, claude, gemini, pi), set agent_bin or a model endpoint');
  const names = usable.map(({ name }) => name);
  const userAgent = `switchyard-worker/${deps.version}`;
  const client = createWorkerClient({ ...settings, fetch: deps.fetch, userAgent });
  const spool = new Spool({ ...settings, maxBytes: settings.spoolMaxBytes, clock, log });
  const configuredCodebases = await withModes(git, settings.codebases);
  const { codebaseRoots: roots, privatePaths: closedPaths } = settings;
  const folders = createServedFolders({ configured: configuredCodebases, roots, closedPaths });
  const workerInfo = {
    name: settings.workerName,
    capabilities: settings.prdOnly
      ? [prdCapabilityLabel]
      : [...settings.capabilities, stepCapabilityLabel, prdCapabilityLabel],
    hostname: deps.hostname,
    version: deps.version,
    agents: names,
    models: settings.models,
    slots: settings.slots,
    codebase_roots: await declaredRoots(roots),
    codebases: configuredCodebases,
    agents_missing: listMissingAgents(names, unusable, settings.agentBin === undefined),
    disk_free: await measureFreeDisk(settings.stateDir),
    os: `${type()} ${release()} ${arch()}`.slice(0, 200),
  };
  let registration: WorkerRegistration;
  try {
    registration = await WorkerRegistration.open({ client, workerInfo, clock, random, log }, stop.draining);
  } catch (error) {
    if (stop.draining.aborted) return;
    throw error;
  }
  const { workerId } = registration.current();
  log.info(
    { worker: workerId, service: settings.serverUrl, agents: names.join(',') },
    `${settings.workerName} registered`,
  );
  ready(workerId);
  const giveUp = new AbortController();
  const parts = assembleWorker(settings, deps, {
    client,
    registration,
    folders,
    agents,
    git,
    spool,
    giveUp: giveUp.signal,
  });
  const spoolReplay = (signal: AbortSignal): Promise<void> =>
    replaySpool({ spool, client, clock, random, log }, signal);
  const { stateDir, keepMs, clones } = settings;
  const maintenanceOptions = { stateDir, git, keepMs, packTimeoutMs: clones.timeoutMs, log };
  const maintenance = (signal: AbortSignal): Promise<void> =>
    runWorkspaceMaintenance(maintenanceOptions, clock, signal);
  await runLoops(settings, deps, { ...parts, spoolReplay, maintenance }, stop, giveUp);
  await unregisterWorker(client, registration, spool, deps);
}

/** Bytes that this user may still write beside `folder`; undefined where the system does not say. */
async function measureFreeDisk(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Agents and worktrees of a killed worker would be in the way of the next attempts at its tasks. */
async function sweep(git: Git, { killGraceMs, stateDir }: WorkerSettings, log: WorkerLog): Promise<void> {
  const swept = await sweepAttempts({ stateDir, git, killGraceMs });
  await sweepClones(stateDir);
  if (swept > 0) log.warn({ runs: swept }, 'cleaned up after a killed worker');
}

/** Loops beside the work, until their signal aborts. */
interface Loops {
  /** Delivers the records of the spool. */
  readonly spoolReplay: (signal: AbortSignal) => Promise<void>;
  /** Removes unused workspaces. */
  readonly maintenance: (signal: AbortSignal) => Promise<void>;
}

/** Works until it is stopped, or a part fails; then ends the attempts, and the loops last. */
async function runLoops(
  settings: WorkerSettings,
  { clock, log }: WorkerRuntimeDeps,
  {
    brokerSubscription,
    taskProducer,
    sessionStore,
    keeper,
    slots,
    sync,
    spoolReplay,
    maintenance,
  }: WorkerParts & Loops,
  stop: StopSignals,
  giveUp: AbortController,
): Promise<void> {
  await using _brokerSubscription = brokerSubscription;
  const producing = new AbortController();
  const reporting = new AbortController();
  const loops = [
    taskProducer.run(producing.signal),
    keeper.run(reporting.signal),
    runSessionSync(sync, reporting.signal),
    spoolReplay(reporting.signal),
    maintenance(producing.signal),
  ];
  const loopsDone = Promise.all(loops);
  // Awaited at the very end; until then only its failure matters.
  loopsDone.catch(() => undefined);
  try {
    await Promise.race([whenAborted(stop.draining), loopsDone]);
  } finally {
    slots.close();
    producing.abort();
    if (!stop.immediate.aborted) log.info('draining: no new tasks, waiting for running attempts');
    const idle = slots.idle();
    await Promise.race([idle, clock.wait(settings.drainMs, AbortSignal.any([stop.immediate, reporting.signal]))]);
    slots.stop();
    const patience = clock.wait(settings.killGraceMs + finalReportMs, reporting.signal);
    await Promise.race([idle, patience]);
    giveUp.abort();
    await idle;
    if (sessionStore.unsynced().length > 0) await syncSessionsOnce(sync, AbortSignal.timeout(unregisterTimeoutMs));
    reporting.abort();
  }
  await loopsDone;
}

/** Lets the service requeue the worker's tasks at once; otherwise they wait until their leases expire. */
async function unregisterWorker(
  client: WorkerClient,
  registration: WorkerRegistration,
  spool: Spool,
  { log }: WorkerRuntimeDeps,
): Promise<void> {
  try {
    const { waiting } = await spool.count();
    if (waiting > 0) {
      // Counted before the unregister, which requeues their tasks at once.
      log.warn({ results: waiting }, 'results wait in the spool for the next start');
      return;
    }
    await client.unregister(registration.current().workerId, AbortSignal.timeout(unregisterTimeoutMs));
    log.info('unregistered');
  } catch (error) {
    log.warn({ error: describeError(error) }, 'could not unregister; the leases will expire');
  }
}
