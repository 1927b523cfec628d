// The port of the list of replicas: each reports itself, and reads of all others.

export interface ReplicaReport {
  readonly name: string;
  readonly version: string;
  readonly host: string;
  readonly startedAt: string;
  /** Why it is degraded, in sentences; empty: it is not. */
  readonly reasons: readonly string[];
}

export interface ReplicaStatus extends ReplicaReport {
  readonly lastSeenAt: string;
}

export interface Replicas {
  /** Also forgets replicas that are silent for long. @throws DomainError unavailable */
  report(report: ReplicaReport): Promise<void>;
  /** By name. @throws DomainError unavailable */
  list(): Promise<ReplicaStatus[]>;
  /** Removes a replica that stops. @throws DomainError unavailable */
  leave(name: string): Promise<void>;
}
