// One run, from its assignment to its release, and what a cancel, a lost lease or the worker's own end mean for it.
import type { Assignment, SentInterventionWire } from '../../contracts/worker.ts';
import type { Tracer } from '../../lib/trace/tracer.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import { createDelivery } from '../report/delivery.ts';
import type { Outcome } from './execute.ts';
import type { LeaseKeeper } from '../service/lease-keeper.ts';
import type { Log } from '../base/log.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { traceRun } from './run-trace.ts';
import { createReport } from '../report/report.ts';
import { createDesk, type RunDesk } from './run-desk.ts';
import type { Report } from '../report/report.ts';
import { describeError } from '../base/service-error.ts';
import { createParking } from '../report/parking.ts';
import type { Spool } from '../report/spool.ts';
import type { Workshop } from './workshop.ts';

export interface Run {
  readonly taskId: string;
  readonly leaseToken: string;
  /** False once the work has ended and only its result is on the way. */
  working(): boolean;
  /** A person told the task something. */
  hear(intervention: SentInterventionWire): void;
  /** A caller cancelled the task: the work is ended, what it made is kept. */
  cancel(): void;
  /** The lease is gone: the work is ended and nothing more is said of it. */
  lose(): void;
  /** The worker stops: the work is ended and the task given back. */
  stop(): void;
  /** Resolves when the work has ended. Never rejects. */
  readonly worked: Promise<void>;
  /** Resolves when nothing of the run is left. Never rejects. */
  readonly done: Promise<void>;
}

export interface RunOptions {
  client: Pick<ServiceClient, 'reportEvents' | 'release'>;
  keeper: Pick<LeaseKeeper, 'keep'>;
  workshop: Workshop;
  spool: Pick<Spool, 'put' | 'settle' | 'bury'>;
  clock: Clock;
  random: () => number;
  log: Log;
  tracer?: Tracer | undefined;
  /** Aborts when the worker waits no longer for the service to take its results. */
  giveUp: AbortSignal;
}

/** Where the lease of a run comes from, and what has to end before its work begins. */
export interface RunStart {
  assignment: Assignment;
  /** Monotonic milliseconds at which the lease had not begun yet. */
  heldSinceMs: number;
  after?: Promise<void> | undefined;
}

type Phase = 'working' | 'finishing' | 'cancelled' | 'lost';

/** Starts the run of one assignment; its lease is kept from now on. */
export function startRun({ assignment, heldSinceMs, after }: RunStart, options: RunOptions): Run {
  const { clock, keeper, workshop } = options;
  const { task, codebase, lease_token: leaseToken } = assignment;
  const trace = traceRun(options.tracer, assignment, clock.now().getTime() - (clock.monotonicMs() - heldSinceMs));
  const log = trace.traceId === undefined ? options.log : options.log.child({ trace_id: trace.traceId });
  const work = new AbortController();
  const silence = new AbortController();
  const ended = Promise.withResolvers<void>();
  let state: Phase = 'working';
  let [gone, over] = [false, false];
  const phase = (): Phase => state;

  function lose(): void {
    if (state === 'lost') return;
    log.warn({ task: task.id }, 'lease lost');
    state = 'lost';
    silence.abort();
    work.abort('lease_lost');
  }

  function cancel(): void {
    if (state === 'cancelled' || state === 'lost') return;
    log.info({ task: task.id }, 'cancelled');
    state = 'cancelled';
    work.abort('cancelled');
  }

  /** Once the work is done its result is worth a try: what became of the lease, the service will say. */
  function leaseLost(by: 'service' | 'deadline'): void {
    if (state === 'working') lose();
    else if (by === 'service') gone = true;
  }

  /** Until the report stands, what is heard waits for the service to say it again. */
  let desk: RunDesk | undefined;

  function deskOf(report: Report): RunDesk {
    const answer = (event: Parameters<Report['emit']>[0]): void => void report.emit(event);
    return createDesk({ task, answer, cancel });
  }

  async function attempt(report: Report, counter: RunDesk): Promise<Outcome> {
    try {
      await after;
      const bench = {
        codebase,
        emit: (event: NewWorkerEvent) => report.emit(event),
        desk: counter,
        signal: work.signal,
      };
      return await trace.during('agent', (traceparent) => workshop.carryOut({ ...task, traceparent }, bench));
    } catch (error) {
      if (work.signal.reason === 'shutdown') return { status: 'pending' };
      log.error({ task: task.id, error: describeError(error) }, 'the worker could not run the task');
      return { status: 'failed', error: { code: 'worker_error', message: describeError(error).slice(0, 20_000) } };
    } finally {
      over = true;
      if (phase() === 'working') state = 'finishing';
      ended.resolve();
    }
  }

  async function live(): Promise<void> {
    const common = { ...options, log, taskId: task.id, leaseToken };
    const signal = AbortSignal.any([silence.signal, options.giveUp]);
    const parking = createParking(options.spool, { task_id: task.id, title: task.title, lease_token: leaseToken });
    await using report = createReport({
      ...common,
      signal,
      onLost: lose,
      onCancel: cancel,
      onStuck: (owed) => phase() === 'working' && void parking.park(owed, null),
      onClear: () => phase() === 'working' && void parking.settle(),
    });
    const counter = deskOf(report);
    desk = counter;
    for (const intervention of assignment.interventions ?? []) counter.hear(intervention);
    const onIntervention = (intervention: SentInterventionWire): void => counter.hear(intervention);
    const lease = { taskId: task.id, leaseToken, heldSinceMs, onLost: leaseLost, onCancel: cancel, onIntervention };
    const drop = keeper.keep(lease);
    try {
      const outcome = await attempt(report, counter);
      const ending = phase();
      if (ending !== 'finishing' && ending !== 'cancelled') {
        // Another attempt begins anew: what this one said and nobody heard is of no use to it.
        await parking.settle();
        return;
      }
      await trace.during('release', async (traceparent) => {
        const delivery = createDelivery({
          ...common,
          report,
          parking,
          signal,
          traceparent,
          leaseGone: () => gone,
          leaseLost: () => phase() === 'lost',
        });
        await (ending === 'finishing' ? delivery.release(outcome) : delivery.bow(outcome));
      });
    } finally {
      drop();
    }
  }

  async function done(): Promise<void> {
    try {
      await live();
    } catch (error) {
      log.error({ task: task.id, error: describeError(error) }, 'a run ended by an error of the worker itself');
    }
    over = true;
    trace.end(phase());
    ended.resolve();
  }

  log.info({ task: task.id, attempt: task.attempt, codebase: task.codebase_id }, 'run begins');
  return {
    taskId: task.id,
    leaseToken,
    working: () => !over,
    hear: (intervention) => desk?.hear(intervention),
    cancel,
    lose,
    stop: () => work.abort('shutdown'),
    worked: ended.promise,
    done: done(),
  };
}
