// A connection to Redis that reconnects by itself. Each attempt uses a new client, so that no state of a broken one
// remains, and each wait has a deadline. Messages lost during an outage are not replayed.
import { sleep } from '../../lib/wait.ts';

type Redis = typeof import('redis');
export type RedisClient = ReturnType<typeof createRedis>;

export interface RedisConnectionOptions {
  /** `redis[s]://[user:password@]host[:port][/database]` */
  readonly url: string;
  /** Prepares each new connection before it counts as up. A failure closes the connection. */
  readonly onUp: (client: RedisClient) => Promise<void> | void;
  /** Called once per outage, and when the first attempt fails. */
  readonly onDown: (why: string) => void;
  /** A number in [0, 1): spreads the attempts of many clients. */
  readonly random: () => number;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  readonly maxPauseMs?: number;
}

const handshakeMs = 3_000;
/** A connection without an answer for this long is dead, even while its socket is open. */
const silenceMs = 5_000;
const pingMs = 3_000;
const firstPauseMs = 250;
/** A connection that ends sooner counts to the outage before it, so that a flapping broker is reported once. */
const steadyMs = 10_000;

function createRedis({ createClient }: Redis, url: string) {
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

  /** Connects at once. */
  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#running = this.#run(this.#stop.signal);
  }

  /** The connection, while it is up. */
  get client(): RedisClient | undefined {
    return this.#client;
  }

  /** Resolves when the first attempt has succeeded or failed. */
  get firstAttempt(): Promise<void> {
    return this.#firstAttempt.promise;
  }

  async #run(stop: AbortSignal): Promise<void> {
    let [failures, isReported] = [0, false];
    // The first connection loads the library: it is half of all modules of a program, and most programs use no broker.
    const redis = await import('redis');
    while (!stop.aborted) {
      const beganMs = this.#options.elapsedMs();
      const why = await this.#runConnection(createRedis(redis, this.#options.url), stop);
      this.#firstAttempt.resolve();
      if (stop.aborted) return;
      if (this.#options.elapsedMs() - beganMs > steadyMs) [failures, isReported] = [0, false];
      if (!isReported) this.#options.onDown(why);
      isReported = true;
      const mostMs = Math.min(this.#options.maxPauseMs ?? 5_000, firstPauseMs * 2 ** Math.min(failures, 20));
      failures += 1;
      await sleep(mostMs * (0.5 + this.#options.random() / 2), stop, { ref: false });
    }
  }

  /** One connection from connecting to its end. @returns why it ended; never rejects */
  async #runConnection(client: RedisClient, stop: AbortSignal): Promise<string> {
    const ended = Promise.withResolvers<string>();
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

/** The answer of a command; rejects after `ms`. The library's own timeout covers only the time until a command is sent. */
export async function withTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
    // A later rejection has no receiver any more.
    answer.catch(() => undefined);
  }
}

/** The URL without user and password, for logs. */
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
