// The port of the rows of the cluster manager: rounds of restarts, the memory of checks, the last report. Tenant `system`.
import type { ClusterMemory, LastReconcile, ReconcileReport, Round } from '../../model/cluster/health.ts';

/** The stored facts of a cluster. */
export interface ClusterRecord {
  /** Milliseconds since 1970, by the clock of the database. */
  readonly now: number;
  readonly memory: ClusterMemory;
  /** The newest first, as many as count for the pace of restarts. */
  readonly rounds: readonly Round[];
  readonly last: LastReconcile | null;
}

export interface ClusterRows {
  read(clusterId: string): Promise<ClusterRecord>;
  /** As `read`; no other transaction reads so until this one ends. */
  lock(clusterId: string): Promise<ClusterRecord>;
  saveMemory(clusterId: string, memory: ClusterMemory): Promise<void>;
  saveReport(clusterId: string, replica: string, report: ReconcileReport): Promise<void>;
  /** @returns false: this round exists already */
  beginRound(clusterId: string, round: Round): Promise<boolean>;
  updateRound(clusterId: string, round: Round): Promise<void>;
  /** Deletes rounds, and reports of clusters that nobody has seen, that are so old. @returns how many rows */
  drop(olderThanDays: number, limit: number): Promise<number>;
}
