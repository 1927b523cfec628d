// Loops of usage: fold ended tasks into days, sample the queue, drop what is too old.
import { retainEachTenant, type RetainDeps } from '../access/retain-each-tenant.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { Rows, Store } from '../ports/store/store.ts';

/** Events of a log that one transaction folds. */
const eventsAtOnce = 2_000;
const usageDays = 400;
const historyDays = 90;

/** Folds what ended in every tenant since the last round, until `signal` aborts. @returns events that it read */
export async function foldUsage(
  { store, crossTenant }: { readonly store: Store; readonly crossTenant: Pick<CrossTenantQueries, 'tenantsToFold'> },
  signal: AbortSignal,
): Promise<number> {
  let read = 0;
  for (const tenantId of await crossTenant.tenantsToFold()) {
    let last = eventsAtOnce;
    while (last === eventsAtOnce && !signal.aborted) {
      last = await store.within({ tenantId }, (rows) => rows.usage.fold(eventsAtOnce));
      read += last;
    }
  }
  return read;
}

/** Samples the queue of every tenant. */
export async function sampleQueues(
  { store, crossTenant }: { readonly store: Store; readonly crossTenant: Pick<CrossTenantQueries, 'tenants'> },
  signal: AbortSignal,
): Promise<void> {
  for (const tenantId of await crossTenant.tenants()) {
    if (signal.aborted) return;
    await store.within({ tenantId }, (rows) => rows.usage.sample());
  }
}

/** Deletes days of usage and samples that are too old. */
export function retainUsage(deps: RetainDeps, signal: AbortSignal): Promise<void> {
  const about = { component: 'usage_retention', action: 'usage.retain', resource: '/v1/monitor/usage' };
  const drop = async (rows: Rows): Promise<Readonly<Record<string, number>>> => ({
    days: await rows.usage.dropOldDays(usageDays),
    samples: await rows.usage.dropOldHistory(historyDays),
  });
  return retainEachTenant(deps, about, drop, signal, { days_kept: usageDays, history_days_kept: historyDays });
}
