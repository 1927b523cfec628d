// One attempt, from its assignment to its release, including a cancel, a lost lease and the worker's shutdown.
import type { AssignmentWire, SentInterventionWire } from '../../contracts/worker.ts';
import type { Tracer } from '../../lib/trace/tracer.ts';
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import { OutcomeDelivery } from '../report/outcome-delivery.ts';
import type { TaskOutcome } from '../report/task-outcome.ts';
import type { LeaseKeeper } from '../service/lease-keeper.ts';
import type { WorkerLog } from '../base/log.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { traceAttempt, type AttemptTrace } from './attempt-trace.ts';
import { EventReporter } from '../report/event-reporter.ts';
import { InterventionHandler } from './intervention-handler.ts';
import { describeError } from '../base/service-error.ts';
import { SpoolEntry } from '../report/spool-entry.ts';
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
  readonly client: Pick<WorkerClient, 'reportEvents' | 'release'>;
  readonly keeper: Pick<LeaseKeeper, 'keep'>;
  readonly taskRunner: TaskRunner;
  readonly spool: Pick<Spool, 'put' | 'settle' | 'deadLetter'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
  readonly tracer?: Tracer | undefined;
  /** Aborts when the worker stops waiting for the service to take its results. */
  readonly giveUp: AbortSignal;
}

/** The assignment, and what has to end before its work begins. */
export interface AttemptStart {
  readonly assignment: AssignmentWire;
  /** Monotonic milliseconds from before the lease began. */
  readonly heldSinceMs: number;
  readonly after?: Promise<void> | undefined;
}

type Phase = 'working' | 'finishing' | 'cancelled' | 'lost';

/** Starts the attempt of one assignment; its lease is kept from now on. */
export function startAttempt(start: AttemptStart, options: AttemptOptions): Attempt {
  return new RunningAttempt(start, options);
}

/** One attempt: `working`, then `finishing`; or `cancelled` or `lost` at any time, and `lost` is final. */
class RunningAttempt implements Attempt {
  readonly taskId: string;
  readonly leaseToken: string;
  readonly worked: Promise<void>;
  readonly done: Promise<void>;
  readonly #start: AttemptStart;
  readonly #options: AttemptOptions;
  readonly #trace: AttemptTrace;
  readonly #log: WorkerLog;
  readonly #spoolEntry: SpoolEntry;
  readonly #workAbort = new AbortController();
  readonly #reportAbort = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #phase: Phase = 'working';
  #workEnded = false;
  /** A heartbeat reported the loss of the lease after the work had ended. */
  #leaseGone = false;
  /** Undefined until the reporter is open. Interventions before that are dropped: the service repeats them. */
  #interventions: InterventionHandler | undefined;

