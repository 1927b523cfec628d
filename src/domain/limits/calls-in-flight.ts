// Bounds on the calls that are being answered at once, by subject, by tenant and over all: a flood harms nobody else.
import type { Caller } from '../model/access/caller.ts';
import { unavailable, type DomainError } from '../model/errors.ts';

export interface InFlightBounds {
  readonly ofSubject: number;
  readonly ofTenant: number;
  readonly ofAll: number;
}

/** A call counts for the tenant of its credential, wherever it crosses to. */
type CallOrigin = Pick<Caller, 'homeTenantId' | 'subject'>;

/** What one call counts for. */
export interface CallSlot {
  /** The call is answered, or waits for something. More than once is once. */
  release(): void;
  /** The call goes on after a wait: what was let in is not refused half way, so the bounds are not asked. */
  reacquire(): void;
}

export class CallsInFlight {
  readonly #bounds: InFlightBounds;
  /** Kept when nothing is under way: tenants are few, and a call that is alone would make its record anew. */
  readonly #tenants = new Map<string, TenantCalls>();
  #all = 0;

  constructor(bounds: InFlightBounds) {
    this.#bounds = bounds;
  }

  /**
   * Lets a call in.
   * @throws DomainError unavailable when too many are under way
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
  return unavailable('overloaded', 'Too many calls are being answered right now. Try again shortly, fewer at once.', 1);
}
