// Brings the outcome of a run to the service: everything said before it first, then the release, until it is answered;
// what takes long waits in the spool too, so that it outlives this process.
import type { NewArtifact, Release, WorkerEvent } from '../../contracts/worker.ts';
import { createBackoff } from '../base/backoff.ts';
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { TaskOutcome } from '../attempt/execute.ts';
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

export interface OutcomeDelivery {
  /** Resolves when the service has answered for good, or `signal` aborts; then it waits in the spool. */
  release(outcome: TaskOutcome): Promise<void>;
  /** After a cancel: what the killed run left, and word that its slot is free. choices-2. */
  reportCancelled(outcome: TaskOutcome): Promise<void>;
  /** A release from the spool, after the report's own events. */
  resume(body: Release): Promise<void>;
}

export interface OutcomeDeliveryOptions {
  taskId: string;
  leaseToken: string;
  client: Pick<WorkerClient, 'release'>;
  reporter: EventReporter;
  spoolEntry: SpoolEntry;
  clock: Clock;
  random: () => number;
  log: WorkerLog;
  /** Aborts when the worker waits no longer for the service to take results. */
  signal: AbortSignal;
  /** Whether a heartbeat was told that the lease is gone. */
  leaseGone: () => boolean;
  /** Whether the lease was lost for good, and `signal` aborted for that. */
  leaseLost: () => boolean;
  /** The span that it is sent under. */
  traceparent?: string | undefined;
}

/** What became of a release: taken, refused for good (with why), or still not answered. */
type ReleaseResult = 'taken' | 'unanswered' | { refused: string };

/** A release may be 1 MiB, events 16 MiB (choices-1): artifacts beyond this travel as events. */
const releasedArtifactBytes = 500_000;
const takenAfterCancelMs = 10_000;
/** A service that answers within this time costs no write to the disk. */
const spoolAfterMs = 1000;

export function createOutcomeDelivery(options: OutcomeDeliveryOptions): OutcomeDelivery {
  const { client, clock, log, spoolEntry, reporter, signal, taskId } = options;

  /** @throws what may be different the next time */
  async function tryRelease(body: Release): Promise<ReleaseResult> {
    try {
      await client.release(taskId, body, signal, options.traceparent);
      log.info({ task: taskId, status: body.status }, 'released');
      return 'taken';
    } catch (error) {
      if (signal.aborted) return 'unanswered';
      if (isTransientError(error) || isCredentialRefused(error)) throw error;
      log.warn({ task: taskId, status: body.status, error: describeError(error) }, 'release not taken');
      if (!(error instanceof ServiceRefusal)) throw error;
      return refused(body, error);
    }
  }

  async function refused(body: Release, error: ServiceRefusal): Promise<ReleaseResult> {
    const why = describeError(error).slice(0, 20_000);
    if (error.status === 409 && !isArtifactsFull(error)) {
      // Cancelled in this very moment: then at least what it made is kept. If the lease is lost, nobody takes it.
      return (await deliverArtifacts(body.artifacts ?? [])) ? 'taken' : { refused: why };
    }
    if ([400, 409, 413, 422].includes(error.status) && body.artifacts !== undefined) {
      // Better a task that says what went wrong than one that runs again and again for a result nobody can take.
      const settled = await tryRelease({
        lease_token: body.lease_token,
        status: 'failed',
        error: { code: 'result_refused', message: why },
      });
      return settled === 'taken' ? { refused: why } : settled;
    }
    return { refused: why };
  }

  async function untilAnswered(body: Release): Promise<ReleaseResult> {
    const backoff = createBackoff({ firstMs: 300, maxMs: 10_000, random: options.random });
    while (!signal.aborted) {
      // An expired lease still completes until the reaper has been there, so one try after the bad news is due.
      const last = options.leaseGone();
      try {
        return await tryRelease(body);
      } catch (error) {
        log.warn({ task: taskId, error: describeError(error) }, 'release not answered yet');
        if (last && error instanceof ServiceRefusal) return { refused: describeError(error) };
        await clock.wait(backoff.nextMs(retryAfterMs(error)), signal);
      }
    }
    return 'unanswered';
  }

  /** Sends what is owed; writes it down if that takes long, and keeps what nobody will ever take. */
  async function deliver(pending: readonly WorkerEvent[], body: Release, sent: () => Promise<unknown>): Promise<void> {
    const answered = new AbortController();
    const writing = (async () => {
      await clock.wait(spoolAfterMs, AbortSignal.any([signal, answered.signal]));
      if (!answered.signal.aborted) await spoolEntry.write(pending, body);
    })();
    try {
      await sent();
      await reporter.flush();
      const answer = await untilAnswered(body);
      const lost = answer === 'unanswered' && options.leaseLost();
      const settled = lost ? { refused: 'The lease was lost.' } : answer;
      if (settled === 'unanswered') return;
      answered.abort();
      await writing;
      if (settled === 'taken') await spoolEntry.settle();
      else await deadLetter(pending, body, settled.refused);
    } finally {
      answered.abort();
      await writing;
    }
  }

  async function deadLetter(pending: readonly WorkerEvent[], body: Release, why: string): Promise<void> {
    // A task that is given back has no result that could be lost.
    if (body.status === 'pending') return spoolEntry.settle();
    const file = await spoolEntry.deadLetter(pending, body, why);
    log.warn({ task: taskId, file: file ?? 'nowhere' }, 'a result that the service does not take was set aside');
  }

  /** Within the time in which the service takes what a killed run made. @returns whether it took it */
  async function deliverArtifacts(artifacts: readonly NewArtifact[]): Promise<boolean> {
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

  return {
    async reportCancelled({ artifacts = [] }) {
      await deliverArtifacts(artifacts);
      try {
        // The record has the cancel already; that the worker is free again is news, and no more than that.
        await client.release(taskId, { lease_token: options.leaseToken, status: 'cancelled' }, signal);
      } catch (error) {
        log.debug({ task: taskId, error: describeError(error) }, 'end of a cancelled run not told');
      }
      await spoolEntry.settle();
    },
    async release(outcome) {
      const { artifacts = [], ...rest } = outcome;
      const small = JSON.stringify(artifacts).length <= releasedArtifactBytes;
      // All put down at once, so that what is owed has them all.
      const sent = small ? [] : artifacts.map((artifact) => reporter.emit({ type: 'artifact', ...artifact }));
      const body = { ...rest, lease_token: options.leaseToken, artifacts: small ? artifacts : [] };
      await deliver(reporter.pending(), body, () => Promise.all(sent));
    },
    resume: (body) => deliver(reporter.pending(), body, () => Promise.resolve()),
  };
}
