// A worker's life: it readies itself, registers, works until it is told to stop, and leaves nothing behind. choices-5.
import { findAgents } from './agents/detect.ts';
import { partitionUsable } from './agents/programs/usable-agents.ts';
import { assembleWorker } from './assembly.ts';
import type { WorkerParts, WorkerRuntimeDeps } from './assembly.ts';
import { createWorkerClient } from './service/client.ts';
import type { WorkerClient } from './service/client.ts';
import { withoutCredentials } from './process/environment.ts';
import type { WorkerLog } from './base/log.ts';
import { openRegistration } from './service/registration.ts';
import type { WorkerRegistration } from './service/registration.ts';
import { describeError } from './base/service-error.ts';
import { runSessionSync, syncSessionsOnce } from './report/session-sync.ts';
import type { WorkerSettings } from './settings/settings.ts';
import { createServedFolders, declaredRoots } from './codebases/served-folders.ts';
import { replaySpool } from './report/replay.ts';
import { createSpool } from './report/spool.ts';
import type { Spool } from './report/spool.ts';
import { lockState } from './worker-lock.ts';
import { withModes } from './settings/workspace-mode.ts';
import { sweepClones } from './workspace/clone.ts';
import { createGit } from './workspace/git/git.ts';
import type { Git } from './workspace/git/git.ts';
import { sweepAttempts } from './workspace/attempt-folder.ts';
import { runWorkspaceMaintenance } from './workspace/workspace-maintenance.ts';
import { whenAborted } from '../lib/wait.ts';

/** A worker that has been started. Disposing of it is stopping it at once. */
export interface WorkerHandle extends AsyncDisposable {
  /** Resolves with its id once the service knows it; rejects as `done` does when it ends before. */
  readonly ready: Promise<string>;
  /** Resolves when it has ended as told; rejects when it could not start, or broke. */
  readonly done: Promise<void>;
  /** Takes nothing more; runs go on for the settings' `drainMs`, then their tasks are given back. Resolves at the end. */
  drain(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long the service has to take the last results, after the work itself has ended. */
const finalReportMs = 15_000;
const unregisterTimeoutMs = 5000;

/**
 * Starts a worker. The caller owns it: `done` must be awaited.
 * `done` rejects with SettingsError, AgentMissing, ServiceRefusal (the registration), or an error of this machine.
 */
export function startWorker(settings: WorkerSettings, deps: WorkerRuntimeDeps): WorkerHandle {
  const draining = new AbortController();
  const immediate = new AbortController();
  const ready = Promise.withResolvers<string>();
  // Whoever does not ask whether it is ready learns of the failure by `done`.
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
  draining: AbortSignal;
  immediate: AbortSignal;
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
  const spool = createSpool({ ...settings, maxBytes: settings.spoolMaxBytes, clock, log });
  const configuredCodebases = await withModes(git, settings.codebases);
  const { codebaseRoots: roots, privatePaths: closedPaths } = settings;
  const folders = createServedFolders({ configured: configuredCodebases, roots, closedPaths });
  const workerInfo = {
    name: settings.workerName,
    capabilities: settings.capabilities,
    hostname: deps.hostname,
    version: deps.version,
    agents: names,
    models: settings.models,
    slots: settings.slots,
    codebase_roots: await declaredRoots(roots),
    codebases: configuredCodebases,
  };
  let registration: WorkerRegistration;
  try {
    registration = await openRegistration({ client, workerInfo, clock, random, log }, stop.draining);
  } catch (error) {
    if (stop.draining.aborted) return;
    throw error;
  }
  const { workerId } = registration.current();
  log.info(
    { worker: workerId, service: settings.serverUrl, agents: names.join(',') },
    `${settings.workerName} is there`,
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

/** Agents and worktrees of a worker that was killed are in the way of the next attempt at the same tasks. */
async function sweep(git: Git, { killGraceMs, stateDir }: WorkerSettings, log: WorkerLog): Promise<void> {
  const swept = await sweepAttempts({ stateDir, git, killGraceMs });
  await sweepClones(stateDir);
  if (swept > 0) log.warn({ runs: swept }, 'cleaned up after a worker that was killed');
}

/** What runs beside the work until its signal ends it. */
interface Loops {
  /** Tells the service what the spool holds. */
  spoolReplay: (signal: AbortSignal) => Promise<void>;
  /** Keeps the disk tidy. */
  maintenance: (signal: AbortSignal) => Promise<void>;
}

/** Works until it is told to leave, or a part breaks; then ends the runs, and the loops last. */
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
  // It is awaited at the very end; until then it is only asked whether it has failed.
  loopsDone.catch(() => undefined);
  try {
    await Promise.race([whenAborted(stop.draining), loopsDone]);
  } finally {
    slots.close();
    producing.abort();
    if (!stop.immediate.aborted) log.info('takes nothing more, waits for what runs');
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

/** The service may give the worker's tasks to others at once; without it they wait for the leases to run out. */
async function unregisterWorker(
  client: WorkerClient,
  registration: WorkerRegistration,
  spool: Spool,
  { log }: WorkerRuntimeDeps,
): Promise<void> {
  try {
    const { waiting } = await spool.count();
    if (waiting > 0) {
      // They count until others have the tasks, which an unregister gives away at once.
      log.warn({ results: waiting }, 'results wait in the spool for the next start');
      return;
    }
    await client.unregister(registration.current().workerId, AbortSignal.timeout(unregisterTimeoutMs));
    log.info('unregistered');
  } catch (error) {
    log.warn({ error: describeError(error) }, 'could not unregister');
  }
}
