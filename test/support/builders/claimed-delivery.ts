// A claimed delivery, and the outcome of its attempt, for tests without a database.
import { toAttemptOutcome, type AttemptOutcome } from '../../../src/domain/webhooks/attempt-report.ts';
import type { ClaimedDelivery } from '../../../src/domain/webhooks/delivery-pool.ts';

export const receiverHost = 'receiver.example:443';

export function claimedDelivery(n: number, tenantId = 'default'): ClaimedDelivery {
  return {
    tenantId,
    host: receiverHost,
    due: {
      taskId: `task ${n}`,
      deliveryId: `delivery ${n}`,
      epoch: 1,
      seq: 1,
      url: `https://${receiverHost}/`,
      body: '{}',
      contentType: 'application/json',
      tries: 1,
      traceparent: null,
      target: null,
    },
    sign: () => ({}),
  };
}

export function attemptOutcome(n: number, tenantId = 'default'): AttemptOutcome {
  const { due } = claimedDelivery(n, tenantId);
  const { taskId, deliveryId, epoch } = due;
  const outcome = { taskId, deliveryId, epoch, delivered: true, statusCode: 200, error: null, waitSeconds: 1 };
  return toAttemptOutcome(tenantId, due, outcome);
}
