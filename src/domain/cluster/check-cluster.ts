// One check of the cluster: looks at the pods, judges, and restarts at most one of them. platform-1.3.
import { systemTenantId } from '../model/audit-entry.ts';
import type { HeldPod, UnhealthyPod } from '../model/cluster/health.ts';
import type { Deployment } from '../model/cluster/objects.ts';
import type { Cluster, ClusterCalls } from '../ports/cluster/cluster.ts';
import type { ClusterDeps } from './cluster-deps.ts';
import { evictNext } from './evict-next.ts';
import { judgeCluster, type Decision } from './judge/judge.ts';
import { listDeploymentPods, type DeploymentPods } from './place.ts';

export interface CheckRequest {
  readonly cluster: Cluster;
  readonly calls: ClusterCalls;
  readonly deployment: Deployment;
  readonly actor: string;
  /** A caller asked for the check. */
  readonly asked: boolean;
}

export interface ClusterCheck {
  readonly checked: number;
  readonly unhealthy: readonly UnhealthyPod[];
  /** Evicted by this check. */
  readonly restarted: readonly string[];
  /** Restarted now or in their turn. */
  readonly restarting: readonly string[];
  readonly heldBack: readonly HeldPod[];
  /** The own pod is next: another replica has to decide. */
  readonly yields: boolean;
}

/** @throws DomainError of the cluster, the database or the audit */
export async function checkCluster(deps: ClusterDeps, request: CheckRequest): Promise<ClusterCheck> {
  const { cluster, calls, deployment, actor } = request;
  const found = await listDeploymentPods(calls, deployment);
  const decision = await judgeAndStore(deps, request, found);
  deps.metrics.looked(countByState(found, decision));
  const { next, checked, unhealthy, restarting, heldBack, yields } = decision;
  const check = { checked, unhealthy, restarted: [], restarting, heldBack, yields };
  if (next === undefined) return check;
  const eviction = await evictNext(deps, { cluster, clusterId: deployment.uid, actor }, next);
  if (eviction === 'evicted') return { ...check, restarted: [next.pod] };
  if (eviction !== 'blocked') return check;
  // The others wait for this one.
  const held = restarting.map((pod): HeldPod => ({ pod, reason: 'disruption_budget' }));
  return { ...check, restarting: [], heldBack: [...heldBack, ...held] };
}

function judgeAndStore(
  { store, settings }: ClusterDeps,
  { cluster, deployment, actor, asked }: CheckRequest,
  { pods, currentHash }: DeploymentPods,
): Promise<Decision> {
  return store.within({ tenantId: systemTenantId }, async (rows) => {
    const { now, memory, rounds } = await rows.cluster.lock(deployment.uid);
    const decision = judgeCluster(
      { pods, deployment, currentHash, rounds, memory, now },
      {
        ownPod: cluster.pod,
        unhealthySeconds: settings.unhealthySeconds,
        intervalSeconds: settings.restartIntervalSeconds,
        selfHeal: settings.selfHeal,
        asked,
        actor,
      },
    );
    await rows.cluster.saveMemory(deployment.uid, decision.memory);
    if (decision.round !== undefined && JSON.stringify(decision.round) !== JSON.stringify(rounds[0])) {
      await rows.cluster.updateRound(deployment.uid, decision.round);
    }
    return decision;
  });
}

function countByState({ pods }: DeploymentPods, { unhealthy }: Decision): Map<string, number> {
  const reasons = new Map(unhealthy.map(({ uid, reason }) => [uid, reason]));
  const counts = new Map<string, number>();
  for (const { uid, ready, deleting } of pods) {
    const state = deleting ? 'terminating' : (reasons.get(uid) ?? (ready ? 'ready' : 'starting'));
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return counts;
}
