// Housekeeping: deletes registrations of agents that were silent for RETENTION_DAYS; their names become free.
import type { LoopAudit } from '../ports/audit.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { Store } from '../ports/store/store.ts';

/** One round over every tenant. */
export async function retainAgents(
  deps: { readonly store: Store; readonly crossTenant: Pick<CrossTenantQueries, 'tenants'>; readonly audit: LoopAudit },
  olderThanDays: number,
  signal: AbortSignal,
): Promise<void> {
  for (const tenantId of await deps.crossTenant.tenants()) {
    if (signal.aborted) return;
    const about = {
      actor: 'service:agent_retention',
      tenantId,
      action: 'agents.retain',
      resource: '/v1/monitor/agents',
    };
    await deps.audit.change(about, async (tenant) => {
      const count = await deps.store.within(tenant, (rows) => rows.agents.dropStale(olderThanDays));
      return { value: undefined, changed: count === 0 ? undefined : { count, older_than_days: olderThanDays } };
    });
  }
}
