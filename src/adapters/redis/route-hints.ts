// The broker's hints: beside what replicas tell each other through PostgreSQL, a route key goes out for each task
// that waits, so that replicas and workers that listen look at once. core-6.3, choices-5.
//
// Anybody who reaches the broker may write there, so a message is a reason to look and nothing else: keys that were
// not computed here mean nothing, the others one look, and who looks bounds how often. Losing the broker costs nothing
// but time: the other bus says all of it too.
import { routeKeysIn, maxKeysInMessage, wakeChannel, wakeMessage } from '../../contracts/wake.ts';
import type { Wake, WakeBus } from '../../domain/ports/wake.ts';
import { RedisConnection, redactRedisUrl, withTimeout, type RedisClient } from '../../lib/net/redis-connection.ts';
import type { KnownRoutes } from './route-keys.ts';

export interface RouteHintsOptions {
  readonly url: string;
  readonly routes: KnownRoutes;
  /** What hints go through whatever becomes of the broker. */
  readonly others: WakeBus;
  readonly random: () => number;
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

const publishMs = 2_000;
/** While the broker is slow, keys gather; more than this are dropped: the other bus has told of them. */
const maxWaiting = 10_000;
/** The start waits for the broker no longer than this. */
const startMs = 2_000;

export class RouteHints implements WakeBus, AsyncDisposable {
  readonly #options: RouteHintsOptions;
  readonly #connection: RedisConnection;
  readonly #listeners = new Set<(wake: Wake) => void>();
  readonly #outbox = new Set<string>();
  /** Our own messages come back to us: how often each key is still to come. */
  readonly #echoes = new Map<string, number>();
  #sending = false;
  #downSince: number | undefined;

  constructor(options: RouteHintsOptions) {
    this.#options = options;
    const { url, random, log, elapsedMs } = options;
    this.#connection = new RedisConnection({
      url,
      random,
      elapsedMs,
      onUp: (client) => this.#open(client),
      onDown: (why) => {
        this.#downSince ??= elapsedMs();
        log(`the broker ${redactRedisUrl(url)} is away: hints go through PostgreSQL, workers poll`, { why });
      },
    });
  }

  /** Resolves when the broker is there, or is not for a while: that stops no start. */
  async open(): Promise<void> {
    await withTimeout(startMs, this.#connection.firstAttempt).catch(() => undefined);
  }

  get isUp(): boolean {
    return this.#connection.client !== undefined;
  }

  announce(wake: Wake): void {
    this.#options.others.announce(wake);
    if (wake.kind !== 'pending' || wake.needs.codebaseId === null || this.#outbox.size >= maxWaiting) return;
    this.#outbox.add(this.#options.routes.routeKeyOf(wake.tenantId, wake.needs.codebaseId));
    this.#send();
  }

  listen(listener: (wake: Wake) => void): () => void {
    const stop = this.#options.others.listen(listener);
    this.#listeners.add(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  }

  async #open(client: RedisClient): Promise<void> {
    this.#echoes.clear();
    this.#outbox.clear();
    await client.subscribe(wakeChannel, (message) => this.#receive(message));
    if (this.#downSince === undefined) return;
    const seconds = Math.round((this.#options.elapsedMs() - this.#downSince) / 1000);
    this.#downSince = undefined;
    this.#options.log(`the broker is there again after ${seconds} s`);
  }

  #receive(message: string): void {
    for (const key of routeKeysIn(message)) {
      const echoes = this.#echoes.get(key) ?? 0;
      if (echoes > 1) this.#echoes.set(key, echoes - 1);
      else if (echoes === 1) this.#echoes.delete(key);
      else this.#notify(key);
    }
  }

  #notify(key: string): void {
    const route = this.#options.routes.routeOf(key);
    if (route === undefined) return;
    for (const listener of this.#listeners) listener({ kind: 'route', ...route });
  }

  /** One message at a time; what gathers meanwhile goes in the next. */
  #send(): void {
    if (this.#sending || this.#outbox.size === 0 || !this.isUp) return;
    this.#sending = true;
    setImmediate(() => {
      const keys = [...this.#outbox].slice(0, maxKeysInMessage);
      for (const key of keys) this.#outbox.delete(key);
      // Owned: #publish never rejects.
      void this.#publish(keys).then(() => this.#send());
    });
  }

  async #publish(keys: readonly string[]): Promise<void> {
    const { client } = this.#connection;
    try {
      if (client === undefined || keys.length === 0) return;
      for (const key of keys) this.#echoes.set(key, (this.#echoes.get(key) ?? 0) + 1);
      await withTimeout(publishMs, client.publish(wakeChannel, wakeMessage(keys)));
    } catch {
      // The connection is broken or as good as: its line says so, once, and opens it again.
    } finally {
      this.#sending = false;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]();
  }
}
