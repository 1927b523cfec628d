// Wires analytics: the dependencies of its verbs, and its background loops.
import { postgresPartitions } from '../../../adapters/postgres/store/partitions.ts';
import type { RetainDeps } from '../../../domain/access/retain-each-tenant.ts';
import type { AnalyticsDeps } from '../../../domain/analytics/analytics-deps.ts';
import { retainLinks, retainMessages } from '../../../domain/analytics/retain-analytics.ts';
import { keepPartitions, makePartitions } from '../../../domain/partitions/keep-partitions.ts';
import type { AnalyticsConfig } from '../../config/service-config.ts';
import type { LoopScheduler } from '../../loops/loop-scheduler.ts';
import type { PrometheusAnalyticsMetrics } from './analytics-metrics.ts';

const hourMs = 3_600_000;
const eventsTable = 'analytics_events';

export interface AnalyticsServices {
  readonly pool: Parameters<typeof postgresPartitions>[0];
  readonly metrics: { readonly analytics: PrometheusAnalyticsMetrics };
}

export function wireAnalytics(
  { metrics, ...services }: AnalyticsServices & Pick<AnalyticsDeps, 'store' | 'makeId' | 'now'>,
  config: AnalyticsConfig,
): AnalyticsDeps {
  return { ...services, ...config, metrics: metrics.analytics };
}

/** Makes the partitions of the present, which the first call may need after a long stop, and registers the loops. */
export async function startAnalyticsLoops(
  { pool, metrics }: AnalyticsServices,
  housekeeping: RetainDeps,
  { retentionDays }: AnalyticsConfig,
  loops: Pick<LoopScheduler, 'leaderOnly'>,
  log: (line: string, error: unknown) => void,
): Promise<void> {
  const deps = { partitions: postgresPartitions(pool), audit: housekeeping.audit, metrics: metrics.analytics };
  await makePartitions(deps).catch((error: unknown) =>
    log('could not make partitions; the loop partitions will', error),
  );
  loops.leaderOnly('partitions', hourMs, async (signal) => {
    const dropped = await keepPartitions(deps, { [eventsTable]: retentionDays });
    if (dropped.has(eventsTable)) await retainLinks(housekeeping, retentionDays, signal);
  });
  loops.leaderOnly('analytics_retention', hourMs, (signal) => retainMessages(housekeeping, signal));
}
