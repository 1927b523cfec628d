// Housekeeping: deletes tasks that finished more than RETENTION_DAYS ago, with their attempts, logs and artifacts.
import { systemCaller } from '../access/system-caller.ts';
import type { LoopAudit } from '../ports/audit.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { Store } from '../ports/store/store.ts';

export interface RetentionPolicy {
  readonly retentionDays: number;
  readonly idempotencyHours: number;
}

const batchSize = 500;

/** One round over every tenant, in batches so that no lock is held long. @returns how many tasks were deleted */
export async function retain(
  deps: { readonly store: Store; readonly crossTenant: CrossTenantQueries; readonly audit: LoopAudit },
  policy: RetentionPolicy,
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0;
  for (const tenantId of await deps.crossTenant.tenants()) {
    let hasMore = true;
    while (hasMore && !signal.aborted) {
      const about = { action: 'tasks.retain', resource: '/v1/agent/tasks' };
      const droppedNow = await deps.audit.change(systemCaller(tenantId, 'retention'), about, async (caller) => {
        const value = await deps.store.within(caller, (rows) =>
          rows.taskMoves.dropFinished(policy.retentionDays, batchSize),
        );
        return { value, changed: value === 0 ? undefined : { count: value, older_than_days: policy.retentionDays } };
      });
      dropped += droppedNow;
      hasMore = droppedNow === batchSize;
    }
    await deps.store.within({ tenantId }, (rows) => rows.taskMoves.dropUnusedRoutes());
  }
  await deps.crossTenant.dropOldKeys(policy.idempotencyHours);
  return dropped;
}
