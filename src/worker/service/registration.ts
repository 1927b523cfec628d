// Registers the worker, waits for the service to be reachable, and registers again when the service has forgotten it.
import type { Register } from '../../contracts/worker.ts';
import { Backoff } from '../base/backoff.ts';
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

export interface RegistrationOptions {
  readonly client: Pick<WorkerClient, 'register'>;
  /** The body of the registration. */
  readonly workerInfo: Register;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
}

/** A worker that is registered, and registers again once the service has forgotten it. */
export class WorkerRegistration {
  readonly #options: RegistrationOptions;
  #registered: Registered;
  /** The service does not know the worker (any more). */
  #isStale = false;
  /** Concurrent callers share one registration. */
  #underWay: Promise<void> | undefined;

  private constructor(options: RegistrationOptions, registered: Registered) {
    this.#options = options;
    this.#registered = registered;
  }

  /**
   * Registers, and retries while the service cannot be reached.
   * @throws ServiceRefusal where waiting would not help: a wrong token, a wrong address, an unknown codebase
   */
  static async open(options: RegistrationOptions, signal: AbortSignal): Promise<WorkerRegistration> {
    const { clock, log, random } = options;
    const backoff = new Backoff({ firstMs: 500, maxMs: 15_000, random });
    for (;;) {
      try {
        return new WorkerRegistration(options, await register(options, signal));
      } catch (error) {
        if (signal.aborted || !isTransientError(error)) throw error;
        log.warn({ error: describeError(error) }, 'could not register; will retry');
        await clock.wait(backoff.nextMs(retryAfterMs(error)), signal);
      }
    }
  }

  current(): Registered {
    return this.#registered;
  }

  /** As `current`, after registering again where it was invalidated. Rejects as the call does. */
  async fresh(signal: AbortSignal): Promise<Registered> {
    if (this.#isStale) this.#underWay ??= this.#registerAgain(signal).finally(() => (this.#underWay = undefined));
    await this.#underWay;
    return this.#registered;
  }

  /** Must be called when the service does not know the worker (any more). */
  invalidate(): void {
    this.#isStale = true;
  }

  async #registerAgain(signal: AbortSignal): Promise<void> {
    this.#registered = await register(this.#options, signal);
    this.#isStale = false;
    this.#options.log.info({ worker: this.#registered.workerId }, 'registered again');
  }
}

async function register(
  { client, workerInfo }: Pick<RegistrationOptions, 'client' | 'workerInfo'>,
  signal: AbortSignal,
): Promise<Registered> {
  const answer = await client.register(workerInfo, signal);
  return {
    workerId: answer.worker.worker_id,
    leaseMs: answer.lease_seconds * 1000,
    heartbeatMs: answer.heartbeat_seconds * 1000,
    routeKeys: new Set(answer.route_keys),
    features: new Set(answer.features),
  };
}
