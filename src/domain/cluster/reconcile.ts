// Reconciliation: applies the manifest, checks the pods, and reports. The loop and a caller run the same. platform-1.2.
import { systemTenantId } from '../model/audit-entry.ts';
import { DomainError } from '../model/errors.ts';
import type { HeldPod, ReconcileOutcome, ReconcileReport } from '../model/cluster/health.ts';
import type { Deployment } from '../model/cluster/objects.ts';
import type { Cluster } from '../ports/cluster/cluster.ts';
import { applyManifest, type Applied } from './apply-manifest.ts';
import { checkCluster, type ClusterCheck } from './check-cluster.ts';
import { clusterCaller } from './audited-change.ts';
import { requireCluster, type ClusterDeps } from './cluster-deps.ts';
import { createDeployment } from './create-deployment.ts';
import { findDeployment } from './place.ts';

export interface Reconciled {
  /** Undefined: the manifest could not be applied. */
  readonly deployment: Applied | undefined;
  /** Undefined: there is no Deployment whose pods could be checked. */
  readonly check: ClusterCheck | undefined;
  /** Why the manifest could not be applied; the pods were checked all the same. */
  readonly failure: unknown;
}

export interface ReconcileRequest {
  readonly actor: string;
  /** True: a Deployment is made of a pod without an owner. */
  readonly creates: boolean;
}

/** @throws DomainError of the cluster, the database or the audit */
export async function reconcile(deps: ClusterDeps, { actor, creates }: ReconcileRequest): Promise<Reconciled> {
  const cluster = requireCluster(deps);
  const calls = await cluster.connect();
  const deployment = await findDeployment(calls, cluster, deps.settings);
  const request = { cluster, calls, deployment, actor };
  const applied = await applyManifest(deps, request).then(
    (value) => ({ value, failure: undefined }),
    (failure: unknown) => ({ value: undefined, failure }),
  );
  if (deployment === undefined) {
    const isCreated = creates && applied.value === 'none' && (await createDeployment(deps, request));
    return { deployment: isCreated ? 'created' : applied.value, check: undefined, failure: applied.failure };
  }
  const isSame = applied.value === 'none' || applied.value === 'unchanged';
  const current = isSame ? { calls, deployment } : await lookAgain(cluster, deployment);
  const check = await checkCluster(deps, { ...request, ...current, asked: false });
  await saveReport(deps, deployment.uid, toReport(check, applied.failure));
  await auditHolds(deps, { actor, namespace: cluster.namespace, deployment }, check.heldBack);
  return { deployment: applied.value, check, failure: applied.failure };
}

/** The Deployment after it may have been changed, with a deadline of its own. */
async function lookAgain(cluster: Cluster, before: Deployment) {
  const calls = await cluster.connect();
  return { calls, deployment: (await calls.findDeployment(before.name)) ?? before };
}

/** Reports that a check could not be made. @throws DomainError of the database */
export function reportFailure(deps: ClusterDeps, clusterId: string, failure: unknown): Promise<void> {
  return saveReport(deps, clusterId, toReport(undefined, failure));
}

function saveReport({ store, replica }: ClusterDeps, clusterId: string, report: ReconcileReport): Promise<void> {
  return store.within({ tenantId: systemTenantId }, (rows) => rows.cluster.saveReport(clusterId, replica, report));
}

function toReport(check: ClusterCheck | undefined, failure: unknown): ReconcileReport {
  return {
    outcome: outcomeOf(check, failure),
    checked: check?.checked ?? 0,
    unhealthy: check?.unhealthy.length ?? 0,
    restarted: check?.restarted ?? [],
    heldBack: check?.heldBack ?? [],
    error: failure === undefined ? null : describeFailure(failure),
  };
}

function outcomeOf(check: ClusterCheck | undefined, failure: unknown): ReconcileOutcome {
  if (check === undefined || failure !== undefined) return 'failed';
  if (check.unhealthy.length === 0) return 'healthy';
  return check.restarting.length > 0 ? 'acted' : 'held_back';
}

function describeFailure(failure: unknown): { code: string; message: string } {
  if (failure instanceof DomainError) return { code: failure.code, message: failure.message };
  return { code: 'internal_error', message: 'The check failed. The log has the details.' };
}

interface HeldRound {
  readonly actor: string;
  readonly namespace: string;
  readonly deployment: Deployment;
}

/** One entry for each change of the reasons, not for each check. */
async function auditHolds(
  { audit, store }: ClusterDeps,
  { actor, namespace, deployment }: HeldRound,
  held: readonly HeldPod[],
): Promise<void> {
  const reasons = [...new Set(held.map(({ reason }) => reason))].toSorted().join(', ');
  const { uid, name } = deployment;
  const known = await store.within({ tenantId: systemTenantId }, (rows) => rows.cluster.read(uid));
  if (known.memory.auditedHolds === reasons) return;
  const resource = `/v1/k8s/deployments/${namespace}/${name}`;
  const about = { action: 'k8s.held_back', resource };
  await audit.change(clusterCaller(actor), about, async (caller) => {
    const isNew = await store.within(caller, async (rows) => {
      const { memory } = await rows.cluster.lock(uid);
      await rows.cluster.saveMemory(uid, { ...memory, auditedHolds: reasons });
      return memory.auditedHolds !== reasons;
    });
    const pods = held.map(({ pod }) => pod).join(', ');
    return { value: undefined, changed: isNew && reasons !== '' ? { reasons, pods } : undefined };
  });
}
