// Housekeeping: deletes runs of cron jobs that ended more than RETENTION_DAYS ago.
import { retainEachTenant, type RetainDeps } from '../access/retain-each-tenant.ts';

const batchSize = 5_000;

/** One round over every tenant; what is left is deleted by the next ones. */
export function retainCronjobRuns(deps: RetainDeps, retentionDays: number, signal: AbortSignal): Promise<void> {
  const about = { component: 'cron_retention', action: 'cronjobs.retain', resource: '/v1/cronjobs' };
  const drop: Parameters<typeof retainEachTenant>[2] = async (rows) => ({
    runs: await rows.cronjobs.dropRuns(retentionDays, batchSize),
  });
  return retainEachTenant(deps, about, drop, signal, { older_than_days: retentionDays });
}
