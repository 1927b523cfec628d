// Delivers the outcome of an attempt to the service: pending events first, then the release, until it is answered. A
// slow delivery is saved in the spool too, so that it survives this process.
import type { NewArtifact, Release, WorkerEvent } from '../../contracts/worker.ts';
import { Backoff } from '../base/backoff.ts';
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { TaskOutcome } from './task-outcome.ts';
import type { WorkerLog } from '../base/log.ts';
import type { EventReporter } from './event-reporter.ts';
import {
  describeError,
  isArtifactsFull,
  isCredentialRefused,
  isTransientError,
  retryAfterMs,
  ServiceRefusal,
} from '../base/service-error.ts';
import type { SpoolEntry } from './spool-entry.ts';

export interface OutcomeDeliveryOptions {
  readonly taskId: string;
  readonly leaseToken: string;
  readonly client: Pick<WorkerClient, 'release'>;
  readonly reporter: EventReporter;
  readonly spoolEntry: SpoolEntry;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
  /** Aborts when the worker stops waiting for the service to take results. */
  readonly signal: AbortSignal;
  /** Whether a heartbeat reported that the lease is gone. */
  readonly leaseGone: () => boolean;
  /** Whether the lease was lost for good, and `signal` aborted for that. */
  readonly leaseLost: () => boolean;
  /** The span under which the requests are sent. */
  readonly traceparent?: string | undefined;
}

/** The result of a release: taken, refused for good (with the reason), or not answered. */
type ReleaseResult = 'taken' | 'unanswered' | { refused: string };

/** A release may have 1 MiB, events 16 MiB (choices-1): larger artifacts are sent as events. */
const releasedArtifactBytes = 500_000;
const takenAfterCancelMs = 10_000;
/** A service that answers within this time costs no write to the disk. */
const spoolAfterMs = 1000;

/** Delivers the release of one attempt. Its methods resolve when the service has answered for good. */
export class OutcomeDelivery {
  readonly #options: OutcomeDeliveryOptions;

  constructor(options: OutcomeDeliveryOptions) {
    this.#options = options;
  }

  /** Resolves when the service has answered for good, or `signal` aborts; the release is in the spool then. */
  async release(outcome: TaskOutcome): Promise<void> {
    const { leaseToken, reporter } = this.#options;
    const { artifacts = [], ...rest } = outcome;
    const small = JSON.stringify(artifacts).length <= releasedArtifactBytes;
    // All artifacts are queued at once, so that the spool record has them all.
    const sent = small ? [] : artifacts.map((artifact) => reporter.emit({ type: 'artifact', ...artifact }));
    const body = { ...rest, lease_token: leaseToken, artifacts: small ? artifacts : [] };
    await this.#deliver(body, () => Promise.all(sent));
  }

  /** After a cancel: delivers the artifacts of the killed attempt, and reports that its slot is free. choices-2. */
  async reportCancelled({ artifacts = [] }: TaskOutcome): Promise<void> {
    const { client, leaseToken, log, signal, spoolEntry, taskId } = this.#options;
    await this.#deliverArtifacts(artifacts);
    try {
      // The service has recorded the cancel already; this only reports that the slot is free again.
      await client.release(taskId, { lease_token: leaseToken, status: 'cancelled' }, signal);
    } catch (error) {
      const message = 'could not report the end of a cancelled attempt; its lease will expire';
      log.debug({ task: taskId, error: describeError(error) }, message);
    }
    await spoolEntry.settle();
  }

  /** Delivers a release from the spool, after the reporter's own events. */
  resume(body: Release): Promise<void> {
    return this.#deliver(body, () => Promise.resolve());
  }

