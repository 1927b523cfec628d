// Re-reads workers that have changed. One refresh runs per tenant at a time; changes that arrive meanwhile share the
// next one. The cost of a burst of registrations is therefore linear, not quadratic.

export interface ChangedWorkersOptions {
  /** Re-reads these workers; undefined: all workers connected here. Must not reject. */
  readonly refresh: (tenantId: string, workerIds: ReadonlySet<string> | undefined) => Promise<void>;
}

interface Waiting {
  all: boolean;
  readonly workerIds: Set<string>;
}

export class ChangedWorkers {
  readonly #refresh: ChangedWorkersOptions['refresh'];
  readonly #waiting = new Map<string, Waiting>();
  /** Tenants whose refresh is running. */
  readonly #refreshing = new Set<string>();

  constructor({ refresh }: ChangedWorkersOptions) {
    this.#refresh = refresh;
  }

  /** @param workerId undefined: any worker of the tenant may have changed */
  markChanged(tenantId: string, workerId: string | undefined): void {
    const waiting = this.#waiting.get(tenantId) ?? { all: false, workerIds: new Set<string>() };
    this.#waiting.set(tenantId, waiting);
    if (workerId === undefined) waiting.all = true;
    else waiting.workerIds.add(workerId);
    // Owned: `#drain` never rejects, because `refresh` does not.
    if (!this.#refreshing.has(tenantId)) void this.#drain(tenantId);
  }

  async #drain(tenantId: string): Promise<void> {
    this.#refreshing.add(tenantId);
    for (let next = this.#take(tenantId); next !== undefined; next = this.#take(tenantId)) {
      await this.#refresh(tenantId, next.all ? undefined : next.workerIds);
    }
    this.#refreshing.delete(tenantId);
  }

  #take(tenantId: string): Waiting | undefined {
    const waiting = this.#waiting.get(tenantId);
    this.#waiting.delete(tenantId);
    return waiting;
  }
}
