// Which workers of a tenant have no free slot, as it was a moment ago: for the answers of submits, which would pay more
// for a look of their own than for their share of a commit. Who reads a task looks for himself.
import type { TenantScope } from '../../ports/store/queue.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Wake, WakeBus } from '../../ports/wake.ts';

/** Where nothing was heard of, and a hint may have been lost. */
const maxAgeMs = 2_000;
/** After a hint a look waits for so many times what the last one took, and this long at least: a twentieth of the time. */
const gapFactor = 20;
const shortestGapMs = 20;
/** Tenants remembered at once; beyond that all are read anew. */
const maxTenants = 1_000;

interface Known {
  readonly full: Promise<ReadonlySet<string>>;
  /** Undefined: it is under way. */
  endedAt: number | undefined;
  gapMs: number;
  /** A task began or ended since it was asked for. */
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
      // What failed is not remembered: the next one asks again.
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

  /** Hints may have been missed. */
  forgetAll(): void {
    this.#known.clear();
  }
}

/** Every claim, end and return of a task announces one of these. */
function changesSlots({ kind }: Wake): boolean {
  return kind === 'task' || kind === 'slot' || kind === 'pending' || kind === 'cancel' || kind === 'workers';
}
