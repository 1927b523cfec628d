// The nouns of the cluster as the service sees them: a pod, a Deployment and what belongs to it. Only the fields that are used.

/** The controller that owns an object. */
export interface ControllerOwner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface PodContainer {
  readonly name: string;
  readonly restarts: number;
  /** The reason why it waits, e.g. `CrashLoopBackOff`; null: it does not wait. */
  readonly waiting: string | null;
}

export interface ClusterPod {
  readonly name: string;
  readonly uid: string;
  readonly owner: ControllerOwner | null;
  readonly phase: string;
  readonly ready: boolean;
  /** ISO 8601: since when it is Ready, or is not; null: its kubelet has not reported. */
  readonly readySince: string | null;
  /** False: the scheduler found no node for it. */
  readonly scheduled: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly node: string | null;
  /** The label `pod-template-hash`. */
  readonly templateHash: string | null;
  readonly deleting: boolean;
  /** Init containers first. */
  readonly containers: readonly PodContainer[];
}

export interface ReplicaSet {
  readonly name: string;
  readonly uid: string;
  readonly owner: ControllerOwner | null;
  readonly templateHash: string | null;
  /** The annotation `deployment.kubernetes.io/revision`. */
  readonly revision: string | null;
}

/** The condition `Progressing` of a Deployment. */
export interface Progress {
  readonly reason: string;
  /** ISO 8601. */
  readonly since: string | null;
}

export interface Deployment {
  readonly name: string;
  readonly uid: string;
  /** A label selector in the form of a query. */
  readonly selector: string;
  readonly generation: number;
  /** Zero: its controller has not seen it. */
  readonly observedGeneration: number;
  /** Wanted replicas. */
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly paused: boolean;
  readonly progress: Progress | null;
  readonly revision: string | null;
  /** The hash of the manifest that was applied last; null: none was. */
  readonly appliedSha256: string | null;
}

export interface Autoscaler {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly target: { readonly kind: string; readonly name: string };
}
