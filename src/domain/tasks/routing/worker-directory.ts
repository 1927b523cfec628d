// Caches the workers of each tenant, for the waiting reasons of tasks. Without the cache each submit and each read
// would query the store: that costs more than the submit's own share of its commit.
import type { RoutableWorker } from '../../model/task/route.ts';
import type { TenantScope } from '../../model/access/caller.ts';
import type { Store } from '../../ports/store/store.ts';
import type { WakeBus } from '../../ports/wake.ts';
import { FullWorkers } from './full-workers.ts';

/** Online and offline changes become visible after at most this long. Registrations and changes are visible at once. */
const maxAgeMs = 2_000;
/** Cached tenants; beyond this number the whole cache is dropped. */
const maxTenants = 1_000;

export type WorkersById = ReadonlyMap<string, RoutableWorker>;

interface Known {
  readonly readAt: number;
  /** Workers with a hint since they were read. */
  readonly changed: Set<string>;
  workers: Promise<Map<string, RoutableWorker>>;
}

export class WorkerDirectory {
  /** Workers without a free slot, cached likewise. */
  readonly fullWorkers: FullWorkers;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  /** @param now milliseconds */
  constructor(store: Store, wake: WakeBus, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.fullWorkers = new FullWorkers(store, wake, now);
    // Announced after the commit and before the answer: a caller whose registration was answered finds the worker here.
    wake.listen((hint) => {
      if (hint.kind !== 'workers') return;
      if (hint.workerId === undefined) this.#known.delete(hint.tenantId);
      else this.#known.get(hint.tenantId)?.changed.add(hint.workerId);
    });
  }

  /** The tenant's registered workers. @throws DomainError unavailable */
  async workersOf({ tenantId }: TenantScope): Promise<WorkersById> {
    const known = this.#fresh(tenantId) ?? this.#readAll(tenantId);
    if (known.changed.size > 0) this.#amend(tenantId, known);
    try {
      return await known.workers;
    } catch (error) {
      // A failed read is not cached: the next call reads again.
      if (this.#known.get(tenantId) === known) this.#known.delete(tenantId);
      throw error;
    }
  }

  #fresh(tenantId: string): Known | undefined {
    const known = this.#known.get(tenantId);
    return known !== undefined && this.#now() - known.readAt < maxAgeMs ? known : undefined;
  }

  #readAll(tenantId: string): Known {
    if (this.#known.size >= maxTenants) this.#known.clear();
    const workers = this.#read(tenantId).then(indexById);
    const known: Known = { readAt: this.#now(), changed: new Set(), workers };
    this.#known.set(tenantId, known);
    return known;
  }

  /** Reads only the changed workers: thousands that register at once would otherwise each cause a full read. */
  #amend(tenantId: string, known: Known): void {
    const changed = [...known.changed];
    known.changed.clear();
    // Chained, so that the reads apply in the order in which they were started.
    known.workers = Promise.all([known.workers, this.#read(tenantId, changed)]).then(([workers, read]) => {
      for (const workerId of changed) workers.delete(workerId);
      for (const worker of read) workers.set(worker.workerId, worker);
      return workers;
    });
  }

  #read(tenantId: string, workerIds?: readonly string[]): Promise<RoutableWorker[]> {
    return this.#store.within({ tenantId }, (rows) => rows.workers.routable(workerIds));
  }

  /** Drops the cache: hints may have been missed. */
  forgetAll(): void {
    this.#known.clear();
    this.fullWorkers.forgetAll();
  }
}

function indexById(workers: readonly RoutableWorker[]): Map<string, RoutableWorker> {
  return new Map(workers.map((worker) => [worker.workerId, worker]));
}
