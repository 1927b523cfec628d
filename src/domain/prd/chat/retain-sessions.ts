// Housekeeping: deletes PRD chats that nobody has changed for RUN_RETENTION_DAYS. runs-18.
import { retainEachTenant, type RetainDeps } from '../../access/retain-each-tenant.ts';

const batchSize = 100;

/** One round over every tenant; what is left is deleted by the next ones. */
export function retainPrdSessions(deps: RetainDeps, retentionDays: number, signal: AbortSignal): Promise<void> {
  const about = { component: 'prd_retention', action: 'prd.retain', resource: '/v1/ralph/prd/sessions' };
  const drop: Parameters<typeof retainEachTenant>[2] = async (rows) => ({
    sessions: await rows.prdSessions.dropUnchanged(retentionDays, batchSize),
  });
  return retainEachTenant(deps, about, drop, signal, { older_than_days: retentionDays });
}
