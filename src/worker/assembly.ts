// Wires the parts of a registered worker.
import type { AgentAdapter } from './agents/adapter/adapter.ts';
import { subscribeToBroker, type BrokerSubscription } from './service/broker-subscription.ts';
import type { WorkerClient } from './service/client.ts';
import type { Clock } from './base/clock.ts';
import type { Tracer } from '../lib/trace/tracer.ts';
import type { Containment } from './process/containment.ts';
import { defaultModelPatienceMs, executeTask } from './attempt/execute.ts';
import { TaskProducer } from './fetch/task-producer.ts';
import { LeaseKeeper } from './service/lease-keeper.ts';
import type { WorkerLog } from './base/log.ts';
import type { WorkerRegistration } from './service/registration.ts';
import { startAttempt } from './attempt/attempt.ts';
import { SessionStore } from './report/session-store.ts';
import type { SessionSyncOptions } from './report/session-sync.ts';
import type { WorkerSettings } from './settings/settings.ts';
import type { ServedFolders } from './codebases/served-folders.ts';
import { Slots } from './fetch/slots.ts';
import type { Spool } from './report/spool.ts';
import { createTaskRunner } from './attempt/task-runner.ts';
import { secretsOf } from './steps/agents/scrub.ts';
import { gateSteps } from './steps/dispatch/gate-steps.ts';
import { createStepRunner } from './steps/dispatch/run-step.ts';
import type { Git } from './workspace/git/git.ts';

/** The resources of the machine and the process for a worker. */
export interface WorkerRuntimeDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** A number from 0 up to but not including 1; spreads retries. */
  readonly random: () => number;
  readonly log: WorkerLog;
  /** Records attempts as spans; undefined: no tracing. */
  readonly tracer?: Tracer | undefined;
  readonly hostname: string;
  /** Finds and ends the processes of attempts. */
  readonly containment: Containment;
  /** Version of the program, for the service and for people. */
  readonly version: string;
}

/** The services of a registered worker. */
export interface WorkerServices {
  readonly client: WorkerClient;
  readonly registration: Pick<WorkerRegistration, 'current' | 'fresh' | 'invalidate'>;
  readonly folders: ServedFolders;
  readonly agents: AgentAdapter[];
  readonly git: Git;
  readonly spool: Spool;
  /** Aborts when the worker stops waiting for the service to take results. */
  readonly giveUp: AbortSignal;
}

export interface WorkerParts {
  readonly taskProducer: TaskProducer;
  readonly keeper: LeaseKeeper;
  readonly slots: Slots;
  readonly sessionStore: SessionStore;
  readonly sync: SessionSyncOptions;
  /** Subscribed to the broker from now on. */
  readonly brokerSubscription: BrokerSubscription;
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
  const { clones, gitTimeoutMs, prices } = settings;
  const sessionStore = new SessionStore(clock);
  const executeDefaults = {
    stateDir,
    timeoutMs,
    maxOutputBytes,
    killGraceMs,
    gitTimeoutMs,
    clones,
    prices,
    env,
    passEnv,
    agentHome,
    containment,
  };
  const runStep = createStepRunner({
    ...executeDefaults,
    ...settings,
    client,
    agents: services.agents,
    modelPatienceMs: defaultModelPatienceMs,
    secrets: [settings.token, settings.model?.apiKey ?? '', ...secretsOf(env)],
    gateSteps,
    now: () => clock.now().getTime(),
  });
  const taskRunner = createTaskRunner({
    ...services,
    clones,
    execute: (task, run) => executeTask(task, { ...executeDefaults, ...run }),
    sessionStore,
    runStep,
  });
  const keeper = new LeaseKeeper({
    client,
    registration,
    slotsFree: () => slots.free(),
    onTasksWaiting: () => taskProducer.onTasksWaiting(),
    clock,
    random,
    log,
  });
  const slots: Slots = new Slots({
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
    sync: { client, registration, sessionStore, clock, log, intervalMs: settings.sessionSyncMs },
  };
}
