// Housekeeping: deletes runs of objectives that ended more than RUN_RETENTION_DAYS ago.
import { retainEachTenant, type RetainDeps } from '../../access/retain-each-tenant.ts';

const batchSize = 1_000;

/** One round over every tenant; what is left is deleted by the next ones. */
export function retainOkrRuns(deps: RetainDeps, retentionDays: number, signal: AbortSignal): Promise<void> {
  const about = { component: 'okr_retention', action: 'okr.retain', resource: '/v1/okr' };
  const drop: Parameters<typeof retainEachTenant>[2] = async (rows) => ({
    runs: await rows.okrRuns.drop(retentionDays, batchSize),
  });
  return retainEachTenant(deps, about, drop, signal, { older_than_days: retentionDays });
}
