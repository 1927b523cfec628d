// Operations on the cluster that the service runs in. platform-1.5.
import { z } from 'zod';
import {
  clusterStatus,
  healthAnswer,
  healthRequest,
  reconcileAnswer,
  scaleAnswer,
  scaleRequest,
  type CheckDetailWire,
  type ClusterPodWire,
  type ClusterStatusWire,
} from '../../contracts/cluster/k8s.ts';
import type { ClusterCheck } from '../../domain/cluster/check-cluster.ts';
import { checkHealth } from '../../domain/cluster/check-health.ts';
import type { ClusterDeps } from '../../domain/cluster/cluster-deps.ts';
import type { ClusterStatus, ClusterStatusReader, PodStatus } from '../../domain/cluster/read-status.ts';
import { reconcile } from '../../domain/cluster/reconcile.ts';
import { scaleCluster } from '../../domain/cluster/scale.ts';
import type { HeldPod } from '../../domain/model/cluster/health.ts';
import { operation, type Operation } from '../pipeline/operation.ts';

export function k8sOperations(deps: ClusterDeps, status: ClusterStatusReader): Operation[] {
  return [
    operation({
      name: 'k8s.status',
      method: 'GET',
      path: '/v1/k8s/status',
      summary: 'Get the Deployment, its pods and the last check.',
      description: 'Outside a cluster: 503 not_in_cluster. The answer may be two seconds old.',
      permission: 'k8s:read',
      answers: { 200: clusterStatus },
      run: async () => ({ status: 200, body: statusToWire(await status.read()) }),
    }),
    operation({
      name: 'k8s.scale',
      method: 'POST',
      path: '/v1/k8s/scale',
      summary: 'Scale the Deployment.',
      description:
        'Between CLUSTER_MIN_REPLICAS and CLUSTER_MAX_REPLICAS. Above 1 it needs a shared database, and no autoscaler may scale the Deployment.',
      permission: 'k8s:write',
      body: scaleRequest,
      answers: { 200: scaleAnswer },
      run: async (caller, { body }) => {
        const detail = await scaleCluster(deps, caller, body.replicas);
        return { status: 200, body: { action: 'scale' as const, accepted: true, detail } };
      },
    }),
    operation({
      name: 'k8s.health',
      method: 'POST',
      path: '/v1/k8s/health',
      summary: 'Check the pods now, and restart unhealthy ones.',
      description:
        'Unhealthy pods are evicted one after the other, each once the successor of the one before is ready. {"restart": "all"} replaces all pods.',
      permission: 'k8s:write',
      body: healthRequest,
      answers: { 200: healthAnswer },
      run: async (caller, { body }) => {
        const check = await checkHealth(deps, caller, body.restart === 'all');
        const answer = { action: 'health' as const, accepted: isAccepted(check), detail: checkToWire(check) };
        return { status: 200, body: answer };
      },
    }),
    operation({
      name: 'k8s.reconcile',
      method: 'POST',
      path: '/v1/k8s/reconcile',
      summary: 'Apply the manifest and check the pods now.',
      description:
        'As the background loop does it. A pod that nothing owns gets a Deployment made from its own spec, where CLUSTER_MANIFEST_FILE is not set.',
      permission: 'k8s:write',
      body: z.strictObject({}),
      answers: { 200: reconcileAnswer },
      run: async (caller) => {
        const { deployment, check, failure } = await reconcile(deps, { actor: caller.subject, creates: true });
        if (deployment === undefined) throw failure;
        const changed = deployment === 'created' || deployment === 'updated';
        const detail = { deployment, ...(check === undefined ? noCheck : checkToWire(check)) };
        const accepted = changed || check === undefined || isAccepted(check);
        return { status: 200, body: { action: 'reconcile' as const, accepted, detail } };
      },
    }),
  ];
}

const noCheck: CheckDetailWire = { checked: 0, unhealthy: [], restarting: [], held_back: [] };

function isAccepted({ restarting, heldBack }: ClusterCheck): boolean {
  return heldBack.length === 0 || restarting.length > 0;
}

function statusToWire(status: ClusterStatus): ClusterStatusWire {
  const { namespace, pod, deployment, pods, autoscaler, missingPermissions, last } = status;
  return {
    in_cluster: true,
    namespace,
    pod,
    deployment:
      deployment === undefined
        ? null
        : {
            name: deployment.name,
            replicas: deployment.replicas,
            available: deployment.available,
            updated: deployment.updated,
            ready: deployment.ready,
            generation: deployment.generation,
            paused: deployment.paused,
          },
    pods: pods.map(podToWire),
    autoscaler: autoscaler === undefined ? null : { name: autoscaler.name, min: autoscaler.min, max: autoscaler.max },
    permissions: { missing: [...missingPermissions] },
    last_reconcile:
      last === null
        ? null
        : {
            at: last.at,
            replica: last.replica,
            outcome: last.outcome,
            checked: last.checked,
            unhealthy: last.unhealthy,
            restarted: [...last.restarted],
            held_back: last.heldBack.map(heldToWire),
            error: last.error,
          },
  };
}

function podToWire({ pod, current, illness }: PodStatus): ClusterPodWire {
  return {
    name: pod.name,
    phase: pod.phase,
    ready: pod.ready,
    restarts: pod.containers.reduce((sum, { restarts }) => sum + restarts, 0),
    started_at: pod.startedAt,
    node: pod.node,
    template_hash: pod.templateHash,
    current,
    unhealthy_reason: illness?.reason ?? null,
    since: illness === undefined ? null : toIso(illness.since),
  };
}

function checkToWire({ checked, unhealthy, restarting, heldBack }: ClusterCheck): CheckDetailWire {
  return {
    checked,
    unhealthy: unhealthy.map(({ pod, reason, since }) => ({ pod, reason, since: toIso(since) })),
    restarting: [...restarting],
    held_back: heldBack.map(heldToWire),
  };
}

function heldToWire({ pod, reason, until }: HeldPod): CheckDetailWire['held_back'][number] {
  return { pod, reason, ...(until === undefined ? {} : { until: toIso(until) }) };
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
