// The loop of the cluster manager: finds the Deployment of this replica once, then reconciles it while this replica leads.
import { requireCluster, type ClusterDeps } from './cluster-deps.ts';
import { loopActor } from './judge/judge.ts';
import { systemTenantId } from '../model/audit-entry.ts';
import type { LastReconcile } from '../model/cluster/health.ts';
import { findDeployment } from './place.ts';
import { reconcile, reportFailure } from './reconcile.ts';

export interface ReconcilerDeps extends ClusterDeps {
  readonly missingPermissions: () => Promise<readonly string[] | undefined>;
  readonly log: (line: string, details?: unknown) => void;
}

/** `off`: the service does not manage a cluster. */
export interface ClusterHealth {
  readonly status: 'ok' | 'degraded' | 'off';
  /** One sentence; null: there is nothing to say. */
  readonly reason: string | null;
}

export class ClusterReconciler {
  readonly #deps: ReconcilerDeps;
  /** Uid of the Deployment; undefined until it is found. */
  #clusterId: string | undefined;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  /**
   * Finds the Deployment, and logs which permissions are missing. Later calls do nothing.
   * @returns the name of its loop, once: replicas of two clusters on one database lead their own
   * @throws DomainError unavailable
   */
  async discover(): Promise<string | undefined> {
    if (this.#clusterId !== undefined) return undefined;
    const { settings, log } = this.#deps;
    const cluster = requireCluster(this.#deps);
    const deployment = await findDeployment(await cluster.connect(), cluster, settings);
    if (deployment === undefined) return undefined;
    this.#clusterId = deployment.uid;
    const missing = await this.#deps.missingPermissions().catch(() => undefined);
    if (missing !== undefined && missing.length > 0) {
      log('the Role of the service account lacks permissions; what needs them will fail (docs/DEPLOY.md)', { missing });
    }
    return `cluster_reconciler:${deployment.uid.slice(0, 8)}`;
  }

  /**
   * One check.
   * @param yieldLead lets another replica lead, because this replica's own pod is to be restarted
   * @throws DomainError of the cluster, the database or the audit; it has been reported where it could be
   */
  async tick(yieldLead: () => Promise<void>): Promise<void> {
    const { metrics } = this.#deps;
    const { check, failure } = await reconcile(this.#deps, { actor: loopActor, creates: false }).catch(
      async (error: unknown) => {
        metrics.failed();
        await this.#report(error);
        throw error;
      },
    );
    if (check?.yields === true) await yieldLead();
    if (failure === undefined) return;
    metrics.failed();
    throw failure;
  }

  /** By the last check, whichever replica made it. @throws DomainError of the database */
  async health(): Promise<ClusterHealth> {
    const { cluster, absence, store } = this.#deps;
    if (cluster === undefined) return { status: 'off', reason: absence };
    const clusterId = this.#clusterId;
    if (clusterId === undefined) return { status: 'ok', reason: 'No Deployment of this pod has been found yet.' };
    const { last } = await store.within({ tenantId: systemTenantId }, (rows) => rows.cluster.read(clusterId));
    return last === null ? { status: 'ok', reason: null } : describeLast(last);
  }

  async #report(failure: unknown): Promise<void> {
    const clusterId = this.#clusterId;
    if (clusterId === undefined) return;
    await reportFailure(this.#deps, clusterId, failure).catch((error: unknown) =>
      this.#deps.log('could not store the report of a failed check of the cluster; the next one will be', error),
    );
  }
}

function describeLast({ error, checked, unhealthy, heldBack }: LastReconcile): ClusterHealth {
  if (error !== null) return { status: 'degraded', reason: `The last check of the cluster failed: ${error.message}` };
  if (unhealthy === 0) return { status: 'ok', reason: null };
  const holds = [...new Set(heldBack.map(({ reason }) => reason))].toSorted().join(', ');
  const count = `${unhealthy} of ${checked} pods ${unhealthy === 1 ? 'is' : 'are'} unhealthy.`;
  const reason = holds === '' ? count : `${count} Held back by ${holds}.`;
  return { status: 'degraded', reason };
}
