// Wire shapes of what the service sends out for a task, and of a tenant's signing secrets. choices-8.
import { z } from 'zod';
import { id, timestamp } from './common.ts';

export const deliveryStatus = z.enum(['pending', 'delivered', 'dead']);

export const delivery = z.object({
  delivery_id: id,
  kind: z.enum(['webhook', 'push']),
  status: deliveryStatus,
  /** Of a push notification, whose config may hold a secret, scheme and host alone. */
  url: z.string(),
  created_at: timestamp,
  attempts: z.array(
    z.object({
      at: timestamp,
      /** Null: no answer came. */
      status_code: z.int().nullable(),
      /** Null: it was delivered. */
      error: z.string().nullable(),
    }),
  ),
});
export type DeliveryWire = z.infer<typeof delivery>;

export const deliveryList = z.object({ deliveries: z.array(delivery), next_cursor: z.string().nullable() });
export const deliveryAnswer = z.object({ delivery });

/**
 * Body of `PUT /v1/auth/tenants/{id}/webhook-secret`: one secret, or, as WEBHOOK_SIGNING_SECRET, a comma list of which the
 * first signs; empty: none of its own.
 */
export const webhookSecret = z.strictObject({ secret: z.string().max(6000) });
/** How many there are now; none of them is ever shown. */
export const webhookSecretsAnswer = z.object({ tenant_id: z.string(), secrets: z.int() });
