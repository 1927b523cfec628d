// A bound on the event streams and waiting calls that one credential keeps open at once. choices-9.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { toLimitedCredential } from './limited-credential.ts';

/** An estimate: when an open stream ends is unknown. */
const retryAfterSeconds = 5;

/** Counts the open streams of this process. Push channels of workers do not count. */
export class OpenStreams {
  readonly #limit: number;
  readonly #byCredential = new Map<string, number>();

  /** @param limit maximum open streams per credential */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts a new stream.
   * @returns a function to call once, when the stream has ended
   * @throws DomainError limited
   */
  open(caller: Caller): () => void {
    const { tenantId, credentialId } = toLimitedCredential(caller);
    const key = `${tenantId}\n${credentialId}`;
    const count = this.#byCredential.get(key) ?? 0;
    if (count >= this.#limit) throw tooMany(this.#limit);
    this.#byCredential.set(key, count + 1);
    return () => this.#close(key);
  }

  #close(key: string): void {
    const count = (this.#byCredential.get(key) ?? 1) - 1;
    if (count > 0) this.#byCredential.set(key, count);
    else this.#byCredential.delete(key);
  }
}

function tooMany(limit: number): DomainError {
  const message = `This credential has reached its limit of ${limit} open streams and waiting calls. Close some, or call without waiting.`;
  return new DomainError('limited', 'too_many_streams', message, { retryAfterSeconds });
}
