// Carries a round of restarts on: which of its pods have been replaced, and whether it has ended. platform-1.3. Pure.
import type { ClusterPod } from '../../model/cluster/objects.ts';
import type { Round, RoundPod, UnhealthyPod } from '../../model/cluster/health.ts';
import { isRestartable } from './observe.ts';

/** How long a successor may take to become Ready before the next pod has its turn. */
const successorMs = 10 * 60_000;
/** A pod that still stands so long after its eviction was not evicted: its replica died before the call. */
const unansweredMs = 15_000;

export interface RoundView {
  /** Those that are not being deleted. */
  readonly pods: readonly ClusterPod[];
  readonly unhealthy: readonly UnhealthyPod[];
  /** Wanted replicas. */
  readonly replicas: number;
  readonly now: number;
}

export function settleRound(round: Round, view: RoundView): Round {
  if (round.ended) return round;
  const pods = round.pods.map((entry) => settlePod(round, entry, view));
  const hasFailed = round.cautious && pods.some(({ state }) => state === 'failed');
  const settled = hasFailed ? pods.map(drop) : pods;
  return { ...round, pods: settled, ended: settled.every(({ state }) => state !== 'waiting' && state !== 'evicting') };
}

/** Closes a round in favour of the next one. */
export function closeRound(round: Round): Round {
  const pods = round.pods.map((entry) =>
    entry.state === 'evicting' ? { ...entry, state: 'failed' as const } : drop(entry),
  );
  return { ...round, pods, ended: true };
}

function drop(entry: RoundPod): RoundPod {
  return entry.state === 'waiting' ? { ...entry, state: 'dropped' } : entry;
}

function settlePod(round: Round, entry: RoundPod, view: RoundView): RoundPod {
  const isThere = view.pods.some(({ uid }) => uid === entry.uid);
  if (entry.state === 'waiting') {
    if (!isThere) return { ...entry, state: 'gone' };
    const isIll = view.unhealthy.some(({ uid, reason }) => uid === entry.uid && isRestartable(reason));
    return isIll ? entry : { ...entry, state: 'recovered' };
  }
  if (entry.state !== 'evicting' || entry.evictedAt === null) return entry;
  const ageMs = view.now - entry.evictedAt;
  if (isThere) return ageMs > unansweredMs ? { ...entry, state: 'waiting', evictedAt: null } : entry;
  const successors = view.pods.filter(({ uid }) => !entry.existing.includes(uid));
  const isReplaced = successors.some(({ ready }) => ready) || readyCount(view.pods) >= view.replicas;
  if (isReplaced) return { ...entry, state: 'replaced' };
  const isIll = round.cautious && view.unhealthy.some(({ uid }) => successors.some((pod) => pod.uid === uid));
  return isIll || ageMs >= successorMs ? { ...entry, state: 'failed' } : entry;
}

function readyCount(pods: readonly ClusterPod[]): number {
  return pods.filter(({ ready }) => ready).length;
}
