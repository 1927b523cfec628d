// Puts the parts of a registered worker together.
import type { AgentAdapter } from './agents/adapter/adapter.ts';
import { listenToBroker, type BrokerEar } from './service/broker.ts';
import type { ServiceClient } from './service/client.ts';
import type { Clock } from './base/clock.ts';
import type { Tracer } from '../lib/trace/tracer.ts';
import type { Containment } from './process/containment.ts';
import { executeTask } from './attempt/execute.ts';
import { createIntake } from './fetch/intake.ts';
import type { Intake } from './fetch/intake.ts';
import { createLeaseKeeper } from './service/lease-keeper.ts';
import type { LeaseKeeper } from './service/lease-keeper.ts';
import type { Log } from './base/log.ts';
import type { Registration } from './service/registration.ts';
import { startRun } from './attempt/run.ts';
import { createSessionJournal } from './report/session-journal.ts';
import type { SessionJournal } from './report/session-journal.ts';
import type { SessionSyncOptions } from './report/session-sync.ts';
import type { WorkerSettings } from './settings/settings.ts';
import type { ServedFolders } from './codebases/served-folders.ts';
import { createSlots } from './fetch/slots.ts';
import type { Slots } from './fetch/slots.ts';
import type { Spool } from './report/spool.ts';
import { createWorkshop } from './attempt/workshop.ts';
import type { Git } from './workspace/git/git.ts';

/** What a worker needs of the world. */
export interface WorkerDeps {
  env: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  clock: Clock;
  /** A number from 0 to 1, without 1: spreads retries. */
  random: () => number;
  log: Log;
  /** Records runs; undefined: nobody does. */
  tracer?: Tracer | undefined;
  hostname: string;
  /** By what the processes of runs are found and ended. */
  containment: Containment;
  /** Of the program, for the service and for people. */
  version: string;
}

/** What a worker has once the service knows it. */
export interface Grounds {
  client: ServiceClient;
  registration: Registration;
  folders: ServedFolders;
  agents: AgentAdapter[];
  git: Git;
  spool: Spool;
  /** Aborts when the worker waits no longer for the service to take results. */
  giveUp: AbortSignal;
}

export interface Parts {
  intake: Intake;
  keeper: LeaseKeeper;
  slots: Slots;
  journal: SessionJournal;
  sync: SessionSyncOptions;
  /** Hears the broker from now on. */
  ear: BrokerEar;
}

/** The parts, none of them working yet. */
export function assemble(settings: WorkerSettings, deps: WorkerDeps, grounds: Grounds): Parts {
  const { clock, containment, env, log, random, tracer } = deps;
  const { client, registration, giveUp, spool } = grounds;
  const { agentHome, agentEnv: passEnv, killGraceMs, maxOutputBytes, stateDir, agentTimeoutMs: timeoutMs } = settings;
  const { clones, gitTimeoutMs } = settings;
  const journal = createSessionJournal(clock);
  const house = {
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
  const workshop = createWorkshop({
    ...grounds,
    clones,
    execute: (task, run) => executeTask(task, { ...house, ...run }),
    journal,
  });
  const keeper = createLeaseKeeper({
    client,
    registration,
    slotsFree: () => slots.free(),
    onTasksWaiting: () => intake.lookSoon(),
    clock,
    random,
    log,
  });
  const slots: Slots = createSlots({
    size: settings.slots,
    start: (start) => startRun(start, { client, keeper, workshop, spool, clock, random, log, tracer, giveUp }),
    onFree: () => intake.slotFree(),
  });
  const { pollIntervalMs } = settings;
  const intake: Intake = createIntake({
    client,
    registration,
    slots,
    size: settings.slots,
    pollIntervalMs,
    clock,
    random,
    log,
  });
  const ear = listenToBroker({ settings, registration, onHint: () => intake.hinted(), clock, random, log });
  return { ear, intake, keeper, slots, journal, sync: { client, registration, journal, clock, log } };
}
