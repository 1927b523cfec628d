// One attempt, from its assignment to its release, including a cancel, a lost lease and the worker's shutdown.
import type { AssignmentWire, SentInterventionWire } from '../../contracts/worker.ts';
import type { Tracer } from '../../lib/trace/tracer.ts';
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import { createOutcomeDelivery } from '../report/outcome-delivery.ts';
import type { TaskOutcome } from '../report/task-outcome.ts';
import type { LeaseKeeper } from '../service/lease-keeper.ts';
import type { WorkerLog } from '../base/log.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { traceAttempt } from './attempt-trace.ts';
import { createEventReporter } from '../report/event-reporter.ts';
import { createInterventionHandler, type InterventionHandler } from './intervention-handler.ts';
import type { EventReporter } from '../report/event-reporter.ts';
import { describeError } from '../base/service-error.ts';
import { createSpoolEntry } from '../report/spool-entry.ts';
import type { Spool } from '../report/spool.ts';
import type { TaskRunner } from './task-runner.ts';

export interface Attempt {
  readonly taskId: string;
  readonly leaseToken: string;
  /** False once the work has ended, while its result may still be on the way. */
  working(): boolean;
  /** Delivers a person's intervention to the attempt. */
  deliverIntervention(intervention: SentInterventionWire): void;
  /** A caller cancelled the task: the work is ended, its changes are kept. */
  cancel(): void;
  /** The lease is lost: the work is ended and nothing more is reported. */
  loseLease(): void;
  /** The worker stops: the work is ended and the task is released as pending. */
  stop(): void;
  /** Resolves when the work has ended. Never rejects. */
  readonly worked: Promise<void>;
  /** Resolves when the attempt is completely over. Never rejects. */
  readonly done: Promise<void>;
}

export interface AttemptOptions {
  client: Pick<WorkerClient, 'reportEvents' | 'release'>;
  keeper: Pick<LeaseKeeper, 'keep'>;
  taskRunner: TaskRunner;
  spool: Pick<Spool, 'put' | 'settle' | 'deadLetter'>;
  clock: Clock;
  random: () => number;
  log: WorkerLog;
  tracer?: Tracer | undefined;
  /** Aborts when the worker stops waiting for the service to take its results. */
  giveUp: AbortSignal;
}

/** The assignment, and what has to end before its work begins. */
export interface AttemptStart {
  assignment: AssignmentWire;
  /** Monotonic milliseconds from before the lease began. */
  heldSinceMs: number;
  after?: Promise<void> | undefined;
}

type Phase = 'working' | 'finishing' | 'cancelled' | 'lost';

/** Starts the attempt of one assignment; its lease is kept from now on. */
export function startAttempt({ assignment, heldSinceMs, after }: AttemptStart, options: AttemptOptions): Attempt {
  const { clock, keeper, taskRunner } = options;
  const { task, codebase, lease_token: leaseToken } = assignment;
  const trace = traceAttempt(options.tracer, assignment, clock.now().getTime() - (clock.monotonicMs() - heldSinceMs));
  const log = trace.traceId === undefined ? options.log : options.log.child({ trace_id: trace.traceId });
  const workAbort = new AbortController();
  const reportAbort = new AbortController();
  const ended = Promise.withResolvers<void>();
  let state: Phase = 'working';
  let [leaseGone, workEnded] = [false, false];
  const phase = (): Phase => state;

  function loseLease(): void {
    if (state === 'lost') return;
    log.warn({ task: task.id }, 'lease lost');
    state = 'lost';
    reportAbort.abort();
    workAbort.abort('lease_lost');
  }

  function cancel(): void {
    if (state === 'cancelled' || state === 'lost') return;
    log.info({ task: task.id }, 'cancelled');
    state = 'cancelled';
    workAbort.abort('cancelled');
  }

  /** After the work the result is still worth a release: the service decides whether the lease holds. */
  function onLeaseLost(by: 'service' | 'deadline'): void {
    if (state === 'working') loseLease();
    else if (by === 'service') leaseGone = true;
  }

  /** Undefined until the reporter is open. Interventions before that are dropped: the service repeats them. */
  let handler: InterventionHandler | undefined;

  function createHandler(reporter: EventReporter): InterventionHandler {
    const answer = (event: Parameters<EventReporter['emit']>[0]): void => void reporter.emit(event);
    return createInterventionHandler({ task, answer, cancel });
  }

  async function runTask(reporter: EventReporter, interventions: InterventionHandler): Promise<TaskOutcome> {
    try {
      await after;
      const context = {
        codebase,
        emit: (event: NewWorkerEvent) => reporter.emit(event),
        interventions: interventions,
        signal: workAbort.signal,
      };
      return await trace.during('agent', (traceparent) => taskRunner.run({ ...task, traceparent }, context));
    } catch (error) {
      if (workAbort.signal.reason === 'shutdown') return { status: 'pending' };
      log.error({ task: task.id, error: describeError(error) }, 'could not run the task; releasing it as failed');
      return { status: 'failed', error: { code: 'worker_error', message: describeError(error).slice(0, 20_000) } };
    } finally {
      workEnded = true;
      if (phase() === 'working') state = 'finishing';
      ended.resolve();
    }
  }

  async function execute(): Promise<void> {
    const common = { ...options, log, taskId: task.id, leaseToken };
    const signal = AbortSignal.any([reportAbort.signal, options.giveUp]);
    const spoolEntry = createSpoolEntry(options.spool, {
      task_id: task.id,
      title: task.title,
      lease_token: leaseToken,
    });
    await using reporter = createEventReporter({
      ...common,
      signal,
      onLost: loseLease,
      onCancel: cancel,
      onStuck: (pending) => phase() === 'working' && void spoolEntry.write(pending, null),
      onClear: () => phase() === 'working' && void spoolEntry.settle(),
    });
    const interventions = createHandler(reporter);
    handler = interventions;
    for (const intervention of assignment.interventions ?? []) interventions.handle(intervention);
    const onIntervention = (intervention: SentInterventionWire): void => interventions.handle(intervention);
    const lease = { taskId: task.id, leaseToken, heldSinceMs, onLost: onLeaseLost, onCancel: cancel, onIntervention };
    const dropLease = keeper.keep(lease);
    try {
      const outcome = await runTask(reporter, interventions);
      const ending = phase();
      if (ending !== 'finishing' && ending !== 'cancelled') {
        // The next attempt starts anew and has no use for unreported events of this one.
        await spoolEntry.settle();
        return;
      }
      await trace.during('release', async (traceparent) => {
        const delivery = createOutcomeDelivery({
          ...common,
          reporter,
          spoolEntry,
          signal,
          traceparent,
          leaseGone: () => leaseGone,
          leaseLost: () => phase() === 'lost',
        });
        await (ending === 'finishing' ? delivery.release(outcome) : delivery.reportCancelled(outcome));
      });
    } finally {
      dropLease();
    }
  }

  async function done(): Promise<void> {
    try {
      await execute();
    } catch (error) {
      log.error(
        { task: task.id, error: describeError(error) },
        'attempt ended by an internal error; its lease will expire',
      );
    }
    workEnded = true;
    trace.end(phase());
    ended.resolve();
  }

  log.info({ task: task.id, attempt: task.attempt, codebase: task.codebase_id }, 'run begins');
  return {
    taskId: task.id,
    leaseToken,
    working: () => !workEnded,
    deliverIntervention: (intervention) => handler?.handle(intervention),
    cancel,
    loseLease,
    stop: () => workAbort.abort('shutdown'),
    worked: ended.promise,
    done: done(),
  };
}
