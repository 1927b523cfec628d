// The workers of a tenant, as they were a moment ago: enough to say why a task waits, without a look into the store
// after each submit (which cost more than the submit's own share of its commit) and at each read.
import type { RoutableWorker } from '../../model/task/route.ts';
import type { TenantScope } from '../../ports/store/queue.ts';
import type { Store } from '../../ports/store/store.ts';
import type { WakeBus } from '../../ports/wake.ts';
import { FullWorkers } from './full-workers.ts';

/** A worker that fell silent, or was heard again, shows after this long. What registered or changed shows at once. */
const maxAgeMs = 2_000;
/** Tenants remembered at once; beyond that all are read anew. */
const maxTenants = 1_000;

export type WorkersById = ReadonlyMap<string, RoutableWorker>;

interface Known {
  readonly readAt: number;
  /** Of which something was said since they were read. */
  readonly changed: Set<string>;
  workers: Promise<Map<string, RoutableWorker>>;
}

export class WorkerDirectory {
  /** Who has no free slot, as it was a moment ago. */
  readonly fullWorkers: FullWorkers;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  /** @param now milliseconds */
  constructor(store: Store, wake: WakeBus, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.fullWorkers = new FullWorkers(store, wake, now);
    // Said after the commit and before the answer: who was told that a worker is registered finds it here.
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
      // What failed is not remembered: the next one asks again.
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

  /** Reads those that changed, and no others: thousands that register at once would each make all be read again. */
  #amend(tenantId: string, known: Known): void {
    const changed = [...known.changed];
    known.changed.clear();
    // In the order in which it was asked for, whatever is answered first.
    known.workers = Promise.all([known.workers, this.#read(tenantId, changed)]).then(([workers, read]) => {
      for (const workerId of changed) workers.delete(workerId);
      for (const worker of read) workers.set(worker.workerId, worker);
      return workers;
    });
  }

  #read(tenantId: string, workerIds?: readonly string[]): Promise<RoutableWorker[]> {
    return this.#store.within({ tenantId }, (rows) => rows.workers.routable(workerIds));
  }

  /** Hints may have been missed. */
  forgetAll(): void {
    this.#known.clear();
    this.fullWorkers.forgetAll();
  }
}

function indexById(workers: readonly RoutableWorker[]): Map<string, RoutableWorker> {
  return new Map(workers.map((worker) => [worker.workerId, worker]));
}
