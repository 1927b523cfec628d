// Housekeeping: closes what asks nothing and nobody dismissed, and deletes events that no follower can ask for any more.
import { retainEachTenant, type RetainDeps } from '../access/retain-each-tenant.ts';
import { forgetDays } from './list-attention.ts';

const batchSize = 1_000;

/** One round over every tenant; what is left is closed by the next ones. */
export function retainAttention(deps: RetainDeps, retentionDays: number, signal: AbortSignal): Promise<void> {
  const about = { component: 'attention_retention', action: 'attention.retain', resource: '/v1/monitor/attention' };
  const drop: Parameters<typeof retainEachTenant>[2] = async (rows) => ({
    closed: await rows.attention.closeOlder(forgetDays, batchSize),
    events: await rows.attention.dropEvents(retentionDays),
  });
  return retainEachTenant(deps, about, drop, signal, { older_than_days: forgetDays });
}
