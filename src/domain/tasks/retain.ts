// Housekeeping: finished tasks go after RETENTION_DAYS, and with them their runs, logs and artifacts.
import type { LoopAudit } from '../ports/audit.ts';
import type { Crossings } from '../ports/store/crossings.ts';
import type { Store } from '../ports/store/store.ts';

export interface RetentionPolicy {
  readonly retentionDays: number;
  readonly idempotencyHours: number;
}

const batch = 500;

/** One round over every tenant, in batches so that no lock is held long. @returns how many tasks went */
export async function retain(
  deps: { readonly store: Store; readonly crossings: Crossings; readonly audit: LoopAudit },
  policy: RetentionPolicy,
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0;
  for (const tenantId of await deps.crossings.tenants()) {
    let more = true;
    while (more && !signal.aborted) {
      const about = { loop: 'retention', tenantId, action: 'tasks.retain', resource: '/v1/agent/tasks' };
      const gone = await deps.audit.change(about, async (tenant) => {
        const value = await deps.store.within(tenant, (rows) => rows.tasks.dropFinished(policy.retentionDays, batch));
        return { value, changed: value === 0 ? undefined : { count: value, older_than_days: policy.retentionDays } };
      });
      dropped += gone;
      more = gone === batch;
    }
    await deps.store.within({ tenantId }, (rows) => rows.tasks.dropUnusedRoutes());
  }
  await deps.crossings.dropOldKeys(policy.idempotencyHours);
  return dropped;
}
