// A bound on the bytes of large answers that their readers have not taken yet: until they do, all of it is in memory.
import type { Caller } from '../model/access/caller.ts';
import { DomainError, unavailable } from '../model/errors.ts';
import { toLimitedCredential } from './limited-credential.ts';

export interface UnreadBounds {
  /** Bytes. */
  readonly ofCredential: number;
  readonly ofAll: number;
}

const mib = 1024 * 1024;
/** A few of the largest answers for a credential; what a small machine can spare for all. */
export const defaultUnreadBounds: UnreadBounds = { ofCredential: 128 * mib, ofAll: 512 * mib };
const retryAfterSeconds = 1;

export class UnreadAnswers {
  readonly #bounds: UnreadBounds;
  readonly #byCredential = new Map<string, number>();
  #all = 0;

  constructor(bounds: UnreadBounds) {
    this.#bounds = bounds;
  }

  /** Bytes that nobody has taken yet. */
  get bytes(): number {
    return this.#all;
  }

  /**
   * Before a call changes anything: its answer will not be refused then.
   * @throws DomainError limited, unavailable while the bounds are reached
   */
  assertCapacity(caller: Caller): void {
    if (this.#all === 0) return;
    const held = this.#byCredential.get(credentialKeyOf(caller)) ?? 0;
    if (held >= this.#bounds.ofCredential) throw tooMuchOfOne();
    if (held > 0 && this.#all >= this.#bounds.ofAll) throw tooMuchOfAll();
  }

  /**
   * Counts an answer that may be refused. One is taken whatever its size, where nothing else is held.
   * @returns what to call when it was taken, or its connection closed; once
   * @throws DomainError limited, unavailable
   */
  reserve(caller: Caller, bytes: number): () => void {
    const held = this.#byCredential.get(credentialKeyOf(caller)) ?? 0;
    const { ofCredential, ofAll } = this.#bounds;
    if (held > 0 && held + bytes > ofCredential) throw tooMuchOfOne();
    if (this.#all > 0 && this.#all + bytes > ofAll) throw tooMuchOfAll();
    return this.track(caller, bytes);
  }

  /** Counts an answer that goes out in any case. @returns as `take` */
  track(caller: Caller, bytes: number): () => void {
    const key = credentialKeyOf(caller);
    this.#count(key, bytes);
    return () => this.#count(key, -bytes);
  }

  #count(key: string, bytes: number): void {
    this.#all += bytes;
    const held = (this.#byCredential.get(key) ?? 0) + bytes;
    if (held > 0) this.#byCredential.set(key, held);
    else this.#byCredential.delete(key);
  }
}

function credentialKeyOf(caller: Caller): string {
  const { tenantId, credentialId } = toLimitedCredential(caller);
  return `${tenantId}\n${credentialId}`;
}

const remedy = 'Read the answers that are on their way, then try again.';

function tooMuchOfOne(): DomainError {
  const message = `Too much of what this credential was answered waits to be read. ${remedy}`;
  return new DomainError('limited', 'too_much_unread', message, { retryAfterSeconds });
}

function tooMuchOfAll(): DomainError {
  const message = `Too much of what callers were answered waits to be read. ${remedy}`;
  return unavailable('too_much_unread', message, retryAfterSeconds);
}
