// Housekeeping: deletes registrations of agents that were silent for RETENTION_DAYS; their names become free.
import { retainEachTenant, type RetainDeps } from '../access/retain-each-tenant.ts';

/** One round over every tenant. */
export function retainAgents(deps: RetainDeps, olderThanDays: number, signal: AbortSignal): Promise<void> {
  const about = { component: 'agent_retention', action: 'agents.retain', resource: '/v1/monitor/agents' };
  return retainEachTenant(
    deps,
    about,
    async (rows) => ({ count: await rows.agents.dropStale(olderThanDays) }),
    signal,
    { older_than_days: olderThanDays },
  );
}
