// Finds the objects around this replica in its cluster: its pod, the Deployment that owns it, and that Deployment's other pods.
import { DomainError } from '../model/errors.ts';
import type { ClusterPod, Deployment } from '../model/cluster/objects.ts';
import type { Cluster, ClusterCalls } from '../ports/cluster/cluster.ts';
import type { ClusterSettings } from './cluster-deps.ts';

/** @returns undefined: no Deployment owns the pod */
export async function findDeployment(
  calls: ClusterCalls,
  { pod: podName }: Cluster,
  { deployment: name }: Pick<ClusterSettings, 'deployment'>,
): Promise<Deployment | undefined> {
  if (name !== undefined) return calls.findDeployment(name);
  const pod = await calls.findPod(podName);
  if (pod?.owner?.kind !== 'ReplicaSet') return undefined;
  const replicaSet = await calls.findReplicaSet(pod.owner.name);
  return replicaSet?.owner?.kind === 'Deployment' ? calls.findDeployment(replicaSet.owner.name) : undefined;
}

/** @throws DomainError conflict `no_deployment` */
export async function requireDeployment(
  calls: ClusterCalls,
  cluster: Cluster,
  settings: Pick<ClusterSettings, 'deployment'>,
): Promise<Deployment> {
  const deployment = await findDeployment(calls, cluster, settings);
  if (deployment !== undefined) return deployment;
  const what =
    settings.deployment === undefined
      ? `No Deployment owns the pod ${cluster.pod} in namespace ${cluster.namespace}`
      : `There is no Deployment ${settings.deployment} in namespace ${cluster.namespace}`;
  throw new DomainError(
    'conflict',
    'no_deployment',
    `${what}. Run the service by a Deployment, or call POST /v1/k8s/reconcile to make one of a pod without an owner.`,
  );
}

export interface DeploymentPods {
  readonly pods: readonly ClusterPod[];
  /** The template hash of the newest ReplicaSet; null: its controller has made none yet. */
  readonly currentHash: string | null;
}

/** The pods that belong to the Deployment by their owners, whatever else has its labels. */
export async function listDeploymentPods(calls: ClusterCalls, deployment: Deployment): Promise<DeploymentPods> {
  const [replicaSets, pods] = await Promise.all([
    calls.listReplicaSets(deployment.selector),
    calls.listPods(deployment.selector),
  ]);
  const own = replicaSets.filter(({ owner }) => owner?.uid === deployment.uid);
  const uids = new Set(own.map(({ uid }) => uid));
  const current = own.find(({ revision }) => revision !== null && revision === deployment.revision);
  return {
    pods: pods.filter(({ owner }) => owner !== null && uids.has(owner.uid)),
    currentHash: current?.templateHash ?? null,
  };
}
