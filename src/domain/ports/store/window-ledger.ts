// What the limits ask of the store: windows of calls, counted over all replicas on database time.

/** A credential whose calls are counted. */
export interface LimitedCredential {
  /** The tenant that the credential belongs to. */
  readonly tenantId: string;
  readonly credentialId: string;
}

export interface WindowEntry extends LimitedCredential {
  /** Calls that are asked for now; 0: only what was counted here is told. */
  readonly calls: number;
  /** What this replica counted itself, of the window that began then (milliseconds since 1970). */
  readonly reported: { readonly startedAt: number; readonly used: number } | undefined;
  /** True: this replica counts the window in its memory from here on, until it tells otherwise. */
  readonly keep: boolean;
}

export interface WindowState {
  /** Milliseconds since 1970, by the database's clock; names the window. */
  readonly startedAt: number;
  /** Milliseconds until it is over. */
  readonly endsInMs: number;
  /** Calls of every replica, those granted now included. */
  readonly used: number;
  readonly granted: number;
  readonly kept: boolean;
}

export interface WindowLedger {
  /**
   * Settles a batch, each entry's answer at its place. `elsewhere`: another replica counts this window in its memory
   * and was asked to hand it over; `over`: the window that was told of has ended.
   * @throws DomainError unavailable
   */
  settle(entries: readonly WindowEntry[]): Promise<readonly (WindowState | 'elsewhere' | 'over')[]>;
  /** Hears of windows that this replica counts and another one asks for. */
  onWanted(listener: (wanted: LimitedCredential) => void): void;
}
