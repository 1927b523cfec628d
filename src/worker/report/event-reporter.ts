// Reports the events of one attempt: numbered under its lease, in order, in batches, one request at a time, until each
// is taken.
import type { WorkerEvent } from '../../contracts/worker.ts';
import { Backoff } from '../base/backoff.ts';
import { Notifier } from '../base/notifier.ts';
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import type { WorkerLog } from '../base/log.ts';
import { Outbox } from './outbox.ts';
import {
  describeError,
  isArtifactsFull,
  isCredentialRefused,
  isTransientError,
  retryAfterMs,
  ServiceRefusal,
} from '../base/service-error.ts';

export interface EventReporterOptions {
  readonly taskId: string;
  readonly leaseToken: string;
  readonly client: Pick<WorkerClient, 'reportEvents'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
  /** Aborts when nothing more is to be reported: the remaining events are dropped. */
  readonly signal: AbortSignal;
  /** Called when the service reports that the lease is lost. */
  readonly onLost: () => void;
  /** Called when the service reports that a caller cancelled the task. */
  readonly onCancel: () => void;
  /** Called when a request was not answered, and repeatedly after that, with the events to save on disk. */
  readonly onStuck?: (pending: readonly WorkerEvent[]) => void;
  /** Called when the service has taken everything again. */
  readonly onClear?: () => void;
  /** Unreported events of an earlier process of this worker, which are sent first. */
  readonly pending?: readonly WorkerEvent[];
  /** The least time between two requests: after a pause an event is sent at once, in a flood in batches. */
  readonly windowMs?: number;
  readonly batchBytes?: number;
  readonly bufferBytes?: number;
}

/** How often pending events are saved on disk while the service is away. */
const respoolMs = 5000;

/** Reports from its construction until it is disposed of, its signal aborts or the lease is lost. */
export class EventReporter implements AsyncDisposable {
  readonly #options: EventReporterOptions;
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #closed = new AbortController();
  readonly #ended: AbortSignal;
  readonly #outbox: Outbox;
  readonly #notifier: Notifier;
  readonly #backoff: Backoff;
  readonly #pumping: Promise<void>;
  /** True during a flush, which waits for no full batch. */
  #hurry = false;
  /** When the pending events were saved last; undefined: the service takes them. */
  #stuckMs: number | undefined;

  constructor(options: EventReporterOptions) {
    const { batchBytes = 256_000, bufferBytes = 2_000_000, clock, pending = [], random } = options;
    this.#options = options;
    this.#clock = clock;
    this.#windowMs = options.windowMs ?? 100;
    this.#ended = AbortSignal.any([options.signal, this.#closed.signal]);
    this.#outbox = new Outbox({ batchBytes, bufferBytes, pending });
    this.#notifier = new Notifier(clock);
    this.#backoff = new Backoff({ firstMs: 200, maxMs: 5000, random });
    this.#pumping = this.#pump();
    // The loop fails only by an error of our own, which is thrown when the reporter is closed.
    this.#pumping.catch(() => undefined);
  }

  /** Takes an event; resolves once the buffer has room for the next one, and at once when the reporter is closed. */
  async emit(event: NewWorkerEvent): Promise<void> {
    if (this.#ended.aborted) return;
    this.#outbox.put(event);
    this.#notifier.notify();
    await this.#outbox.untilCapacity();
  }

  /** Resolves when the service has taken every event so far, or the reporter is closed. */
  async flush(): Promise<void> {
    this.#hurry = true;
    this.#notifier.notify();
    await this.#outbox.untilEmpty();
    this.#hurry = false;
  }

  /** Events that the service has not taken yet, numbered. */
  pending(): WorkerEvent[] {
    return this.#outbox.pending();
  }

  /** True once nothing more is reported: the lease is lost, or the signal aborted. */
  isClosed(): boolean {
    return this.#ended.aborted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#pumping;
  }

  async #pump(): Promise<void> {
    try {
      while (!this.#ended.aborted) {
        const batch = this.#outbox.head();
        if (batch === undefined) {
          await this.#notifier.wait(this.#ended);
        } else {
          const nextMs = this.#clock.monotonicMs() + this.#windowMs;
          await this.#post(batch);
          await this.#gather(nextMs);
        }
      }
    } finally {
      // Callers that wait for room or for the end must not wait for a closed reporter.
      this.#closed.abort();
      this.#outbox.drop();
    }
  }

  async #post(batch: WorkerEvent[]): Promise<void> {
    const { client, leaseToken, onCancel, taskId } = this.#options;
    try {
      const answer = await client.reportEvents(taskId, { lease_token: leaseToken, events: batch }, this.#ended);
      this.#outbox.taken();
      this.#backoff.reset();
      this.#onAnswered();
      if (answer.cancel_requested) onCancel();
    } catch (error) {
      if (!this.#ended.aborted) await this.#onFailure(batch, error);
    }
  }

  /** Waits until the next request is due: at `untilMs`, with a full batch, or at a flush. */
  async #gather(untilMs: number): Promise<void> {
    const mayWait = (): boolean =>
      !this.#hurry && !this.#ended.aborted && !this.#outbox.hasFullBatch() && this.#clock.monotonicMs() < untilMs;
    while (mayWait()) await this.#notifier.wait(this.#ended, untilMs - this.#clock.monotonicMs());
  }

  /** Handles the failed request of a batch that is still at the head of the outbox. */
  async #onFailure(batch: WorkerEvent[], error: unknown): Promise<void> {
    const { log, onLost, taskId } = this.#options;
    const isGone = error instanceof ServiceRefusal && (error.status === 409 || error.status === 404);
    if (error instanceof ServiceRefusal && error.code === 'event_gap' && (error.expected ?? 0) < (batch[0]?.n ?? 0)) {
      log.warn(
        { task: taskId, error: describeError(error) },
        'the service lost events that it had taken; renumbering and continuing',
      );
      this.#outbox.renumber(error.expected ?? 1);
    } else if (isGone && !isArtifactsFull(error)) {
      this.#closed.abort();
      onLost();
    } else if (isTransientError(error) || isCredentialRefused(error)) {
      log.debug({ task: taskId, error: describeError(error) }, 'could not report events; will retry');
      this.#onUnanswered();
      await this.#clock.wait(this.#backoff.nextMs(retryAfterMs(error)), this.#ended);
    } else if (error instanceof ServiceRefusal) {
      // An event that the service rejects must hold up neither its neighbours nor the release.
      log.warn(
        { task: taskId, events: batch.length, error: describeError(error) },
        'events rejected; sending them singly',
      );
      this.#outbox.refused();
    } else {
      throw error;
    }
  }

  #onUnanswered(): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#stuckMs !== undefined && nowMs < this.#stuckMs + respoolMs) return;
    this.#stuckMs = nowMs;
    this.#options.onStuck?.(this.#outbox.pending());
  }

  #onAnswered(): void {
    if (this.#stuckMs === undefined) return;
    this.#stuckMs = undefined;
    this.#options.onClear?.();
  }
}
