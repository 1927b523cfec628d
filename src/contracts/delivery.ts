// Wire shapes of a task's outgoing deliveries, and of a tenant's signing secrets. choices-8.
import { z } from 'zod';
import { id, pageQuery, timestamp } from './common.ts';

export const deliveryStatus = z.enum(['pending', 'delivered', 'dead']);

export const delivery = z.object({
  delivery_id: id,
  kind: z.enum(['webhook', 'push']),
  status: deliveryStatus,
  /** For a push notification, whose config may hold a secret, only scheme and host. */
  url: z.string(),
  created_at: timestamp,
  attempts: z.array(
    z.object({
      at: timestamp,
      /** Null: there was no response. */
      status_code: z.int().nullable(),
      /** Null: delivered. */
      error: z.string().nullable(),
    }),
  ),
});
export type DeliveryWire = z.infer<typeof delivery>;

export const deliveryList = z.object({ deliveries: z.array(delivery), next_cursor: z.string().nullable() });

/** A delivery in the list of the whole tenant. */
export const tenantDelivery = delivery.extend({ task_id: id });
/** Only dead ones are listed over all tasks: those wait for a person. */
export const tenantDeliveryQuery = z.strictObject({ ...pageQuery, status: z.literal('dead').default('dead') });
export const tenantDeliveryList = z.object({
  deliveries: z.array(tenantDelivery),
  next_cursor: z.string().nullable(),
});
export const deliveryAnswer = z.object({ delivery });

/**
 * Body of `PUT /v1/auth/tenants/{id}/webhook-secret`: one secret, or, as in WEBHOOK_SIGNING_SECRET, a comma list of which
 * the first one signs; empty: the tenant has no secret of its own.
 */
export const webhookSecret = z.strictObject({ secret: z.string().max(6000) });
/** The number of secrets; the secrets are never shown. */
export const webhookSecretsAnswer = z.object({ tenant_id: z.string(), secrets: z.int() });
/** How many secrets of its own a tenant has; 0: the installation's apply. */
export const webhookSecretCount = z.object({ tenant_id: z.string(), count: z.int() });
