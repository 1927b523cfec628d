// What is told of attempts at deliveries once they are recorded: to whoever counts them.
import type { Delivery, DeliveryStatus } from '../model/delivery.ts';
import type { DeliveryOutcome } from '../ports/deliveries.ts';

/** `failed` is tried again; `dead` was the last attempt, or nobody wants it any more. */
export type AttemptResult = 'delivered' | 'failed' | 'dead';

/** Hears of every attempt whose outcome counts. */
export interface AttemptTally {
  attempted(kind: Delivery['kind'], result: AttemptResult): void;
}

/** What became of an attempt, until it is recorded. */
export interface Said {
  readonly tenantId: string;
  readonly taskId: string;
  readonly kind: Delivery['kind'];
  readonly outcome: DeliveryOutcome;
}

const resultOf: Record<DeliveryStatus, AttemptResult> = { pending: 'failed', delivered: 'delivered', dead: 'dead' };

/** @param recorded what became of those whose claim still held; the others count where they were claimed anew */
export function countAttempts(
  tally: AttemptTally,
  said: readonly Said[],
  recorded: readonly { readonly deliveryId: string; readonly status: DeliveryStatus }[],
): void {
  const statuses = new Map(recorded.map(({ deliveryId, status }) => [deliveryId, status]));
  for (const { kind, outcome } of said) {
    const status = statuses.get(outcome.deliveryId);
    if (status !== undefined) tally.attempted(kind, resultOf[status]);
  }
}
