// Housekeeping: deletes keys that have long been revoked or expired, and sessions that have expired.
import type { LoopAudit } from '../ports/audit.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { Store } from '../ports/store/store.ts';

/** One round over every tenant. @param olderThanDays how long a dead key is still listed */
export async function retainCredentials(
  deps: { readonly store: Store; readonly crossTenant: Pick<CrossTenantQueries, 'tenants'>; readonly audit: LoopAudit },
  olderThanDays: number,
  signal: AbortSignal,
): Promise<void> {
  for (const tenantId of await deps.crossTenant.tenants()) {
    if (signal.aborted) return;
    const about = {
      actor: 'service:credential_retention',
      tenantId,
      action: 'credentials.retain',
      resource: '/v1/auth',
    };
    await deps.audit.change(about, async (tenant) => {
      const deleted = await deps.store.within(tenant, async (rows) => ({
        keys: await rows.apiKeys.dropInactive(olderThanDays),
        sessions: await rows.signIns.dropExpired(),
      }));
      return { value: undefined, changed: deleted.keys + deleted.sessions === 0 ? undefined : deleted };
    });
  }
}
