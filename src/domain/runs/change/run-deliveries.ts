// Verbs of a run's webhook: list its deliveries, and send one again. runs-6.2.
import { changeOwned } from '../../access/change-owned.ts';
import { cutPage } from '../../access/cut-page.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { Delivery } from '../../model/delivery.ts';
import { DomainError } from '../../model/errors.ts';
import type { Page } from '../../ports/store/page.ts';
import type { Rows, Store } from '../../ports/store/store.ts';
import { requireRun } from '../read/require-run.ts';
import type { RunDeps } from './run-deps.ts';

/** Oldest first. @throws DomainError not_found */
export async function listRunDeliveries(
  deps: { readonly store: Store },
  caller: Caller,
  runId: string,
  { limit, before: after }: Page,
): Promise<{ items: readonly Delivery[]; next: string | null }> {
  const found = await deps.store.within(caller, async (rows) => {
    await requireRun(rows, runId);
    return rows.deliveries.list(runId, { limit: limit + 1, after });
  });
  return cutPage(found, limit, ({ id }) => id);
}

/**
 * Sends a dead or delivered webhook again: the same bytes under the same id.
 * @throws DomainError not_found (run, delivery), forbidden, conflict (`delivery_pending`)
 */
export async function redeliverOfRun(
  deps: Pick<RunDeps, 'store' | 'policy'> & { readonly sender: { wake(): void } },
  caller: Caller,
  runId: string,
  deliveryId: string,
): Promise<Delivery> {
  const name = { taskId: runId, deliveryId };
  const delivery = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireRun(rows, runId)).createdBy,
    change: async (rows) => {
      await requireDelivery(rows, name);
      if (!(await rows.deliveries.requeue(name))) {
        const message = 'This delivery is still pending. Wait until it is delivered or dead.';
        throw new DomainError('conflict', 'delivery_pending', message);
      }
      return requireDelivery(rows, name);
    },
  });
  deps.sender.wake();
  return delivery;
}

async function requireDelivery(rows: Rows, name: { taskId: string; deliveryId: string }): Promise<Delivery> {
  const found = await rows.deliveries.find(name);
  if (found === undefined) throw new DomainError('not_found', 'delivery_not_found', 'This delivery does not exist.');
  return found;
}
