// Wires the parts of a registered worker.
import type { AgentAdapter } from './agents/adapter/adapter.ts';
import { subscribeToBroker, type BrokerSubscription } from './service/broker-subscription.ts';
import type { WorkerClient } from './service/client.ts';
import type { Clock } from './base/clock.ts';
import type { Tracer } from '../lib/trace/tracer.ts';
import type { Containment } from './process/containment.ts';
import { executeTask } from './attempt/execute.ts';
import { TaskProducer } from './fetch/task-producer.ts';
import { createLeaseKeeper } from './service/lease-keeper.ts';
import type { LeaseKeeper } from './service/lease-keeper.ts';
import type { WorkerLog } from './base/log.ts';
import type { WorkerRegistration } from './service/registration.ts';
import { startAttempt } from './attempt/attempt.ts';
import { createSessionStore } from './report/session-store.ts';
import type { SessionStore } from './report/session-store.ts';
import type { SessionSyncOptions } from './report/session-sync.ts';
import type { WorkerSettings } from './settings/settings.ts';
import type { ServedFolders } from './codebases/served-folders.ts';
import { createSlots } from './fetch/slots.ts';
import type { Slots } from './fetch/slots.ts';
import type { Spool } from './report/spool.ts';
import { createTaskRunner } from './attempt/task-runner.ts';
import type { Git } from './workspace/git/git.ts';

/** What a worker uses of the machine and the process. */
export interface WorkerRuntimeDeps {
  env: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  clock: Clock;
  /** A number from 0 up to but not including 1; spreads retries. */
  random: () => number;
  log: WorkerLog;
  /** Records attempts as spans; undefined: no tracing. */
  tracer?: Tracer | undefined;
  hostname: string;
  /** Finds and ends the processes of attempts. */
  containment: Containment;
  /** Version of the program, for the service and for people. */
  version: string;
}

/** What a worker has once it is registered. */
export interface WorkerServices {
  client: WorkerClient;
  registration: WorkerRegistration;
  folders: ServedFolders;
  agents: AgentAdapter[];
  git: Git;
  spool: Spool;
  /** Aborts when the worker stops waiting for the service to take results. */
  giveUp: AbortSignal;
}

export interface WorkerParts {
  taskProducer: TaskProducer;
  keeper: LeaseKeeper;
  slots: Slots;
  sessionStore: SessionStore;
  sync: SessionSyncOptions;
  /** Subscribed to the broker from now on. */
  brokerSubscription: BrokerSubscription;
}

/** Builds the parts; none of them is running yet, except the broker subscription. */
export function assembleWorker(
  settings: WorkerSettings,
  deps: WorkerRuntimeDeps,
  services: WorkerServices,
): WorkerParts {
  const { clock, containment, env, log, random, tracer } = deps;
  const { client, registration, giveUp, spool } = services;
  const { agentHome, agentEnv: passEnv, killGraceMs, maxOutputBytes, stateDir, agentTimeoutMs: timeoutMs } = settings;
  const { clones, gitTimeoutMs } = settings;
  const sessionStore = createSessionStore(clock);
  const executeDefaults = {
    stateDir,
    timeoutMs,
    maxOutputBytes,
    killGraceMs,
    gitTimeoutMs,
    clones,
    env,
    passEnv,
    agentHome,
    containment,
  };
  const taskRunner = createTaskRunner({
    ...services,
    clones,
    execute: (task, run) => executeTask(task, { ...executeDefaults, ...run }),
    sessionStore,
  });
  const keeper = createLeaseKeeper({
    client,
    registration,
    slotsFree: () => slots.free(),
    onTasksWaiting: () => taskProducer.onTasksWaiting(),
    clock,
    random,
    log,
  });
  const slots: Slots = createSlots({
    size: settings.slots,
    start: (start) => startAttempt(start, { client, keeper, taskRunner, spool, clock, random, log, tracer, giveUp }),
    onFree: () => taskProducer.onSlotFree(),
  });
  const { pollIntervalMs } = settings;
  const taskProducer = new TaskProducer({
    client,
    registration,
    slots,
    size: settings.slots,
    pollIntervalMs,
    clock,
    random,
    log,
  });
  const brokerSubscription = subscribeToBroker({
    settings,
    registration,
    onHint: () => taskProducer.onHint(),
    clock,
    random,
    log,
  });
  return {
    brokerSubscription,
    taskProducer,
    keeper,
    slots,
    sessionStore,
    sync: { client, registration, sessionStore, clock, log },
  };
}
