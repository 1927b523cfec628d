// Takes the next eviction of a round in the database, so that one replica makes it, and makes it.
import { systemTenantId } from '../model/audit-entry.ts';
import type { Round, RoundPod, RoundPodState } from '../model/cluster/health.ts';
import type { Cluster, Eviction } from '../ports/cluster/cluster.ts';
import type { Rows } from '../ports/store/store.ts';
import { changeCluster, isUnanswered } from './audited-change.ts';
import type { ClusterDeps } from './cluster-deps.ts';
import type { NextEviction } from './judge/judge.ts';

export interface Taker {
  readonly cluster: Cluster;
  /** Uid of the Deployment. */
  readonly clusterId: string;
  readonly actor: string;
}

/** @returns `taken`: another replica makes it. @throws DomainError of the cluster, the database or the audit */
export async function evictNext(
  deps: ClusterDeps,
  { cluster, clusterId, actor }: Taker,
  next: NextEviction,
): Promise<Eviction | 'taken'> {
  const { pod, uid, reason, templateHash } = next;
  const facts = { pod, uid, reason, template: templateHash };
  const setState = (state: RoundPodState): Promise<void> =>
    deps.store.within({ tenantId: systemTenantId }, async (rows) => {
      const current = (await rows.cluster.lock(clusterId)).rounds.find(({ number }) => number === next.round.number);
      if (current === undefined) return;
      const entry = { state, ...(state === 'waiting' ? { evictedAt: null } : {}) };
      await rows.cluster.updateRound(clusterId, withPod(current, uid, entry));
    });
  const eviction = await changeCluster<Eviction>(deps, {
    about: { actor, action: 'k8s.restart_pod', resource: `/v1/k8s/pods/${cluster.namespace}/${pod}` },
    facts,
    prepare: (rows) => take(rows, clusterId, next),
    work: async () => {
      const value = await evict(cluster, next, setState);
      return { value, facts: value === 'evicted' ? facts : undefined };
    },
  });
  if (eviction === 'evicted') deps.metrics.restarted(reason);
  return eviction ?? 'taken';
}

/** The round as it is now, not as it was judged, decides whether the pod is still to be evicted. */
async function take(rows: Rows, clusterId: string, { round, begins, uid }: NextEviction): Promise<boolean> {
  const { rounds } = await rows.cluster.lock(clusterId);
  if (begins) return rounds[0]?.number !== round.number && rows.cluster.beginRound(clusterId, round);
  const current = rounds[0];
  const isFree =
    current?.number === round.number &&
    current.pods.every(({ state }) => state !== 'evicting') &&
    current.pods.some((entry) => entry.uid === uid && entry.state === 'waiting');
  if (!isFree) return false;
  const judged = round.pods.find((entry) => entry.uid === uid);
  if (judged !== undefined) await rows.cluster.updateRound(clusterId, withPod(current, uid, judged));
  return true;
}

async function evict(
  cluster: Cluster,
  { pod, uid }: NextEviction,
  setState: (state: RoundPodState) => Promise<void>,
): Promise<Eviction> {
  try {
    const calls = await cluster.connect();
    const eviction = await calls.evict({ name: pod, uid });
    if (eviction === 'blocked') await setState('waiting');
    if (eviction === 'gone') await setState('gone');
    return eviction;
  } catch (error) {
    // Without an answer the pod stays `evicting`: if it still stands at a later check, it is tried again.
    if (!isUnanswered(error)) await setState('waiting');
    throw error;
  }
}

function withPod(round: Round, uid: string, change: Partial<RoundPod>): Round {
  return { ...round, pods: round.pods.map((entry) => (entry.uid === uid ? { ...entry, ...change } : entry)) };
}
