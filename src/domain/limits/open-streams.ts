// A bound on what one credential keeps open at once: event streams, and calls that wait for a task. choices-9.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { toLimitedCredential } from './limited-credential.ts';

/** Until others may have ended, which nobody can know. */
const retryAfterSeconds = 5;

/** Of this process; push channels of workers are not among them. */
export class OpenStreams {
  readonly #limit: number;
  readonly #byCredential = new Map<string, number>();

  /** @param limit streams of one credential */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts a stream in.
   * @returns what to call when it is over, once
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
  const message = `This credential has ${limit} streams and waiting calls open, as many as it may. End some, or do not wait.`;
  return new DomainError('limited', 'too_many_streams', message, { retryAfterSeconds });
}
