// Bounds on concurrent calls per subject, per tenant and in total, so that a flood from one caller does not harm others.
import type { Caller } from '../model/access/caller.ts';
import { unavailable, type DomainError } from '../model/errors.ts';

export interface InFlightBounds {
  readonly ofSubject: number;
  readonly ofTenant: number;
  readonly ofAll: number;
}

/** A call counts for the tenant of its credential, even if it runs in another tenant. */
type CallOrigin = Pick<Caller, 'homeTenantId' | 'subject'>;

/** The slot of one call. */
export interface CallSlot {
  /** Frees the slot, when the call is answered or waits for something. Idempotent. */
  release(): void;
  /** Takes the slot again after a wait. Ignores the bounds: an admitted call is not rejected half way. */
  reacquire(): void;
}

export class CallsInFlight {
  readonly #bounds: InFlightBounds;
  /** Entries stay when no call is in flight: tenants are few, and sequential calls would recreate theirs each time. */
  readonly #tenants = new Map<string, TenantCalls>();
  #all = 0;

  constructor(bounds: InFlightBounds) {
    this.#bounds = bounds;
  }

  /**
   * Takes a slot for a call.
   * @throws DomainError unavailable when too many calls are in flight
   */
  acquire({ homeTenantId, subject }: CallOrigin): CallSlot {
    const { ofSubject, ofTenant, ofAll } = this.#bounds;
    const tenant = this.#tenants.get(homeTenantId) ?? { count: 0, bySubject: new Map<string, number>() };
    const isFull = this.#all >= ofAll || tenant.count >= ofTenant;
    if (isFull || (tenant.bySubject.get(subject) ?? 0) >= ofSubject) throw overloaded();
    this.#tenants.set(homeTenantId, tenant);
    const count = (by: number): void => {
      this.#all += by;
      tenant.count += by;
      const subjectCount = (tenant.bySubject.get(subject) ?? 0) + by;
      if (subjectCount > 0) tenant.bySubject.set(subject, subjectCount);
      else tenant.bySubject.delete(subject);
    };
    return new HeldSlot(count);
  }
}

interface TenantCalls {
  count: number;
  readonly bySubject: Map<string, number>;
}

class HeldSlot implements CallSlot {
  readonly #count: (by: number) => void;
  #isTaken = false;

  constructor(count: (by: number) => void) {
    this.#count = count;
    this.reacquire();
  }

  release(): void {
    if (this.#isTaken) this.#count(-1);
    this.#isTaken = false;
  }

  reacquire(): void {
    if (!this.#isTaken) this.#count(1);
    this.#isTaken = true;
  }
}

function overloaded(): DomainError {
  return unavailable('overloaded', 'Too many concurrent calls. Retry shortly, with fewer at once.', 1);
}
