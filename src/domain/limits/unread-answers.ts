// A bound on the bytes of large responses that clients have not read yet: they stay in memory until then.
import type { Caller } from '../model/access/caller.ts';
import { DomainError, unavailable } from '../model/errors.ts';
import { toLimitedCredential } from './limited-credential.ts';

export interface UnreadBounds {
  /** Bytes. */
  readonly ofCredential: number;
  readonly ofAll: number;
}

const mib = 1024 * 1024;
/** Per credential, a few of the largest responses; in total, what a small machine can spare. */
export const defaultUnreadBounds: UnreadBounds = { ofCredential: 128 * mib, ofAll: 512 * mib };
const retryAfterSeconds = 1;

export class UnreadAnswers {
  readonly #bounds: UnreadBounds;
  readonly #byCredential = new Map<string, number>();
  #all = 0;

  constructor(bounds: UnreadBounds) {
    this.#bounds = bounds;
  }

  /** Bytes of all unread responses. */
  get bytes(): number {
    return this.#all;
  }

  /**
   * Checks the bounds before a call changes anything, so that its response is not rejected afterwards.
   * @throws DomainError limited, unavailable while the bounds are reached
   */
  assertCapacity(caller: Caller): void {
    if (this.#all === 0) return;
    const held = this.#byCredential.get(credentialKeyOf(caller)) ?? 0;
    if (held >= this.#bounds.ofCredential) throw tooMuchOfOne();
    if (held > 0 && this.#all >= this.#bounds.ofAll) throw tooMuchOfAll();
  }

  /**
   * Counts a response that may be rejected. A response of any size is accepted when no other is held.
   * @returns a function to call once, when the response was read or its connection closed
   * @throws DomainError limited, unavailable
   */
  reserve(caller: Caller, bytes: number): () => void {
    const held = this.#byCredential.get(credentialKeyOf(caller)) ?? 0;
    const { ofCredential, ofAll } = this.#bounds;
    if (held > 0 && held + bytes > ofCredential) throw tooMuchOfOne();
    if (this.#all > 0 && this.#all + bytes > ofAll) throw tooMuchOfAll();
    return this.track(caller, bytes);
  }

  /** Counts a response that is sent in any case. @returns as `reserve` */
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

const remedy = 'Read the responses in transit, then retry.';

function tooMuchOfOne(): DomainError {
  const message = `This credential has too many bytes of unread responses. ${remedy}`;
  return new DomainError('limited', 'too_much_unread', message, { retryAfterSeconds });
}

function tooMuchOfAll(): DomainError {
  const message = `The service holds too many bytes of unread responses. ${remedy}`;
  return unavailable('too_much_unread', message, retryAfterSeconds);
}
