// Registers the worker, waits for the service to be reachable, and registers again when the service has forgotten it.
import type { Register } from '../../contracts/worker.ts';
import { createBackoff } from '../base/backoff.ts';
import type { WorkerClient } from './client.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import { describeError, isTransientError, retryAfterMs } from '../base/service-error.ts';

interface Registered {
  readonly workerId: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** The broker's keys of this worker's routes; empty where the service has no broker. */
  readonly routeKeys: ReadonlySet<string>;
  /** Features of the service beyond those of the first release. */
  readonly features: ReadonlySet<string>;
}

export interface WorkerRegistration {
  current(): Registered;
  /** As `current`, after registering again where it was invalidated. Rejects as the call does. */
  fresh(signal: AbortSignal): Promise<Registered>;
  /** Must be called when the service does not know the worker (any more). */
  invalidate(): void;
}

export interface RegistrationOptions {
  readonly client: Pick<WorkerClient, 'register'>;
  /** The body of the registration. */
  readonly workerInfo: Register;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
}

/**
 * Registers, and retries while the service cannot be reached.
 * @throws ServiceRefusal where waiting would not help: a wrong token, a wrong address, an unknown codebase
 */
export async function openRegistration(options: RegistrationOptions, signal: AbortSignal): Promise<WorkerRegistration> {
  const { client, clock, workerInfo, log } = options;
  const backoff = createBackoff({ firstMs: 500, maxMs: 15_000, random: options.random });

  async function registerOnce(abort: AbortSignal): Promise<Registered> {
    const answer = await client.register(workerInfo, abort);
    return {
      workerId: answer.worker.worker_id,
      leaseMs: answer.lease_seconds * 1000,
      heartbeatMs: answer.heartbeat_seconds * 1000,
      routeKeys: new Set(answer.route_keys),
      features: new Set(answer.features),
    };
  }

  async function registerWithRetry(): Promise<Registered> {
    for (;;) {
      try {
        return await registerOnce(signal);
      } catch (error) {
        if (signal.aborted || !isTransientError(error)) throw error;
        log.warn({ error: describeError(error) }, 'could not register; will retry');
        await clock.wait(backoff.nextMs(retryAfterMs(error)), signal);
      }
    }
  }

  let registered = await registerWithRetry();
  let isStale = false;
  let underWay: Promise<void> | undefined;

  async function registerAgain(abort: AbortSignal): Promise<void> {
    registered = await registerOnce(abort);
    isStale = false;
    log.info({ worker: registered.workerId }, 'registered again');
  }

  return {
    current: () => registered,
    async fresh(abort) {
      // Concurrent callers share one registration.
      if (isStale) underWay ??= registerAgain(abort).finally(() => (underWay = undefined));
      await underWay;
      return registered;
    },
    invalidate() {
      isStale = true;
    },
  };
}
