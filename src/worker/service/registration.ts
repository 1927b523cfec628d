// Makes the worker known to the service, waits for the service to be there, and does it again when it has forgotten.
import type { Register } from '../../contracts/worker.ts';
import { createBackoff } from '../base/backoff.ts';
import type { ServiceClient } from './client.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { describeError, isTransient, retryAfterMs } from '../base/service-error.ts';

interface Registered {
  workerId: string;
  leaseMs: number;
  heartbeatMs: number;
  /** What the broker calls the routes of this worker; none where the service has no broker. */
  routeKeys: ReadonlySet<string>;
  /** What the service takes beyond the calls of the first release. */
  features: ReadonlySet<string>;
}

export interface Registration {
  current(): Registered;
  /** As `current`, after registering anew where that is in doubt. Rejects as the call does. */
  fresh(signal: AbortSignal): Promise<Registered>;
  /** The service does not know the worker (any more). */
  doubt(): void;
}

export interface RegistrationOptions {
  client: Pick<ServiceClient, 'register'>;
  /** What the worker says of itself. */
  introduction: Register;
  clock: Clock;
  random: () => number;
  log: Log;
}

/**
 * Registers, trying again while the service cannot be reached.
 * @throws ServiceRefusal where waiting would not help: a wrong token, a wrong address, an unknown codebase
 */
export async function register(options: RegistrationOptions, signal: AbortSignal): Promise<Registration> {
  const { client, clock, introduction, log } = options;
  const backoff = createBackoff({ firstMs: 500, maxMs: 15_000, random: options.random });

  async function once(abort: AbortSignal): Promise<Registered> {
    const answer = await client.register(introduction, abort);
    return {
      workerId: answer.worker.worker_id,
      leaseMs: answer.lease_seconds * 1000,
      heartbeatMs: answer.heartbeat_seconds * 1000,
      routeKeys: new Set(answer.route_keys),
      features: new Set(answer.features),
    };
  }

  async function untilThere(): Promise<Registered> {
    for (;;) {
      try {
        return await once(signal);
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error;
        log.warn({ error: describeError(error) }, 'cannot register yet, trying on');
        await clock.wait(backoff.nextMs(retryAfterMs(error)), signal);
      }
    }
  }

  let registered = await untilThere();
  let doubted = false;
  let underWay: Promise<void> | undefined;

  async function anew(abort: AbortSignal): Promise<void> {
    registered = await once(abort);
    doubted = false;
    log.info({ worker: registered.workerId }, 'registered again');
  }

  return {
    current: () => registered,
    async fresh(abort) {
      // One call for all who doubt at the same time.
      if (doubted) underWay ??= anew(abort).finally(() => (underWay = undefined));
      await underWay;
      return registered;
    },
    doubt() {
      doubted = true;
    },
  };
}