  /** Delivers events and release; saves them on disk if that takes long, and dead-letters what is refused for good. */
  async #deliver(body: Release, sent: () => Promise<unknown>): Promise<void> {
    const { clock, leaseLost, reporter, signal, spoolEntry } = this.#options;
    const pending = reporter.pending();
    const answered = new AbortController();
    const writing = (async () => {
      await clock.wait(spoolAfterMs, AbortSignal.any([signal, answered.signal]));
      if (!answered.signal.aborted) await spoolEntry.write(pending, body);
    })();
    try {
      await sent();
      await reporter.flush();
      const answer = await this.#untilAnswered(body);
      const lost = answer === 'unanswered' && leaseLost();
      const settled = lost ? { refused: 'The lease was lost.' } : answer;
      if (settled === 'unanswered') return;
      answered.abort();
      await writing;
      if (settled === 'taken') await spoolEntry.settle();
      else await this.#deadLetter(pending, body, settled.refused);
    } finally {
      answered.abort();
      await writing;
    }
  }

  async #untilAnswered(body: Release): Promise<ReleaseResult> {
    const { clock, leaseGone, log, random, signal, taskId } = this.#options;
    const backoff = new Backoff({ firstMs: 300, maxMs: 10_000, random });
    while (!signal.aborted) {
      // An expired lease still completes until the reaper has run, so one try after the loss is due.
      const last = leaseGone();
      try {
        return await this.#tryRelease(body);
      } catch (error) {
        log.warn({ task: taskId, error: describeError(error) }, 'could not deliver the release; will retry');
        if (last && error instanceof ServiceRefusal) return { refused: describeError(error) };
        await clock.wait(backoff.nextMs(retryAfterMs(error)), signal);
      }
    }
    return 'unanswered';
  }

  /** @throws errors that may be transient */
  async #tryRelease(body: Release): Promise<ReleaseResult> {
    const { client, log, signal, taskId, traceparent } = this.#options;
    try {
      await client.release(taskId, body, signal, traceparent);
      log.info({ task: taskId, status: body.status }, 'released');
      return 'taken';
    } catch (error) {
      if (signal.aborted) return 'unanswered';
      if (isTransientError(error) || isCredentialRefused(error)) throw error;
      log.warn({ task: taskId, status: body.status, error: describeError(error) }, 'the service refused the release');
      if (!(error instanceof ServiceRefusal)) throw error;
      return this.#onRefusal(body, error);
    }
  }

  async #onRefusal(body: Release, error: ServiceRefusal): Promise<ReleaseResult> {
    const why = describeError(error).slice(0, 20_000);
    if (error.status === 409 && !isArtifactsFull(error)) {
      // The task was cancelled just now: its artifacts are delivered at least. If the lease is lost, nobody takes them.
      return (await this.#deliverArtifacts(body.artifacts ?? [])) ? 'taken' : { refused: why };
    }
    if ([400, 409, 413, 422].includes(error.status) && body.artifacts !== undefined) {
      // A failed task with a reason is better than a task that is repeated again and again for a result that is always
      // refused.
      const failed = { lease_token: body.lease_token, status: 'failed' as const };
      const settled = await this.#tryRelease({ ...failed, error: { code: 'result_refused', message: why } });
      return settled === 'taken' ? { refused: why } : settled;
    }
    return { refused: why };
  }

  async #deadLetter(pending: readonly WorkerEvent[], body: Release, why: string): Promise<void> {
    const { log, spoolEntry, taskId } = this.#options;
    // A task that is released as pending has no result to lose.
    if (body.status === 'pending') return spoolEntry.settle();
    const file = await spoolEntry.deadLetter(pending, body, why);
    log.warn({ task: taskId, file: file ?? 'nowhere' }, 'the service refuses a result; moved it to the dead letters');
  }

  /** Within the time in which the service takes artifacts of a killed attempt. @returns whether it took them */
  async #deliverArtifacts(artifacts: readonly NewArtifact[]): Promise<boolean> {
    const { clock, reporter, signal } = this.#options;
    const ended = new AbortController();
    let taken = false;
    const sent = (async () => {
      for (const artifact of artifacts) await reporter.emit({ type: 'artifact', ...artifact });
      await reporter.flush();
      taken = !reporter.isClosed();
    })();
    await Promise.race([sent, clock.wait(takenAfterCancelMs, AbortSignal.any([signal, ended.signal]))]);
    ended.abort();
    return taken;
  }
}
