// Pods, Deployments and evidence as checks of the cluster see them, for tests of the judgement.
import type { ClusterPod, Deployment } from '../../../src/domain/model/cluster/objects.ts';
import { emptyMemory } from '../../../src/domain/model/cluster/health.ts';
import { loopActor, type ClusterEvidence, type Rules } from '../../../src/domain/cluster/judge/judge.ts';

/** A moment long after the beginning of time. */
export const noon = Date.parse('2026-06-01T12:00:00Z');
export const minute = 60_000;

/** A pod that has been ready for an hour. */
export function healthyPod(name: string, overrides: Partial<ClusterPod> = {}): ClusterPod {
  const hourAgo = new Date(noon - 60 * minute).toISOString();
  return {
    name,
    uid: `uid-${name}`,
    owner: { kind: 'ReplicaSet', name: 'switchyard-1', uid: 'rs-1' },
    phase: 'Running',
    ready: true,
    readySince: hourAgo,
    scheduled: true,
    createdAt: hourAgo,
    startedAt: hourAgo,
    node: 'node-1',
    templateHash: 'hash-1',
    deleting: false,
    containers: [{ name: 'service', restarts: 0, waiting: null }],
    ...overrides,
  };
}

export function waitingPod(name: string, reason: string, overrides: Partial<ClusterPod> = {}): ClusterPod {
  const containers = [{ name: 'service', restarts: 1, waiting: reason }];
  return healthyPod(name, { ready: false, containers, ...overrides });
}

export function crashedPod(name: string, overrides: Partial<ClusterPod> = {}): ClusterPod {
  return waitingPod(name, 'CrashLoopBackOff', overrides);
}

/** A Deployment whose last rollout has ended. */
export function settledDeployment(replicas: number, overrides: Partial<Deployment> = {}): Deployment {
  return {
    name: 'switchyard',
    uid: 'deployment-1',
    selector: 'app=switchyard',
    generation: 1,
    observedGeneration: 1,
    replicas,
    updated: replicas,
    ready: replicas,
    available: replicas,
    paused: false,
    progress: { reason: 'NewReplicaSetAvailable', since: null },
    revision: '1',
    appliedSha256: null,
    ...overrides,
  };
}

export function evidence(pods: readonly ClusterPod[], overrides: Partial<ClusterEvidence> = {}): ClusterEvidence {
  const deployment = settledDeployment(pods.length);
  return { pods, deployment, currentHash: 'hash-1', rounds: [], memory: emptyMemory, now: noon, ...overrides };
}

export const loopRules: Rules = {
  ownPod: 'leader',
  unhealthySeconds: 120,
  intervalSeconds: 300,
  selfHeal: true,
  asked: false,
  actor: loopActor,
};
export const callRules: Rules = { ...loopRules, asked: true, actor: 'shared_token:admin' };
