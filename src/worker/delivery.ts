// Brings the outcome of a run to the service: everything said before it first, then the release, until it is answered.
import type { NewArtifact, Release } from '../contracts/worker.ts';
import { createBackoff } from './backoff.ts';
import type { ServiceClient } from './client.ts';
import type { Clock } from './clock.ts';
import type { Outcome } from './execute.ts';
import type { Log } from './log.ts';
import type { Report } from './report.ts';
import { describeError, isTransient, retryAfterMs, ServiceRefusal } from './service-error.ts';

export interface Delivery {
  /** Resolves when the service has answered for good, or `signal` aborts. */
  release(outcome: Outcome): Promise<void>;
  /** After a cancel: what the killed run left, and word that its slot is free. choices §2. */
  bow(outcome: Outcome): Promise<void>;
}

export interface DeliveryOptions {
  taskId: string;
  leaseToken: string;
  client: Pick<ServiceClient, 'release'>;
  report: Report;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Aborts when the worker waits no longer for the service to take results. */
  signal: AbortSignal;
  /** Whether a heartbeat was told that the lease is gone. */
  leaseGone: () => boolean;
}

/** A release may be 1 MiB, events 16 MiB (choices §1): artifacts beyond this travel as events. */
const releasedArtifactBytes = 500_000;
const takenAfterCancelMs = 10_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { client, clock, log, report, signal, taskId } = options;

  /** True when the service has answered: taken, or a no that stays one. */
  async function settle(body: Release): Promise<boolean> {
    try {
      await client.release(taskId, body, signal);
      log.info({ task: taskId, status: body.status }, 'released');
    } catch (error) {
      if (isTransient(error) && !signal.aborted) throw error;
      log.warn({ task: taskId, status: body.status, error: describeError(error) }, 'release not taken');
      return error instanceof ServiceRefusal ? refused(body, error) : true;
    }
    return true;
  }

  async function refused(body: Release, error: ServiceRefusal): Promise<boolean> {
    if (error.status === 409) {
      // Cancelled in this very moment: then at least what it made is kept. If the lease is lost, nobody takes it.
      await leave(body.artifacts ?? []);
    } else if ((error.status === 400 || error.status === 413 || error.status === 422) && body.artifacts !== undefined) {
      // Better a task that says what went wrong than one that runs again and again for a result nobody can take.
      const reason = { code: 'result_refused', message: describeError(error).slice(0, 20_000) };
      return settle({ lease_token: body.lease_token, status: 'failed', error: reason });
    }
    return true;
  }

  async function untilAnswered(body: Release): Promise<void> {
    const backoff = createBackoff({ firstMs: 300, maxMs: 10_000, random: options.random });
    while (!signal.aborted) {
      // An expired lease still completes until the reaper has been there, so one try after the bad news is due.
      const last = options.leaseGone();
      try {
        if (await settle(body)) return;
      } catch (error) {
        log.warn({ task: taskId, error: describeError(error) }, 'release not answered yet');
        if (last && error instanceof ServiceRefusal) return;
        await clock.wait(backoff.nextMs(retryAfterMs(error)), signal);
      }
    }
  }

  /** Within the time in which the service takes what a killed run made. */
  async function leave(artifacts: readonly NewArtifact[]): Promise<void> {
    const ended = new AbortController();
    const sent = (async () => {
      for (const artifact of artifacts) await report.emit({ type: 'artifact', ...artifact });
      await report.flush();
    })();
    await Promise.race([sent, clock.wait(takenAfterCancelMs, AbortSignal.any([signal, ended.signal]))]);
    ended.abort();
  }

  return {
    async bow({ artifacts = [] }) {
      await leave(artifacts);
      // The record has the cancel already; that the worker is free again is news, and no more than that.
      await settle({ lease_token: options.leaseToken, status: 'cancelled' }).catch((error: unknown) => {
        log.debug({ task: taskId, error: describeError(error) }, 'end of a cancelled run not told');
      });
    },
    async release(outcome) {
      const { artifacts = [], ...rest } = outcome;
      const small = JSON.stringify(artifacts).length <= releasedArtifactBytes;
      if (!small) for (const artifact of artifacts) await report.emit({ type: 'artifact', ...artifact });
      await report.flush();
      await untilAnswered({ ...rest, lease_token: options.leaseToken, artifacts: small ? artifacts : [] });
    },
  };
}
