// Housekeeping: finished tasks go after RETENTION_DAYS, and with them their runs, logs and artifacts.
import type { Crossings } from '../ports/crossings.ts';
import type { Store } from '../ports/store.ts';

export interface RetentionPolicy {
  readonly retentionDays: number;
  readonly idempotencyHours: number;
}

const batch = 500;

/** One round over every tenant, in batches so that no lock is held long. @returns how many tasks went */
export async function retain(
  deps: { readonly store: Store; readonly crossings: Crossings },
  policy: RetentionPolicy,
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0;
  for (const tenantId of await deps.crossings.tenants()) {
    let more = true;
    while (more && !signal.aborted) {
      const gone = await deps.store.within({ tenantId }, (rows) =>
        rows.tasks.dropFinished(policy.retentionDays, batch),
      );
      dropped += gone;
      more = gone === batch;
    }
    await deps.store.within({ tenantId }, (rows) => rows.tasks.dropUnusedRoutes());
  }
  await deps.crossings.dropOldKeys(policy.idempotencyHours);
  return dropped;
}
