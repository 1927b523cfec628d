// Brings the outcome of a run to the service: everything said before it first, then the release, until it is answered;
// what takes long waits in the spool too, so that it outlives this process.
import type { NewArtifact, Release, WorkerEvent } from '../../contracts/worker.ts';
import { createBackoff } from '../base/backoff.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { Outcome } from '../attempt/execute.ts';
import type { Log } from '../base/log.ts';
import type { Report } from './report.ts';
import {
  describeError,
  isArtifactsFull,
  isCredentialRefused,
  isTransient,
  retryAfterMs,
  ServiceRefusal,
} from '../base/service-error.ts';
import type { Parking } from './parking.ts';

export interface Delivery {
  /** Resolves when the service has answered for good, or `signal` aborts; then it waits in the spool. */
  release(outcome: Outcome): Promise<void>;
  /** After a cancel: what the killed run left, and word that its slot is free. choices §2. */
  bow(outcome: Outcome): Promise<void>;
  /** A release from the spool, after the report's own events. */
  resume(body: Release): Promise<void>;
}

export interface DeliveryOptions {
  taskId: string;
  leaseToken: string;
  client: Pick<ServiceClient, 'release'>;
  report: Report;
  parking: Parking;
  clock: Clock;
  random: () => number;
  log: Log;
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
type Settled = 'taken' | 'unanswered' | { refused: string };

/** A release may be 1 MiB, events 16 MiB (choices §1): artifacts beyond this travel as events. */
const releasedArtifactBytes = 500_000;
const takenAfterCancelMs = 10_000;
/** A service that answers within this time costs no write to the disk. */
const parkAfterMs = 1000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { client, clock, log, parking, report, signal, taskId } = options;

  /** @throws what may be different the next time */
  async function tryRelease(body: Release): Promise<Settled> {
    try {
      await client.release(taskId, body, signal, options.traceparent);
      log.info({ task: taskId, status: body.status }, 'released');
      return 'taken';
    } catch (error) {
      if (signal.aborted) return 'unanswered';
      if (isTransient(error) || isCredentialRefused(error)) throw error;
      log.warn({ task: taskId, status: body.status, error: describeError(error) }, 'release not taken');
      if (!(error instanceof ServiceRefusal)) throw error;
      return refused(body, error);
    }
  }

  async function refused(body: Release, error: ServiceRefusal): Promise<Settled> {
    const why = describeError(error).slice(0, 20_000);
    if (error.status === 409 && !isArtifactsFull(error)) {
      // Cancelled in this very moment: then at least what it made is kept. If the lease is lost, nobody takes it.
      return (await leave(body.artifacts ?? [])) ? 'taken' : { refused: why };
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

  async function untilAnswered(body: Release): Promise<Settled> {
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
  async function settle(owed: readonly WorkerEvent[], body: Release, sent: () => Promise<unknown>): Promise<void> {
    const answered = new AbortController();
    const writing = (async () => {
      await clock.wait(parkAfterMs, AbortSignal.any([signal, answered.signal]));
      if (!answered.signal.aborted) await parking.park(owed, body);
    })();
    try {
      await sent();
      await report.flush();
      const answer = await untilAnswered(body);
      const lost = answer === 'unanswered' && options.leaseLost();
      const settled = lost ? { refused: 'The lease was lost.' } : answer;
      if (settled === 'unanswered') return;
      answered.abort();
      await writing;
      if (settled === 'taken') await parking.settle();
      else await bury(owed, body, settled.refused);
    } finally {
      answered.abort();
      await writing;
    }
  }

  async function bury(owed: readonly WorkerEvent[], body: Release, why: string): Promise<void> {
    // A task that is given back has no result that could be lost.
    if (body.status === 'pending') return parking.settle();
    const file = await parking.bury(owed, body, why);
    log.warn({ task: taskId, file: file ?? 'nowhere' }, 'a result that the service does not take was set aside');
  }

  /** Within the time in which the service takes what a killed run made. @returns whether it took it */
  async function leave(artifacts: readonly NewArtifact[]): Promise<boolean> {
    const ended = new AbortController();
    let taken = false;
    const sent = (async () => {
      for (const artifact of artifacts) await report.emit({ type: 'artifact', ...artifact });
      await report.flush();
      taken = !report.over();
    })();
    await Promise.race([sent, clock.wait(takenAfterCancelMs, AbortSignal.any([signal, ended.signal]))]);
    ended.abort();
    return taken;
  }

  return {
    async bow({ artifacts = [] }) {
      await leave(artifacts);
      try {
        // The record has the cancel already; that the worker is free again is news, and no more than that.
        await client.release(taskId, { lease_token: options.leaseToken, status: 'cancelled' }, signal);
      } catch (error) {
        log.debug({ task: taskId, error: describeError(error) }, 'end of a cancelled run not told');
      }
      await parking.settle();
    },
    async release(outcome) {
      const { artifacts = [], ...rest } = outcome;
      const small = JSON.stringify(artifacts).length <= releasedArtifactBytes;
      // All put down at once, so that what is owed has them all.
      const sent = small ? [] : artifacts.map((artifact) => report.emit({ type: 'artifact', ...artifact }));
      const body = { ...rest, lease_token: options.leaseToken, artifacts: small ? artifacts : [] };
      await settle(report.owed(), body, () => Promise.all(sent));
    },
    resume: (body) => settle(report.owed(), body, () => Promise.resolve()),
  };
}
