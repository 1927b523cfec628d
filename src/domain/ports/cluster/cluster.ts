// The port of the cluster that the service runs in: its own pod, its Deployment, and the few changes that it makes.
import type { Autoscaler, ClusterPod, Deployment, ReplicaSet } from '../../model/cluster/objects.ts';

/** `blocked`: a disruption budget does not allow it now. `gone`: the pod with this uid does not exist any more. */
export type Eviction = 'evicted' | 'blocked' | 'gone';

export interface Scale {
  readonly replicas: number;
  readonly resourceVersion: string;
}

/** A Deployment as its operator wrote it. */
export interface Manifest {
  readonly name: string;
  /** Undefined: it names none. */
  readonly namespace: string | undefined;
  /** SHA-256 of its file, hex. */
  readonly sha256: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface PodTemplate {
  readonly labels: Readonly<Record<string, string>>;
  /** The spec that a Deployment may have of it, without what belongs to the one pod. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/**
 * Calls that share one deadline: it covers all of their answers, to the last byte.
 *
 * Every call throws DomainError: unavailable `cluster_unreachable`, `cluster_unauthorized` or `cluster_forbidden`; conflict
 * `cluster_refused` or, for changes, `cluster_conflict`.
 */
export interface ClusterCalls {
  /** Undefined: it does not exist. */
  findPod(name: string): Promise<ClusterPod | undefined>;
  findReplicaSet(name: string): Promise<ReplicaSet | undefined>;
  findDeployment(name: string): Promise<Deployment | undefined>;
  listPods(selector: string): Promise<ClusterPod[]>;
  listReplicaSets(selector: string): Promise<ReplicaSet[]>;
  listAutoscalers(): Promise<Autoscaler[]>;
  /** The permissions that the service account lacks, each as `verb resource`. */
  missingPermissions(deployment: string): Promise<string[]>;
  /** Evicts the pod with this uid, and no other of its name. */
  evict(pod: { readonly name: string; readonly uid: string }): Promise<Eviction>;
  findScale(deployment: string): Promise<Scale | undefined>;
  /** @throws conflict `cluster_conflict` when the Deployment has changed since the scale was read */
  setScale(deployment: string, scale: Scale): Promise<void>;
  /** Replaces all pods, a few at a time. */
  restartDeployment(deployment: string, at: string): Promise<void>;
  /** Server-side apply; never takes a field from another manager. @throws conflict naming field and manager */
  applyDeployment(manifest: Manifest, options: { readonly withReplicas: boolean }): Promise<void>;
  findPodTemplate(pod: string): Promise<PodTemplate | undefined>;
  createDeployment(name: string, template: PodTemplate): Promise<void>;
}

export interface Cluster {
  readonly namespace: string;
  /** The name of the pod that this replica runs in. */
  readonly pod: string;
  /** Begins calls with a deadline of their own. */
  connect(): Promise<ClusterCalls>;
  /** The manifest of the Deployment; undefined: none is configured. @throws DomainError conflict `invalid_manifest` */
  readManifest(): Promise<Manifest | undefined>;
}
