// Store port for rate limits: windows of calls, counted over all replicas by the database's clock.

/** A credential whose calls are counted. */
export interface LimitedCredential {
  /** The tenant that the credential belongs to. */
  readonly tenantId: string;
  readonly credentialId: string;
}

export interface WindowEntry extends LimitedCredential {
  /** Calls requested now; 0 when the entry only reports calls counted in this replica. */
  readonly calls: number;
  /** Calls that this replica counted in memory, and the window's start (milliseconds since 1970). */
  readonly reported: { readonly startedAt: number; readonly used: number } | undefined;
  /** True: this replica counts the window in memory from now on, until an entry says false. */
  readonly keep: boolean;
}

export interface WindowState {
  /** Milliseconds since 1970, by the database's clock; identifies the window. */
  readonly startedAt: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
  /** Calls of all replicas, including those granted now. */
  readonly used: number;
  readonly granted: number;
  readonly kept: boolean;
}

export interface WindowLedger {
  /**
   * Settles a batch; answers are in the order of entries. `elsewhere`: another replica counts this window in memory
   * and was asked to hand it over. `over`: the reported window has ended.
   * @throws DomainError unavailable
   */
  settle(entries: readonly WindowEntry[]): Promise<readonly (WindowState | 'elsewhere' | 'over')[]>;
  /** Calls `listener` with windows that this replica counts in memory and another replica wants. */
  onWanted(listener: (wanted: LimitedCredential) => void): void;
}
