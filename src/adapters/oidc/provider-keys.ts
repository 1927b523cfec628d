// The provider's keys as they are known here: fetched when first needed, looked after, kept through an outage.
import { errors, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { unavailable } from '../../domain/model/errors.ts';
import { deadlineMs, discover, fetchKeys, type DiscoveryOptions } from './discovery.ts';

export interface ProviderKeysOptions extends DiscoveryOptions {
  /** A clock that is never set back. */
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

/** After this long the keys are fetched anew: a key that the provider took out is refused from then on. */
const freshMs = 5 * 60_000;
/** Through an outage the keys known are used this long, and no longer. */
const usableMs = 60 * 60_000;
/** Where the keys lie is asked anew after this long, and after every failure. */
const discoveryMs = 60 * 60_000;
/** An unknown key id makes one refetch, at most so often. choices-1. */
const refetchMs = 30_000;
/** After a failure the provider has this long before it is asked again; without any key that may be used, less. */
const backoffMs = 30_000;
const shortBackoffMs = 5_000;

interface Known {
  readonly keys: LocalJWKSet;
  readonly at: number;
}

export class ProviderKeys {
  readonly #options: ProviderKeysOptions;
  #known: Known | undefined;
  /** Where the keys lie, and since when that is known. */
  #keysLocation: { readonly url: URL; readonly at: number } | undefined;
  #loading: Promise<Known | undefined> | undefined;
  /** The last attempt failed. */
  #isDown = false;
  #failedAt = -Infinity;
  #refetchedAt = -Infinity;

  constructor(options: ProviderKeysOptions) {
    this.#options = options;
  }

  /**
   * The keys as they are for one token.
   * @returns `inUse` is the same object until other keys are fetched. `keyFor` answers the key that the token's header
   * names, or throws JWKSNoMatchingKey when the provider has none such; nothing but algorithm and key id is looked at
   * @throws DomainError unavailable when the provider cannot be asked; `keyFor` too
   */
  async forToken(): Promise<{ readonly inUse: object; readonly keyFor: JWTVerifyGetKey }> {
    const before = this.#known;
    const known = await this.#usable();
    const keyFor: JWTVerifyGetKey = async (header, token) => {
      try {
        return await known.keys(header, token);
      } catch (error) {
        // Keys that were fetched for this very token are not fetched again for it.
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
   * After a key id that is not among those known: one refetch for all who ask.
   * @throws `noMatch` when it is too early for another; DomainError unavailable when the provider does not answer
   */
  async #newerThan(known: Known, noMatch: unknown): Promise<Known> {
    // Somebody else's refetch came in between.
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

  /** Undefined when it failed: the log says why. */
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
      log('the identity provider gives no keys', error);
      return undefined;
    }
  }

  #unavailable(): Error {
    return unavailable(
      'identity_provider_unavailable',
      'The identity provider does not answer; its access tokens cannot be judged now.',
      shortBackoffMs / 1000,
    );
  }
}
