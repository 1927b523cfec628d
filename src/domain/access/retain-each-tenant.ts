// One round of housekeeping over every tenant: deletes what is too old, with an audit entry where it deleted something.
import type { LoopAudit, LoopChange } from '../ports/audit.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { systemCaller } from './system-caller.ts';

export interface RetainDeps {
  readonly store: Store;
  readonly crossTenant: Pick<CrossTenantQueries, 'tenants'>;
  readonly audit: LoopAudit;
}

/**
 * Runs the same deletion in each tenant, one transaction each, until `signal` aborts.
 * @param drop deletes rows of one tenant. @returns how many, by kind; all zero leaves no audit entry
 * @param facts further facts for the audit entry
 */
export async function retainEachTenant(
  deps: RetainDeps,
  about: LoopChange & { readonly component: string },
  drop: (rows: Rows) => Promise<Readonly<Record<string, number>>>,
  signal: AbortSignal,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  for (const tenantId of await deps.crossTenant.tenants()) {
    if (signal.aborted) return;
    await deps.audit.change(systemCaller(tenantId, about.component), about, async (caller) => {
      const dropped = await deps.store.within(caller, drop);
      const some = Object.values(dropped).some((count) => count > 0);
      return { value: undefined, changed: some ? { ...dropped, ...facts } : undefined };
    });
  }
}
