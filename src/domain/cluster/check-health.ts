// The verb that checks the pods now, or restarts all of them. platform-1.5.
import type { Caller } from '../model/access/caller.ts';
import type { HeldPod, HoldReason } from '../model/cluster/health.ts';
import type { Deployment } from '../model/cluster/objects.ts';
import type { Cluster, ClusterCalls } from '../ports/cluster/cluster.ts';
import { changeCluster } from './audited-change.ts';
import { checkCluster, type ClusterCheck } from './check-cluster.ts';
import { requireCluster, type ClusterDeps } from './cluster-deps.ts';
import { listDeploymentPods, requireDeployment } from './place.ts';
import { rolloutOf } from './judge/rollout.ts';

/** @param restartAll every pod is replaced, healthy ones too. @throws DomainError conflict; unavailable */
export async function checkHealth(deps: ClusterDeps, caller: Caller, restartAll: boolean): Promise<ClusterCheck> {
  const cluster = requireCluster(deps);
  const calls = await cluster.connect();
  const deployment = await requireDeployment(calls, cluster, deps.settings);
  const request = { cluster, calls, deployment, actor: caller.subject };
  return restartAll ? restart(deps, request) : checkCluster(deps, { ...request, asked: true });
}

interface RestartRequest {
  readonly cluster: Cluster;
  readonly calls: ClusterCalls;
  readonly deployment: Deployment;
  readonly actor: string;
}

async function restart(
  deps: ClusterDeps,
  { cluster, calls, deployment, actor }: RestartRequest,
): Promise<ClusterCheck> {
  const { pods } = await listDeploymentPods(calls, deployment);
  const names = pods.filter(({ deleting }) => !deleting).map(({ name }) => name);
  const check = { checked: names.length, unhealthy: [], restarted: [], yields: false };
  const rollout = rolloutOf(deployment);
  if (rollout !== 'settled') return { ...check, restarting: [], heldBack: names.map(heldBy(rollout)) };
  await changeCluster(deps, {
    about: {
      actor,
      action: 'k8s.rollout_restart',
      resource: `/v1/k8s/deployments/${cluster.namespace}/${deployment.name}`,
    },
    facts: { deployment: deployment.name, pods: names.length },
    prepare: (rows) => rows.cluster.lock(deployment.uid).then(() => true),
    work: async () => {
      const session = await cluster.connect();
      await session.restartDeployment(deployment.name, new Date(deps.now()).toISOString());
      return { value: undefined, facts: { deployment: deployment.name, pods: names.length } };
    },
  });
  return { ...check, restarting: names, heldBack: [] };
}

function heldBy(reason: HoldReason): (pod: string) => HeldPod {
  return (pod) => ({ pod, reason });
}
