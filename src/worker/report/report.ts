// Reports what one run says: numbered under its lease, in order, in batches, one post at a time, until each is taken.
import type { WorkerEvent } from '../../contracts/worker.ts';
import { createBackoff } from '../base/backoff.ts';
import { createBell } from '../base/bell.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { createOutbox } from './outbox.ts';
import {
  describeError,
  isArtifactsFull,
  isCredentialRefused,
  isTransient,
  retryAfterMs,
  ServiceRefusal,
} from '../base/service-error.ts';

export interface Report extends AsyncDisposable {
  /** Takes an event; resolves once the buffer has room for the next one, and at once when the report is over. */
  emit(event: NewWorkerEvent): Promise<void>;
  /** Resolves when the service has taken every event so far, or the report is over. */
  flush(): Promise<void>;
  /** What the service has not taken yet, numbered. */
  owed(): WorkerEvent[];
  /** True once nothing more is reported: the lease is gone, or the signal aborted. */
  over(): boolean;
}

export interface ReportOptions {
  taskId: string;
  leaseToken: string;
  client: Pick<ServiceClient, 'reportEvents'>;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Aborts when nothing more is to be reported: what is left is dropped. */
  signal: AbortSignal;
  /** The service says that the lease is not ours any more. */
  onLost: () => void;
  /** The service says that a caller cancelled the task. */
  onCancel: () => void;
  /** A post was not answered: what is owed had better be written down. Called with the last word of that now and then. */
  onStuck?: (owed: readonly WorkerEvent[]) => void;
  /** The service has everything again. */
  onClear?: () => void;
  /** What an earlier life of the worker did not get rid of; it goes first. */
  owed?: readonly WorkerEvent[];
  /** The least time between two posts: an event goes at once after a pause, and in company in a flood. */
  windowMs?: number;
  batchBytes?: number;
  bufferBytes?: number;
}

/** How often what is owed is written down while the service is away. */
const restateMs = 5000;

export function createReport(options: ReportOptions): Report {
  const { clock, client, taskId, log, windowMs = 100, batchBytes = 256_000, bufferBytes = 2_000_000 } = options;
  const over = new AbortController();
  const ended = AbortSignal.any([options.signal, over.signal]);
  const outbox = createOutbox({ batchBytes, bufferBytes, owed: options.owed ?? [] });
  const bell = createBell(clock);
  const backoff = createBackoff({ firstMs: 200, maxMs: 5000, random: options.random });
  let hurry = false;
  let stuckMs: number | undefined;

  function stuck(): void {
    const nowMs = clock.monotonicMs();
    if (stuckMs !== undefined && nowMs < stuckMs + restateMs) return;
    stuckMs = nowMs;
    options.onStuck?.(outbox.owed());
  }

  function clear(): void {
    if (stuckMs === undefined) return;
    stuckMs = undefined;
    options.onClear?.();
  }

  /** What a failed post means for the batch that is still at the head of the outbox. */
  async function failed(batch: WorkerEvent[], error: unknown): Promise<void> {
    const isGone = error instanceof ServiceRefusal && (error.status === 409 || error.status === 404);
    if (error instanceof ServiceRefusal && error.code === 'event_gap' && (error.expected ?? 0) < (batch[0]?.n ?? 0)) {
      log.warn({ task: taskId, error: describeError(error) }, 'the service lacks events that it had taken; going on');
      outbox.renumber(error.expected ?? 1);
    } else if (isGone && !isArtifactsFull(error)) {
      over.abort();
      options.onLost();
    } else if (isTransient(error) || isCredentialRefused(error)) {
      log.debug({ task: taskId, error: describeError(error) }, 'events not taken yet');
      stuck();
      await clock.wait(backoff.nextMs(retryAfterMs(error)), ended);
    } else if (error instanceof ServiceRefusal) {
      // A poisoned event must hold up neither its neighbours nor the release.
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
    const mayWait = (): boolean => !hurry && !ended.aborted && !outbox.full() && clock.monotonicMs() < untilMs;
    while (mayWait()) await bell.heard(ended, untilMs - clock.monotonicMs());
  }

  async function pump(): Promise<void> {
    try {
      while (!ended.aborted) {
        const batch = outbox.head();
        if (batch === undefined) {
          await bell.heard(ended);
        } else {
          const nextMs = clock.monotonicMs() + windowMs;
          await post(batch);
          await gather(nextMs);
        }
      }
    } finally {
      // Whoever waits for room or for the end must not wait for a report that is over.
      over.abort();
      outbox.drop();
    }
  }

  const pumping = pump();
  // Only an error of our own makes the pump fail; it is thrown where the report is closed.
  pumping.catch(() => undefined);
  return {
    async emit(event) {
      if (ended.aborted) return;
      outbox.put(event);
      bell.ring();
      await outbox.room();
    },
    async flush() {
      hurry = true;
      bell.ring();
      await outbox.empty();
      hurry = false;
    },
    owed: () => outbox.owed(),
    over: () => ended.aborted,
    async [Symbol.asyncDispose]() {
      over.abort();
      await pumping;
    },
  };
}
