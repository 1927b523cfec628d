// A bound on the calls of one credential, and of all, that are being answered at once: a flood harms nobody else.
import { unavailable, type DomainError } from '../model/errors.ts';

export interface InFlightBounds {
  readonly ofOne: number;
  readonly ofAll: number;
}

export class CallsInFlight {
  readonly #bounds: InFlightBounds;
  readonly #byCredential = new Map<string, number>();
  #all = 0;

  constructor(bounds: InFlightBounds) {
    this.#bounds = bounds;
  }

  /**
   * Lets a call in.
   * @returns what to call when it is answered, once
   * @throws DomainError unavailable when too many are under way
   */
  enter(credentialId: string): () => void {
    const count = this.#byCredential.get(credentialId) ?? 0;
    if (count >= this.#bounds.ofOne || this.#all >= this.#bounds.ofAll) throw overloaded();
    this.#byCredential.set(credentialId, count + 1);
    this.#all += 1;
    return () => this.#leave(credentialId);
  }

  #leave(credentialId: string): void {
    this.#all -= 1;
    const count = (this.#byCredential.get(credentialId) ?? 1) - 1;
    if (count > 0) this.#byCredential.set(credentialId, count);
    else this.#byCredential.delete(credentialId);
  }
}

function overloaded(): DomainError {
  return unavailable('overloaded', 'Too many calls are being answered right now. Try again shortly, fewer at once.', 1);
}
