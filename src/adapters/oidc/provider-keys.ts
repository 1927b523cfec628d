// A cache of the provider's keys: fetched when first needed, refreshed, and kept through an outage.
import { errors, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { unavailable } from '../../domain/model/errors.ts';
import { deadlineMs, discover, fetchKeys, type DiscoveryOptions } from './discovery.ts';

export interface ProviderKeysOptions extends DiscoveryOptions {
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

/** Keys are fetched again after this long; from then on a key that the provider removed is rejected. */
const freshMs = 5 * 60_000;
/** During an outage, cached keys are used for this long. */
const usableMs = 60 * 60_000;
/** The discovery document is fetched again after this long, and after every failure. */
const discoveryMs = 60 * 60_000;
/** Shortest time between two refetches caused by an unknown key id. choices-1. */
const refetchMs = 30_000;
/** Pause before the next attempt after a failure; the shorter one applies without usable keys. */
const backoffMs = 30_000;
const shortBackoffMs = 5_000;

interface Known {
  readonly keys: LocalJWKSet;
  readonly at: number;
}

export class ProviderKeys {
  readonly #options: ProviderKeysOptions;
  #known: Known | undefined;
  /** The address of the key set, and when it was discovered. */
  #keysLocation: { readonly url: URL; readonly at: number } | undefined;
  #loading: Promise<Known | undefined> | undefined;
  /** Whether the last attempt failed. */
  #isDown = false;
  #failedAt = -Infinity;
  #refetchedAt = -Infinity;

  constructor(options: ProviderKeysOptions) {
    this.#options = options;
  }

  /**
   * The keys to verify one token with.
   * @returns `inUse` stays the same object until other keys are fetched. `keyFor` returns the key for the algorithm and
   * key id of a token's header, or throws JWKSNoMatchingKey when the provider has no such key
   * @throws DomainError unavailable when the provider does not answer; `keyFor` too
   */
  async forToken(): Promise<{ readonly inUse: object; readonly keyFor: JWTVerifyGetKey }> {
    const before = this.#known;
    const known = await this.#usable();
    const keyFor: JWTVerifyGetKey = async (header, token) => {
      try {
        return await known.keys(header, token);
      } catch (error) {
        // Keys that were just fetched for this token are not fetched again for it.
        if (!(error instanceof errors.JWKSNoMatchingKey) || known !== before) throw error;
        return (await this.#newerThan(known, error)).keys(header, token);
      }
    };
    return { inUse: known, keyFor };
  }

  /** @throws DomainError unavailable */
  async #usable(): Promise<Known> {
    const known = this.#known;
    const age = known === undefined ? Infinity : this.#options.elapsedMs() - known.at;
    if (known !== undefined && age < freshMs) return known;
    const usable = age < usableMs ? known : undefined;
    const backoff = usable === undefined ? shortBackoffMs : backoffMs;
    const inBackoff = this.#options.elapsedMs() - this.#failedAt < backoff;
    const loaded = inBackoff ? undefined : await this.#load();
    const found = loaded ?? usable;
    if (found === undefined) throw this.#unavailable();
    return found;
  }

  /**
   * Newer keys after an unknown key id: one refetch, shared by all callers.
   * @throws `noMatch` when the last refetch was too recent; DomainError unavailable when the provider does not answer
   */
  async #newerThan(known: Known, noMatch: unknown): Promise<Known> {
    // A concurrent caller has refetched them.
    if (this.#known !== undefined && this.#known !== known) return this.#known;
    if (this.#loading === undefined) {
      const now = this.#options.elapsedMs();
      if (now - Math.max(this.#refetchedAt, this.#failedAt) < refetchMs) {
        throw this.#isDown ? this.#unavailable() : noMatch;
      }
      this.#refetchedAt = now;
    }
    const loaded = await this.#load();
    if (loaded === undefined) throw this.#unavailable();
    return loaded;
  }

  /** Undefined when the fetch failed, which is logged. */
  #load(): Promise<Known | undefined> {
    this.#loading ??= this.#fetched().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #fetched(): Promise<Known | undefined> {
    const { elapsedMs, log } = this.#options;
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      if (this.#keysLocation === undefined || elapsedMs() - this.#keysLocation.at >= discoveryMs) {
        this.#keysLocation = { url: await discover(this.#options, signal), at: elapsedMs() };
      }
      const keys = await fetchKeys(this.#options, this.#keysLocation.url, signal);
      this.#isDown = false;
      this.#known = { keys, at: elapsedMs() };
      return this.#known;
    } catch (error) {
      this.#isDown = true;
      this.#failedAt = elapsedMs();
      this.#keysLocation = undefined;
      log('failed to fetch the keys of the identity provider; cached keys are used for up to an hour', error);
      return undefined;
    }
  }

  #unavailable(): Error {
    return unavailable(
      'identity_provider_unavailable',
      'The identity provider does not answer, so access tokens cannot be verified. Try again.',
      shortBackoffMs / 1000,
    );
  }
}
