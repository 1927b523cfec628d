// Housekeeping: registrations of agents that were silent for RETENTION_DAYS go, and their names are anybody's again.
import type { LoopAudit } from '../ports/audit.ts';
import type { Crossings } from '../ports/store/crossings.ts';
import type { Store } from '../ports/store/store.ts';

/** One round over every tenant. */
export async function retainAgents(
  deps: { readonly store: Store; readonly crossings: Pick<Crossings, 'tenants'>; readonly audit: LoopAudit },
  olderThanDays: number,
  signal: AbortSignal,
): Promise<void> {
  for (const tenantId of await deps.crossings.tenants()) {
    if (signal.aborted) return;
    const about = { loop: 'agent_retention', tenantId, action: 'agents.retain', resource: '/v1/monitor/agents' };
    await deps.audit.change(about, async (tenant) => {
      const count = await deps.store.within(tenant, (rows) => rows.agents.dropSilent(olderThanDays));
      return { value: undefined, changed: count === 0 ? undefined : { count, older_than_days: olderThanDays } };
    });
  }
}
