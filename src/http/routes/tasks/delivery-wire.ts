// The conversion of deliveries to their wire shape.
import type { DeliveryWire } from '../../../contracts/delivery.ts';
import type { Delivery } from '../../../domain/model/delivery.ts';

export function deliveryToWire(delivery: Delivery): DeliveryWire {
  return {
    delivery_id: delivery.id,
    kind: delivery.kind,
    status: delivery.status,
    url: delivery.url,
    created_at: delivery.createdAt,
    attempts: delivery.attempts.map(({ at, statusCode, error }) => ({ at, status_code: statusCode, error })),
  };
}