  constructor(start: AttemptStart, options: AttemptOptions) {
    const { assignment, heldSinceMs } = start;
    const { task, lease_token: leaseToken } = assignment;
    const { clock, tracer } = options;
    this.taskId = task.id;
    this.leaseToken = leaseToken;
    this.#start = start;
    this.#options = options;
    this.#trace = traceAttempt(tracer, assignment, clock.now().getTime() - (clock.monotonicMs() - heldSinceMs));
    const { traceId } = this.#trace;
    this.#log = traceId === undefined ? options.log : options.log.child({ trace_id: traceId });
    this.#spoolEntry = new SpoolEntry(options.spool, {
      task_id: task.id,
      title: task.title,
      lease_token: leaseToken,
    });
    this.worked = this.#ended.promise;
    this.#log.info({ task: task.id, attempt: task.attempt, codebase: task.codebase_id }, 'attempt started');
    this.done = this.#complete();
  }

  working(): boolean {
    return !this.#workEnded;
  }

  deliverIntervention(intervention: SentInterventionWire): void {
    this.#interventions?.handle(intervention);
  }

  cancel(): void {
    if (this.#phase === 'cancelled' || this.#phase === 'lost') return;
    this.#log.info({ task: this.taskId }, 'cancelled');
    this.#phase = 'cancelled';
    this.#workAbort.abort('cancelled');
  }

  loseLease(): void {
    if (this.#phase === 'lost') return;
    this.#log.warn({ task: this.taskId }, 'lease lost');
    this.#phase = 'lost';
    this.#reportAbort.abort();
    this.#workAbort.abort('lease_lost');
  }

  stop(): void {
    this.#workAbort.abort('shutdown');
  }

  /** After the work the result is still worth a release: the service decides whether the lease holds. */
  #onLeaseLost(by: 'service' | 'deadline'): void {
    if (this.#phase === 'working') this.loseLease();
    else if (by === 'service') this.#leaseGone = true;
  }

  async #complete(): Promise<void> {
    try {
      await this.#execute();
    } catch (error) {
      this.#log.error(
        { task: this.taskId, error: describeError(error) },
        'attempt ended by an internal error; its lease will expire',
      );
    }
    this.#workEnded = true;
    this.#trace.end(this.#phase);
    this.#ended.resolve();
  }

  async #execute(): Promise<void> {
    const signal = AbortSignal.any([this.#reportAbort.signal, this.#options.giveUp]);
    await using reporter = this.#openReporter(signal);
    const interventions = new InterventionHandler({
      task: this.#start.assignment.task,
      answer: (event) => void reporter.emit(event),
      cancel: () => this.cancel(),
    });
    this.#interventions = interventions;
    for (const intervention of this.#start.assignment.interventions ?? []) interventions.handle(intervention);
    const dropLease = this.#options.keeper.keep({
      taskId: this.taskId,
      leaseToken: this.leaseToken,
      heldSinceMs: this.#start.heldSinceMs,
      onLost: (by) => this.#onLeaseLost(by),
      onCancel: () => this.cancel(),
      onIntervention: (intervention) => interventions.handle(intervention),
    });
    try {
      const outcome = await this.#work(reporter, interventions);
      await this.#deliver(outcome, reporter, signal);
    } finally {
      dropLease();
    }
  }

  #openReporter(signal: AbortSignal): EventReporter {
    return new EventReporter({
      ...this.#options,
      log: this.#log,
      taskId: this.taskId,
      leaseToken: this.leaseToken,
      signal,
      onLost: () => this.loseLease(),
      onCancel: () => this.cancel(),
      onStuck: (pending) => this.#phase === 'working' && void this.#spoolEntry.write(pending, null),
      onClear: () => this.#phase === 'working' && void this.#spoolEntry.settle(),
    });
  }

  async #work(reporter: EventReporter, interventions: InterventionHandler): Promise<TaskOutcome> {
    const { task, codebase } = this.#start.assignment;
    const { signal } = this.#workAbort;
    try {
      await this.#start.after;
      const context = { codebase, emit: (event: NewWorkerEvent) => reporter.emit(event), interventions, signal };
      return await this.#trace.during('agent', (traceparent) =>
        this.#options.taskRunner.run({ ...task, traceparent }, context),
      );
    } catch (error) {
      if (signal.reason === 'shutdown') return { status: 'pending' };
      this.#log.error({ task: task.id, error: describeError(error) }, 'could not run the task; releasing it as failed');
      return { status: 'failed', error: { code: 'worker_error', message: describeError(error).slice(0, 20_000) } };
    } finally {
      this.#workEnded = true;
      if (this.#phase === 'working') this.#phase = 'finishing';
      this.#ended.resolve();
    }
  }

  async #deliver(outcome: TaskOutcome, reporter: EventReporter, signal: AbortSignal): Promise<void> {
    const ending = this.#phase;
    if (ending !== 'finishing' && ending !== 'cancelled') {
      // The next attempt starts anew and has no use for unreported events of this one.
      await this.#spoolEntry.settle();
      return;
    }
    await this.#trace.during('release', async (traceparent) => {
      const delivery = new OutcomeDelivery({
        ...this.#options,
        log: this.#log,
        taskId: this.taskId,
        leaseToken: this.leaseToken,
        reporter,
        spoolEntry: this.#spoolEntry,
        signal,
        traceparent,
        leaseGone: () => this.#leaseGone,
        leaseLost: () => this.#phase === 'lost',
      });
      await (ending === 'finishing' ? delivery.release(outcome) : delivery.reportCancelled(outcome));
    });
  }
}
