// The verb that reads the state of the cluster: kept for two seconds, so that many readers cost one look. platform-1.5.
import { systemTenantId } from '../model/audit-entry.ts';
import { DomainError } from '../model/errors.ts';
import { type LastReconcile, type UnhealthyPod } from '../model/cluster/health.ts';
import type { Autoscaler, ClusterPod, Deployment } from '../model/cluster/objects.ts';
import type { Cluster, ClusterCalls } from '../ports/cluster/cluster.ts';
import { findAutoscaler } from './apply-manifest.ts';
import { requireCluster, type ClusterDeps } from './cluster-deps.ts';
import { findUnhealthy, sampleRestarts } from './judge/observe.ts';
import { findDeployment, listDeploymentPods, type DeploymentPods } from './place.ts';

export interface PodStatus {
  readonly pod: ClusterPod;
  /** Of the newest template. */
  readonly current: boolean;
  readonly illness: UnhealthyPod | undefined;
}

export interface ClusterStatus {
  readonly namespace: string;
  readonly pod: string;
  readonly deployment: Deployment | undefined;
  readonly pods: readonly PodStatus[];
  readonly autoscaler: Autoscaler | undefined;
  readonly missingPermissions: readonly string[];
  readonly last: LastReconcile | null;
}

const keptMs = 2_000;
/** Permissions change seldom, and to ask for them takes a call for each. */
const permissionsMs = 60_000;

export interface StatusDeps extends ClusterDeps {
  /** Milliseconds by a clock that is never set back. */
  readonly elapsedMs: () => number;
}

interface Kept<T> {
  readonly at: number;
  readonly value: Promise<T>;
}

export class ClusterStatusReader {
  readonly #deps: StatusDeps;
  #status: Kept<ClusterStatus> | undefined;
  #permissions: Kept<readonly string[]> | undefined;

  constructor(deps: StatusDeps) {
    this.#deps = deps;
  }

  /** @throws DomainError unavailable */
  async read(): Promise<ClusterStatus> {
    const cluster = requireCluster(this.#deps);
    return this.#keep(this.#status, keptMs, () => this.#look(cluster), (kept) => (this.#status = kept));
  }

  /** The permissions that the service account lacks; undefined: there is no Deployment to have them for. */
  async missingPermissions(): Promise<readonly string[] | undefined> {
    const cluster = requireCluster(this.#deps);
    const calls = await cluster.connect();
    const deployment = await findDeployment(calls, cluster, this.#deps.settings);
    return deployment && this.#missing(calls, deployment.name);
  }

  #keep<T>(
    kept: Kept<T> | undefined,
    ms: number,
    read: () => Promise<T>,
    keep: (kept: Kept<T> | undefined) => void,
  ): Promise<T> {
    const now = this.#deps.elapsedMs();
    if (kept !== undefined && now - kept.at < ms) return kept.value;
    const value = read();
    keep({ at: now, value });
    // Owned: every reader of the value gets the error itself.
    value.catch(() => keep(undefined));
    return value;
  }

  #missing(calls: ClusterCalls, deployment: string): Promise<readonly string[]> {
    const ask = (): Promise<readonly string[]> => calls.missingPermissions(deployment);
    return this.#keep(this.#permissions, permissionsMs, ask, (kept) => (this.#permissions = kept));
  }

  async #look(cluster: Cluster): Promise<ClusterStatus> {
    const { settings, store } = this.#deps;
    const calls = await cluster.connect();
    const { namespace, pod } = cluster;
    const deployment = await findDeployment(calls, cluster, settings);
    if (deployment === undefined) {
      return { namespace, pod, deployment, pods: [], autoscaler: undefined, missingPermissions: [], last: null };
    }
    const [found, autoscaler, missingPermissions, record] = await Promise.all([
      listDeploymentPods(calls, deployment),
      readAutoscaler(calls, deployment.name),
      this.#missing(calls, deployment.name),
      store.within({ tenantId: systemTenantId }, (rows) => rows.cluster.read(deployment.uid)),
    ]);
    const memory = sampleRestarts(record.memory, found.pods, record.now);
    const ill = findUnhealthy(found.pods, memory, record.now, settings.unhealthySeconds);
    return {
      namespace,
      pod,
      deployment,
      pods: toPodStatuses(found, ill),
      autoscaler,
      missingPermissions,
      last: record.last,
    };
  }
}

function toPodStatuses({ pods, currentHash }: DeploymentPods, ill: readonly UnhealthyPod[]): PodStatus[] {
  const byUid = new Map(ill.map((each) => [each.uid, each]));
  return pods
    .map((pod) => ({
      pod,
      current: currentHash !== null && pod.templateHash === currentHash,
      illness: pod.deleting ? undefined : byUid.get(pod.uid),
    }))
    .toSorted((a, b) => (a.pod.name < b.pod.name ? -1 : 1));
}

/** Without the permission the status is shown all the same: it names what is missing. */
async function readAutoscaler(calls: ClusterCalls, deployment: string): Promise<Autoscaler | undefined> {
  try {
    return findAutoscaler(await calls.listAutoscalers(), deployment);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'cluster_forbidden') return undefined;
    throw error;
  }
}
