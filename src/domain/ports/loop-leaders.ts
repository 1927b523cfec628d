// Who runs which background loop, over all replicas: one leader each, for a while that it renews.

/** What a leader tells of a loop since it last told. */
export interface LoopReport {
  readonly name: string;
  readonly intervalSeconds: number;
  readonly ticks: number;
  /** Undefined: it has not ticked here yet. */
  readonly secondsSinceTick: number | undefined;
  readonly lastError: string | undefined;
}

/** A loop as it stands. */
export interface LoopStatus {
  readonly name: string;
  /** The replica that runs it; undefined while none does. */
  readonly leader: string | undefined;
  readonly intervalSeconds: number;
  readonly ticks: number;
  readonly lastTickAt: string | undefined;
  readonly lastError: string | undefined;
}

export interface LoopLeaders {
  /**
   * Takes the lead of those loops that nobody leads, keeps what this one leads, and notes how they went there.
   * @returns the names that it leads for `leaseSeconds` from when it asked
   * @throws DomainError unavailable
   */
  acquireLeadership(leader: string, loops: readonly LoopReport[], leaseSeconds: number): Promise<ReadonlySet<string>>;
  /** Another may lead at once. @throws DomainError unavailable */
  resign(leader: string): Promise<void>;
  /** @throws DomainError unavailable */
  list(): Promise<LoopStatus[]>;
}
