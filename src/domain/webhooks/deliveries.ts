// The verbs of deliveries: what was sent for a task, and sending it once more. choices-8.
import { changeOwned } from '../access/change-owned.ts';
import { cutPage } from '../access/cut-page.ts';
import type { Caller } from '../model/access/caller.ts';
import type { Delivery } from '../model/delivery.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store/store.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';
import { requireTask } from '../tasks/read.ts';
import { findTaskOwner } from '../tasks/task-owner.ts';
import { isSigningSecret } from './sign.ts';

/**
 * Oldest first, each with its attempts. Of a push notification the receiver's scheme and host alone: only who may change
 * the task sees what its config holds.
 * @throws DomainError not_found
 */
export async function listDeliveries(
  deps: { readonly store: Store },
  caller: Caller,
  taskId: string,
  { limit, before: after }: { readonly limit: number; readonly before: string | undefined },
): Promise<{ items: readonly Delivery[]; next: string | null }> {
  const found = await deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    return rows.deliveries.list(taskId, { limit: limit + 1, after });
  });
  return cutPage(found.map(redactPushUrl), limit, ({ id }) => id);
}

function redactPushUrl(delivery: Delivery): Delivery {
  return delivery.kind === 'push' ? { ...delivery, url: URL.parse(delivery.url)?.origin ?? '' } : delivery;
}

export interface RedeliverDeps {
  readonly store: Store;
  readonly policy: Policy;
  /** Lets the sender of this process look at once. */
  readonly sender: { wake(): void };
}

/**
 * Sends a dead or delivered one again: the same bytes under the same id, with all its attempts before it.
 * @throws DomainError not_found, forbidden (another's task, and the caller is no operator), conflict (it is pending)
 */
export async function redeliver(
  deps: RedeliverDeps,
  caller: Caller,
  taskId: string,
  deliveryId: string,
): Promise<Delivery> {
  const delivery = await changeOwned(deps, caller, {
    ownerOf: (rows) => findTaskOwner(rows, caller, taskId),
    change: async (rows) => {
      const find = async (): Promise<Delivery> => {
        const found = await rows.deliveries.find({ taskId, deliveryId });
        if (found === undefined) {
          throw new DomainError('not_found', 'delivery_not_found', 'There is no such delivery.');
        }
        return redactPushUrl(found);
      };
      await find();
      if (!(await rows.deliveries.requeue({ taskId, deliveryId }))) {
        throw new DomainError('conflict', 'delivery_pending', 'This delivery is still being attempted.');
      }
      return find();
    },
  });
  deps.sender.wake();
  return delivery;
}

const maxSecrets = 5;

export interface SecretDeps {
  readonly store: Store;
}

/**
 * Sets the signing secrets of the caller's tenant, in place of the installation's; none: back to those. The first signs,
 * each is in the multi-signature: a new one is put first, and the old one taken out when every receiver has the new.
 * @param tenantId the tenant that the call runs in: an admin crosses to another as everywhere. choices-4
 * @throws DomainError not_found for any other tenant; invalid, its message quotes no secret
 */
export async function setWebhookSecrets(
  deps: SecretDeps,
  caller: Caller,
  tenantId: string,
  secrets: readonly string[],
): Promise<void> {
  if (tenantId !== caller.tenantId) throw notFound('tenant');
  if (secrets.length > maxSecrets) throw invalidField('/secret', `may be at most ${maxSecrets} in a comma list`);
  if (!secrets.every(isSigningSecret)) {
    throw invalidField(
      '/secret',
      'must be 1 to 1024 printable ASCII characters without blanks, or a comma list of such; what follows whsec_ must be base64',
    );
  }
  await deps.store.within(caller, (rows) => rows.deliveries.setSecrets(secrets));
}
