// The port of leader election: each background loop has one leader over all replicas, for a lease that it renews.

/** A leader's report on a loop since its last report. */
export interface LoopReport {
  readonly name: string;
  readonly intervalSeconds: number;
  readonly ticks: number;
  /** Undefined: it has not ticked here yet. */
  readonly secondsSinceTick: number | undefined;
  readonly lastError: string | undefined;
}

/** The current state of a loop. */
export interface LoopStatus {
  readonly name: string;
  /** The replica that runs it; undefined: none does. */
  readonly leader: string | undefined;
  readonly intervalSeconds: number;
  readonly ticks: number;
  readonly lastTickAt: string | undefined;
  readonly lastError: string | undefined;
}

export interface LoopLeaders {
  /**
   * Acquires the leadership of loops without a leader, renews that of loops led here, and stores the reports.
   * @returns the names of the loops that this replica leads for `leaseSeconds` from the call on
   * @throws DomainError unavailable
   */
  acquireLeadership(leader: string, loops: readonly LoopReport[], leaseSeconds: number): Promise<ReadonlySet<string>>;
  /** Another replica may lead at once. @param loop this one alone; undefined: all. @throws DomainError unavailable */
  resign(leader: string, loop?: string): Promise<void>;
  /** @throws DomainError unavailable */
  list(): Promise<LoopStatus[]>;
}
