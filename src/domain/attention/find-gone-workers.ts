// Finds workers whose heartbeats stopped, so that people and followers are notified.
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';

export interface GoneDeps {
  readonly store: Store;
  readonly crossTenant: Pick<CrossTenantQueries, 'silentWorkers'>;
  readonly wake: Pick<WakeBus, 'announce'>;
}

const batchSize = 1_000;

/**
 * One round over all tenants.
 * @param silentSeconds a worker without a heartbeat for this long counts as gone
 */
export async function findGoneWorkers(deps: GoneDeps, silentSeconds: number, signal: AbortSignal): Promise<void> {
  const silent = await deps.crossTenant.silentWorkers(silentSeconds, batchSize);
  for (const [tenantId, workers] of Map.groupBy(silent, (worker) => worker.tenantId)) {
    if (signal.aborted) return;
    const ids = workers.map(({ workerId }) => workerId);
    const gone = await deps.store.within({ tenantId }, (rows) => rows.attention.markGone(ids, silentSeconds));
    for (const workerId of gone) deps.wake.announce({ kind: 'workers', tenantId, workerId });
  }
}
