// Operations on deliveries: list them, send one again, set a tenant's signing secrets. choices-8.
import { changeOwned } from '../access/change-owned.ts';
import { cutPage } from '../access/cut-page.ts';
import type { Caller } from '../model/access/caller.ts';
import type { Delivery } from '../model/delivery.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Policy } from '../ports/policy.ts';
import type { Page } from '../ports/store/page.ts';
import type { Store } from '../ports/store/store.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';
import { requireTask } from '../tasks/read.ts';
import { findTaskOwner } from '../tasks/task-owner.ts';
import { isSigningSecret } from './sign.ts';

/**
 * Lists a task's deliveries with their attempts, oldest first. The address of a push notification is reduced to scheme
 * and host: only callers who may change the task see its config.
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

/** Lists the dead deliveries of all tasks of the tenant, newest first, with addresses as in `listDeliveries`. */
export async function listDeadDeliveries(
  deps: { readonly store: Store },
  caller: Caller,
  { limit, before }: Page,
): Promise<{ items: readonly Delivery[]; next: string | null }> {
  const found = await deps.store.within(caller, (rows) => rows.deliveries.listDead({ limit: limit + 1, before }));
  return cutPage(found.map(redactPushUrl), limit, ({ id }) => id);
}

function redactPushUrl(delivery: Delivery): Delivery {
  return delivery.kind === 'push' ? { ...delivery, url: URL.parse(delivery.url)?.origin ?? '' } : delivery;
}

export interface RedeliverDeps {
  readonly store: Store;
  readonly policy: Policy;
  /** Makes the sender of this process poll the outbox immediately. */
  readonly sender: { wake(): void };
}

/**
 * Sends a dead or delivered delivery again: the same bytes under the same id. It gets a fresh set of attempts;
 * earlier ones stay listed.
 * @throws DomainError not_found, forbidden (the task belongs to another caller, and this caller is not an operator),
 *   conflict (the delivery is pending)
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
          throw new DomainError('not_found', 'delivery_not_found', 'This delivery does not exist.');
        }
        return redactPushUrl(found);
      };
      await find();
      if (!(await rows.deliveries.requeue({ taskId, deliveryId }))) {
        throw new DomainError(
          'conflict',
          'delivery_pending',
          'This delivery is still pending. Wait until it is delivered or dead.',
        );
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
 * Sets the signing secrets of the caller's tenant, which replace the installation's. An empty list restores those.
 * The first secret makes the single signature; every secret is in the multi-signature. To rotate, put the new secret
 * first and remove the old one when every receiver has the new one.
 * @param tenantId the tenant that the call runs in; admins select another tenant as in every other call. choices-4
 * @throws DomainError not_found for any other tenant; invalid (the message quotes no secret)
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
      'must be 1 to 1024 printable ASCII characters without spaces, or a comma-separated list of such secrets; the part after whsec_ must be base64',
    );
  }
  await deps.store.within(caller, (rows) => rows.deliveries.setSecrets(secrets));
}

/**
 * Counts the signing secrets that the caller's tenant has of its own; 0: the installation's apply.
 * @param tenantId as in `setWebhookSecrets`
 * @throws DomainError not_found for any other tenant
 */
export async function countWebhookSecrets(deps: SecretDeps, caller: Caller, tenantId: string): Promise<number> {
  if (tenantId !== caller.tenantId) throw notFound('tenant');
  return deps.store.within(caller, (rows) => rows.deliveries.countSecrets());
}
