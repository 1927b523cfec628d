// Caches which workers of a tenant have no free slot, for the answers of submits: a query of their own would cost more
// than their share of a commit. Reads of tasks query the store.
import type { TenantScope } from '../../model/access/caller.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Wake, WakeBus } from '../../ports/wake.ts';

/** Maximum age without a hint: hints may be lost. */
const maxAgeMs = 2_000;
/** After a hint, the next query waits this many times as long as the last one took: at most a twentieth of the time. */
const gapFactor = 20;
const shortestGapMs = 20;
/** Cached tenants; beyond this number the whole cache is dropped. */
const maxTenants = 1_000;

interface Known {
  readonly full: Promise<ReadonlySet<string>>;
  /** Undefined while the query runs. */
  endedAt: number | undefined;
  gapMs: number;
  /** A task began or ended since the query started. */
  stale: boolean;
}

export class FullWorkers {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  /** @param now milliseconds */
  constructor(store: Store, wake: WakeBus, now: () => number) {
    this.#store = store;
    this.#now = now;
    wake.listen((hint) => {
      const known = changesSlots(hint) ? this.#known.get(hint.tenantId) : undefined;
      if (known !== undefined) known.stale = true;
    });
  }

  /** @throws DomainError unavailable */
  async of({ tenantId }: TenantScope): Promise<ReadonlySet<string>> {
    const known = this.#fresh(tenantId) ?? this.#read(tenantId);
    try {
      return await known.full;
    } catch (error) {
      // A failed read is not cached: the next call reads again.
      if (this.#known.get(tenantId) === known) this.#known.delete(tenantId);
      throw error;
    }
  }

  #fresh(tenantId: string): Known | undefined {
    const known = this.#known.get(tenantId);
    if (known?.endedAt === undefined) return known;
    return this.#now() - known.endedAt < (known.stale ? known.gapMs : maxAgeMs) ? known : undefined;
  }

  #read(tenantId: string): Known {
    if (this.#known.size >= maxTenants) this.#known.clear();
    const beganAt = this.#now();
    const read = async (): Promise<ReadonlySet<string>> => {
      const full = await this.#store.within({ tenantId }, (rows) => rows.workers.full());
      known.endedAt = this.#now();
      known.gapMs = Math.max(shortestGapMs, gapFactor * (known.endedAt - beganAt));
      return full;
    };
    const known: Known = { full: read(), endedAt: undefined, gapMs: shortestGapMs, stale: false };
    this.#known.set(tenantId, known);
    return known;
  }

  /** Drops the cache: hints may have been missed. */
  forgetAll(): void {
    this.#known.clear();
  }
}

/** Every claim, end and return of a task announces one of these hints. */
function changesSlots({ kind }: Wake): boolean {
  return kind === 'task' || kind === 'slot' || kind === 'pending' || kind === 'cancel' || kind === 'workers';
}
