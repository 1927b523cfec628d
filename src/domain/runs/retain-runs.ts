// Housekeeping: deletes runs that finished more than RUN_RETENTION_DAYS ago, with all their rows.
import { retainEachTenant, type RetainDeps } from '../access/retain-each-tenant.ts';

const batchSize = 100;

/** One round over every tenant; what is left is deleted by the next ones. */
export function retainRuns(deps: RetainDeps, retentionDays: number, signal: AbortSignal): Promise<void> {
  const about = { component: 'run_retention', action: 'runs.retain', resource: '/v1/ralph/runs' };
  const drop: Parameters<typeof retainEachTenant>[2] = async (rows) => ({
    runs: await rows.runs.dropFinished(retentionDays, batchSize),
  });
  return retainEachTenant(deps, about, drop, signal, { older_than_days: retentionDays });
}
