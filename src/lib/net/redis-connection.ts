// A connection to Redis that opens itself again: each try is a client of its own, so that no state of a broken one
// is left, and each wait has an end. What is lost meanwhile is its user's affair.
import { createClient } from 'redis';

export type RedisClient = ReturnType<typeof createRedis>;

export interface RedisConnectionOptions {
  /** `redis[s]://[user:password@]host[:port][/database]` */
  readonly url: string;
  /** Prepares each new connection, before it counts as up; when it fails the connection is given up. */
  readonly onUp: (client: RedisClient) => Promise<void> | void;
  /** Told once for each outage, and at the start when the first try fails. */
  readonly onDown: (why: string) => void;
  /** A number from 0 to 1, without 1: spreads the tries of many. */
  readonly random: () => number;
  /** Milliseconds by a clock that is never set back. */
  readonly elapsedMs: () => number;
  readonly maxPauseMs?: number;
}

const handshakeMs = 3_000;
/** A connection without an answer for so long is dead, whatever its socket says. */
const silenceMs = 5_000;
const pingMs = 3_000;
const firstPauseMs = 250;
/** A connection that ends sooner belongs to the outage before it: what flaps is told of once. */
const steadyMs = 10_000;

function createRedis(url: string) {
  return createClient({
    url,
    pingInterval: pingMs,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: handshakeMs, socketTimeout: silenceMs, reconnectStrategy: false },
  });
}

export class RedisConnection implements AsyncDisposable {
  readonly #options: RedisConnectionOptions;
  readonly #stop = new AbortController();
  readonly #firstAttempt = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  #client: RedisClient | undefined;

  /** Begins at once. */
  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#running = this.#run(this.#stop.signal);
  }

  /** The connection, while it is up. */
  get client(): RedisClient | undefined {
    return this.#client;
  }

  /** Resolves when the first try has ended, one way or the other. */
  get firstAttempt(): Promise<void> {
    return this.#firstAttempt.promise;
  }

  async #run(stop: AbortSignal): Promise<void> {
    let [failures, isReported] = [0, false];
    while (!stop.aborted) {
      const beganMs = this.#options.elapsedMs();
      const why = await this.#runConnection(stop);
      this.#firstAttempt.resolve();
      if (stop.aborted) return;
      if (this.#options.elapsedMs() - beganMs > steadyMs) [failures, isReported] = [0, false];
      if (!isReported) this.#options.onDown(why);
      isReported = true;
      const mostMs = Math.min(this.#options.maxPauseMs ?? 5_000, firstPauseMs * 2 ** Math.min(failures, 20));
      failures += 1;
      await pause(mostMs * (0.5 + this.#options.random() / 2), stop);
    }
  }

  /** One connection, from its first byte to its end. @returns why it ended; never rejects */
  async #runConnection(stop: AbortSignal): Promise<string> {
    const ended = Promise.withResolvers<string>();
    const client = createRedis(this.#options.url);
    client.on('error', (error: unknown) => ended.resolve(reasonOf(error)));
    client.on('end', () => ended.resolve('the connection was closed'));
    const onStop = (): void => ended.resolve('stopped');
    stop.addEventListener('abort', onStop, { once: true });
    try {
      await Promise.race([withTimeout(handshakeMs, this.#prepare(client)), ended.promise.then(refuse)]);
      this.#client = client;
      this.#firstAttempt.resolve();
      return await ended.promise;
    } catch (error) {
      return reasonOf(error);
    } finally {
      this.#client = undefined;
      stop.removeEventListener('abort', onStop);
      client.destroy();
    }
  }

  async #prepare(client: RedisClient): Promise<void> {
    await client.connect();
    await this.#options.onUp(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

/** What a command answers, or a refusal after `ms`: the library's own deadline ends when a command is sent. */
export async function withTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
    // Whichever comes later is nobody's any more.
    answer.catch(() => undefined);
  }
}

/** An address as it may be shown: without user and password. */
export function redactRedisUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

function refuse(why: string): never {
  throw new Error(why);
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    timer.unref();
    function done(): void {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      resolve();
    }
    stop.addEventListener('abort', done, { once: true });
  });
}
