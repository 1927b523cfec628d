// The workers of a tenant, as they were a moment ago: enough to say why a fresh task waits, without a look into the
// store after each submit (which cost more than the submit's own share of its commit).
import type { RoutableWorker } from '../model/route.ts';
import type { Tenant } from '../ports/queue.ts';
import type { Store } from '../ports/store.ts';
import type { WakeBus } from '../ports/wake.ts';

/** A worker that fell silent, or was heard again, shows after this long. Registered ones show at once. */
const maxAgeMs = 2_000;
/** Tenants remembered at once; beyond that all are read anew. */
const maxTenants = 1_000;

interface Known {
  readonly readAt: number;
  readonly workers: Promise<readonly RoutableWorker[]>;
}

export class Roster {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  /** @param now milliseconds */
  constructor(store: Store, wake: WakeBus, now: () => number) {
    this.#store = store;
    this.#now = now;
    // Said after the commit and before the answer: who was told that a worker is registered finds it here.
    wake.listen((hint) => {
      if (hint.kind === 'workers') this.#known.delete(hint.tenantId);
    });
  }

  /** The tenant's registered workers. @throws DomainError unavailable */
  workersOf({ tenantId }: Tenant): Promise<readonly RoutableWorker[]> {
    const known = this.#known.get(tenantId);
    if (known !== undefined && this.#now() - known.readAt < maxAgeMs) return known.workers;
    if (this.#known.size >= maxTenants) this.#known.clear();
    const workers = this.#store.within({ tenantId }, (rows) => rows.workers.routable());
    const reading: Known = { readAt: this.#now(), workers: this.#kept(tenantId, workers) };
    this.#known.set(tenantId, reading);
    return reading.workers;
  }

  /** What failed is not remembered: the next one asks again. */
  async #kept(tenantId: string, workers: Promise<readonly RoutableWorker[]>): Promise<readonly RoutableWorker[]> {
    try {
      return await workers;
    } catch (error) {
      this.#known.delete(tenantId);
      throw error;
    }
  }

  /** Hints may have been missed. */
  forgetAll(): void {
    this.#known.clear();
  }
}
