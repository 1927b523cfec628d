// Reports the events of one attempt: numbered under its lease, in order, in batches, one request at a time, until each
// is taken.
import type { WorkerEvent } from '../../contracts/worker.ts';
import { createBackoff } from '../base/backoff.ts';
import { createNotifier } from '../base/notifier.ts';
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import type { WorkerLog } from '../base/log.ts';
import { createOutbox } from './outbox.ts';
import {
  describeError,
  isArtifactsFull,
  isCredentialRefused,
  isTransientError,
  retryAfterMs,
  ServiceRefusal,
} from '../base/service-error.ts';

export interface EventReporter extends AsyncDisposable {
  /** Takes an event; resolves once the buffer has room for the next one, and at once when the reporter is closed. */
  emit(event: NewWorkerEvent): Promise<void>;
  /** Resolves when the service has taken every event so far, or the reporter is closed. */
  flush(): Promise<void>;
  /** Events that the service has not taken yet, numbered. */
  pending(): WorkerEvent[];
  /** True once nothing more is reported: the lease is lost, or the signal aborted. */
  isClosed(): boolean;
}

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

export function createEventReporter(options: EventReporterOptions): EventReporter {
  const { clock, client, taskId, log, windowMs = 100, batchBytes = 256_000, bufferBytes = 2_000_000 } = options;
  const closed = new AbortController();
  const ended = AbortSignal.any([options.signal, closed.signal]);
  const outbox = createOutbox({ batchBytes, bufferBytes, pending: options.pending ?? [] });
  const notifier = createNotifier(clock);
  const backoff = createBackoff({ firstMs: 200, maxMs: 5000, random: options.random });
  let hurry = false;
  let stuckMs: number | undefined;

  function stuck(): void {
    const nowMs = clock.monotonicMs();
    if (stuckMs !== undefined && nowMs < stuckMs + respoolMs) return;
    stuckMs = nowMs;
    options.onStuck?.(outbox.pending());
  }

  function clear(): void {
    if (stuckMs === undefined) return;
    stuckMs = undefined;
    options.onClear?.();
  }

  /** Handles the failed request of a batch that is still at the head of the outbox. */
  async function failed(batch: WorkerEvent[], error: unknown): Promise<void> {
    const isGone = error instanceof ServiceRefusal && (error.status === 409 || error.status === 404);
    if (error instanceof ServiceRefusal && error.code === 'event_gap' && (error.expected ?? 0) < (batch[0]?.n ?? 0)) {
      log.warn(
        { task: taskId, error: describeError(error) },
        'the service lost events that it had taken; renumbering and continuing',
      );
      outbox.renumber(error.expected ?? 1);
    } else if (isGone && !isArtifactsFull(error)) {
      closed.abort();
      options.onLost();
    } else if (isTransientError(error) || isCredentialRefused(error)) {
      log.debug({ task: taskId, error: describeError(error) }, 'could not report events; will retry');
      stuck();
      await clock.wait(backoff.nextMs(retryAfterMs(error)), ended);
    } else if (error instanceof ServiceRefusal) {
      // An event that the service rejects must hold up neither its neighbours nor the release.
      log.warn({ task: taskId, events: batch.length, error: describeError(error) }, 'events refused');
      outbox.refused();
    } else {
      throw error;
    }
  }

  async function post(batch: WorkerEvent[]): Promise<void> {
    try {
      const answer = await client.reportEvents(taskId, { lease_token: options.leaseToken, events: batch }, ended);
      outbox.taken();
      backoff.reset();
      clear();
      if (answer.cancel_requested) options.onCancel();
    } catch (error) {
      if (!ended.aborted) await failed(batch, error);
    }
  }

  async function gather(untilMs: number): Promise<void> {
    const mayWait = (): boolean => !hurry && !ended.aborted && !outbox.hasFullBatch() && clock.monotonicMs() < untilMs;
    while (mayWait()) await notifier.wait(ended, untilMs - clock.monotonicMs());
  }

  async function pump(): Promise<void> {
    try {
      while (!ended.aborted) {
        const batch = outbox.head();
        if (batch === undefined) {
          await notifier.wait(ended);
        } else {
          const nextMs = clock.monotonicMs() + windowMs;
          await post(batch);
          await gather(nextMs);
        }
      }
    } finally {
      // Callers that wait for room or for the end must not wait for a closed reporter.
      closed.abort();
      outbox.drop();
    }
  }

  const pumping = pump();
  // The loop fails only by an error of our own, which is thrown when the reporter is closed.
  pumping.catch(() => undefined);
  return {
    async emit(event) {
      if (ended.aborted) return;
      outbox.put(event);
      notifier.notify();
      await outbox.untilCapacity();
    },
    async flush() {
      hurry = true;
      notifier.notify();
      await outbox.untilEmpty();
      hurry = false;
    },
    pending: () => outbox.pending(),
    isClosed: () => ended.aborted,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await pumping;
    },
  };
}
