// The verb that reads the state of the cluster. What the API server answers is kept for two seconds, so that many readers
// cost one look; what the database has is read anew. platform-1.5.
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
  /** True: it is of the newest template. */
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

/** The answers of the API server. */
interface Look {
  readonly deployment: Deployment;
  readonly found: DeploymentPods;
  readonly autoscaler: Autoscaler | undefined;
  readonly missingPermissions: readonly string[];
}

interface Kept<T> {
  readonly at: number;
  readonly value: Promise<T>;
}

export class ClusterStatusReader {
  readonly #deps: StatusDeps;
  #look: Kept<Look | undefined> | undefined;
  #permissions: Kept<readonly string[]> | undefined;

  constructor(deps: StatusDeps) {
    this.#deps = deps;
  }

  /** @throws DomainError unavailable */
  async read(): Promise<ClusterStatus> {
    const cluster = requireCluster(this.#deps);
    const { namespace, pod } = cluster;
    const look = await this.#keep(
      this.#look,
      keptMs,
      () => this.#lookAt(cluster),
      (kept) => (this.#look = kept),
    );
    if (look === undefined) {
      return {
        namespace,
        pod,
        deployment: undefined,
        pods: [],
        autoscaler: undefined,
        missingPermissions: [],
        last: null,
      };
    }
    const { deployment, found, autoscaler, missingPermissions } = look;
    const { store, settings } = this.#deps;
    const { memory, now, last } = await store.within({ tenantId: systemTenantId }, (rows) =>
      rows.cluster.read(deployment.uid),
    );
    const sampled = sampleRestarts(memory, found.pods, now);
    const ill = findUnhealthy(found.pods, sampled, now, settings.unhealthySeconds);
    return { namespace, pod, deployment, pods: toPodStatuses(found, ill), autoscaler, missingPermissions, last };
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

  async #lookAt(cluster: Cluster): Promise<Look | undefined> {
    const calls = await cluster.connect();
    const deployment = await findDeployment(calls, cluster, this.#deps.settings);
    if (deployment === undefined) return undefined;
    const [found, autoscaler, missingPermissions] = await Promise.all([
      listDeploymentPods(calls, deployment),
      readAutoscaler(calls, deployment.name),
      this.#missing(calls, deployment.name),
    ]);
    return { deployment, found, autoscaler, missingPermissions };
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
