// Housekeeping of analytics: events go with their partitions; this deletes what is kept beside them.
import { retainEachTenant, type RetainDeps } from '../access/retain-each-tenant.ts';

const batchSize = 5_000;

/** One round over every tenant: message ids of more than 48 hours ago. What is left is deleted by the next rounds. */
export async function retainMessages({ store, crossTenant }: RetainDeps, signal: AbortSignal): Promise<void> {
  for (const tenantId of await crossTenant.tenants()) {
    let dropped = batchSize;
    // They are no records, but memory against repeated calls: their end is no change that an audit would show.
    while (dropped === batchSize && !signal.aborted) {
      dropped = await store.within({ tenantId }, (rows) => rows.analyticsEvents.dropOldMessages(batchSize));
    }
  }
}

/** Deletes the links of visitors of whom the last event has gone. Called when a partition was dropped. */
export function retainLinks(deps: RetainDeps, retentionDays: number, signal: AbortSignal): Promise<void> {
  const about = { component: 'partitions', action: 'analytics.retain', resource: '/v1/analytics' };
  return retainEachTenant(
    deps,
    about,
    async (rows) => {
      let links = 0;
      let after: string | undefined = '';
      while (after !== undefined && !signal.aborted) {
        const page: { dropped: number; last: string | undefined } = await rows.people.dropUnusedLinks(
          retentionDays,
          after,
          batchSize,
        );
        links += page.dropped;
        after = page.last;
      }
      return { links };
    },
    signal,
    { older_than_days: retentionDays },
  );
}
