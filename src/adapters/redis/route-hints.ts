// Wake hints through the broker. In addition to the notifications through PostgreSQL, a route key is published for each
// pending task, so that subscribed replicas and workers poll at once. core-6.3, choices-5.
//
// Anyone with access to the broker may publish there, so a message is never more than a reason to poll: unknown keys are
// ignored, a known key causes one poll, and the subscriber limits how often it polls. Losing the broker costs time only,
// for the other bus carries the same notifications.
import { routeKeysIn, maxKeysInMessage, wakeChannel, wakeMessage } from '../../contracts/wake.ts';
import type { Wake, WakeBus } from '../../domain/ports/wake.ts';
import { RedisConnection, redactRedisUrl, withTimeout, type RedisClient } from './connection.ts';
import type { KnownRoutes } from './route-keys.ts';

export interface RouteHintsOptions {
  readonly url: string;
  readonly routes: KnownRoutes;
  /** The bus that carries every notification, with or without the broker. */
  readonly others: WakeBus;
  readonly random: () => number;
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

const publishMs = 2_000;
/** Keys waiting for a slow broker; further keys are dropped, for the other bus has carried them. */
const maxWaiting = 10_000;
/** How long start-up waits for the broker. */
const startMs = 2_000;

export class RouteHints implements WakeBus, AsyncDisposable {
  readonly #options: RouteHintsOptions;
  readonly #connection: RedisConnection;
  readonly #listeners = new Set<(wake: Wake) => void>();
  readonly #outbox = new Set<string>();
  /** The broker echoes our own messages: how many echoes of each key are still expected. */
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
        log(`broker ${redactRedisUrl(url)} unavailable: hints go through PostgreSQL only, workers poll`, { why });
      },
    });
  }

  /** Resolves when the broker is connected, or after two seconds: start-up does not depend on it. */
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
    this.#options.log(`broker available again after ${seconds} s`);
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

  /** Publishes one message at a time; keys added meanwhile wait for the next. */
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
      // The connection is broken or unresponsive: it logs that once, and reconnects.
    } finally {
      this.#sending = false;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]();
  }
}
