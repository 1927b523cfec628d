// The verb that scales the Deployment. platform-1.2.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { Cluster } from '../ports/cluster/cluster.ts';
import { findAutoscaler } from './apply-manifest.ts';
import { changeCluster } from './audited-change.ts';
import { requireCluster, type ClusterDeps, type ClusterSettings } from './cluster-deps.ts';
import { requireDeployment } from './place.ts';

export interface Scaled {
  readonly deployment: string;
  readonly from: number;
  readonly to: number;
  readonly changed: boolean;
}

// Others may change the Deployment between the reading and the writing: other scalers, and its controller whenever a pod
// changes.
const tries = 10;

/**
 * @throws DomainError invalid (the number); conflict `needs_shared_database`, `autoscaled`, `no_deployment`,
 *   `cluster_conflict`; unavailable
 */
export async function scaleCluster(deps: ClusterDeps, caller: Caller, replicas: number): Promise<Scaled> {
  const cluster = requireCluster(deps);
  assertAllowed(replicas, deps.settings);
  const calls = await cluster.connect();
  const { name, uid } = await requireDeployment(calls, cluster, deps.settings);
  const autoscaler = findAutoscaler(await calls.listAutoscalers(), name);
  if (autoscaler !== undefined) throw autoscaled(autoscaler);
  const scale = await calls.findScale(name);
  if (scale?.replicas === replicas) return { deployment: name, from: replicas, to: replicas, changed: false };
  const facts = { deployment: name, to: replicas };
  const from = await changeCluster(deps, {
    about: {
      actor: caller.subject,
      action: 'k8s.scale',
      resource: `/v1/k8s/deployments/${cluster.namespace}/${name}`,
    },
    facts,
    prepare: (rows) => rows.cluster.lock(uid).then(() => true),
    work: async () => {
      const value = await setScale(cluster, name, replicas);
      return { value, facts: value === replicas ? undefined : { ...facts, from: value } };
    },
  });
  return { deployment: name, from: from ?? replicas, to: replicas, changed: from !== replicas };
}

/** @returns the number before */
async function setScale(cluster: Cluster, name: string, replicas: number): Promise<number> {
  const calls = await cluster.connect();
  for (let left = tries; ; left -= 1) {
    const scale = await calls.findScale(name);
    if (scale === undefined || scale.replicas === replicas) return replicas;
    try {
      await calls.setScale(name, { replicas, resourceVersion: scale.resourceVersion });
      return scale.replicas;
    } catch (error) {
      const isStale = error instanceof DomainError && error.code === 'cluster_conflict';
      if (!isStale || left === 1) throw error;
    }
  }
}

function assertAllowed(replicas: number, { minReplicas, maxReplicas, hasSharedDatabase }: ClusterSettings): void {
  if (replicas === 0) {
    throw invalidReplicas('must be at least 1: a service at zero cannot scale itself up; use kubectl');
  }
  if (replicas < minReplicas || replicas > maxReplicas) {
    throw invalidReplicas(
      `must be between ${minReplicas} and ${maxReplicas} (CLUSTER_MIN_REPLICAS, CLUSTER_MAX_REPLICAS)`,
    );
  }
  if (replicas === 1 || hasSharedDatabase) return;
  throw new DomainError(
    'conflict',
    'needs_shared_database',
    'Each replica would have an embedded database of its own. Set DATABASE_URL before you scale above 1.',
  );
}

function invalidReplicas(message: string): DomainError {
  return new DomainError('invalid', 'invalid_request', `The request is not valid: /replicas ${message}.`, {
    errors: [{ path: '/replicas', message }],
  });
}

function autoscaled({ name, min, max }: { name: string; min: number; max: number }): DomainError {
  return new DomainError(
    'conflict',
    'autoscaled',
    `The autoscaler ${name} scales this Deployment between ${min} and ${max} replicas. Change its bounds instead.`,
  );
}
