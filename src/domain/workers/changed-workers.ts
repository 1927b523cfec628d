// Which workers have changed and are to be read anew: one look at a time for each tenant, and what changes meanwhile
// shares the next. So a burst of registrations costs what it changes, not the square of it.

export interface ChangedWorkersOptions {
  /** Reads these workers anew; undefined: all that matter here. Must not reject. */
  readonly refresh: (tenantId: string, workerIds: ReadonlySet<string> | undefined) => Promise<void>;
}

interface Waiting {
  all: boolean;
  readonly workerIds: Set<string>;
}

export class ChangedWorkers {
  readonly #refresh: ChangedWorkersOptions['refresh'];
  readonly #waiting = new Map<string, Waiting>();
  /** Tenants of which a look is under way. */
  readonly #refreshing = new Set<string>();

  constructor({ refresh }: ChangedWorkersOptions) {
    this.#refresh = refresh;
  }

  /** @param workerId undefined: any of the tenant's */
  markChanged(tenantId: string, workerId: string | undefined): void {
    const waiting = this.#waiting.get(tenantId) ?? { all: false, workerIds: new Set<string>() };
    this.#waiting.set(tenantId, waiting);
    if (workerId === undefined) waiting.all = true;
    else waiting.workerIds.add(workerId);
    // Owned: `look` never rejects.
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
