// Dependencies of the cluster manager, and the error outside a cluster.
import { DomainError } from '../model/errors.ts';
import type { LoopAudit } from '../ports/audit.ts';
import type { Cluster } from '../ports/cluster/cluster.ts';
import type { RestartableReason } from '../model/cluster/health.ts';
import type { Store } from '../ports/store/store.ts';

export interface ClusterSettings {
  /** The name of the Deployment; undefined: the owner of this replica's pod. */
  readonly deployment: string | undefined;
  readonly selfHeal: boolean;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly unhealthySeconds: number;
  readonly restartIntervalSeconds: number;
  /** False: each replica would have a database of its own. */
  readonly hasSharedDatabase: boolean;
}

export interface ClusterMetrics {
  /** The pods of the last check, by state. */
  looked(pods: ReadonlyMap<string, number>): void;
  restarted(reason: RestartableReason): void;
  failed(): void;
}

export interface ClusterDeps {
  /** Undefined: the service does not run in a cluster, or does not manage it. */
  readonly cluster: Cluster | undefined;
  /** Why there is none, as a sentence. */
  readonly absence: string;
  readonly store: Store;
  readonly audit: LoopAudit;
  readonly metrics: ClusterMetrics;
  readonly settings: ClusterSettings;
  readonly now: () => number;
  /** The name of this replica. */
  readonly replica: string;
}

/** @throws DomainError unavailable `not_in_cluster` */
export function requireCluster({ cluster, absence }: ClusterDeps): Cluster {
  if (cluster !== undefined) return cluster;
  throw new DomainError('unavailable', 'not_in_cluster', absence);
}
