// What is told of attempts at deliveries once they are recorded: to whoever counts them, and to the log. Never an address:
// its path and query may hold secrets of the receiver.
import { parseTraceparent } from '../../lib/trace/traceparent.ts';
import type { Delivery, DeliveryStatus } from '../model/delivery.ts';
import type { DeadDelivery, DeliveryOutcome } from '../ports/store/deliveries.ts';

/** `failed` is tried again; `dead` was the last attempt, or nobody wants it any more. */
export type AttemptResult = 'delivered' | 'failed' | 'dead';

/** Hears of every attempt whose outcome counts. */
export interface AttemptMetrics {
  attempted(kind: Delivery['kind'], result: AttemptResult): void;
}

/** What became of an attempt, until it is recorded. */
export interface AttemptOutcome {
  readonly tenantId: string;
  readonly taskId: string;
  readonly kind: Delivery['kind'];
  /** Which one it was, from 1. */
  readonly attempt: number;
  readonly traceparent: string | null;
  readonly outcome: DeliveryOutcome;
}

const resultByStatus: Record<DeliveryStatus, AttemptResult> = {
  pending: 'failed',
  delivered: 'delivered',
  dead: 'dead',
};

const logMessages = {
  pending: 'an attempt at a delivery failed; it is tried again',
  dead: 'a delivery is dead: its attempts are used up',
};

interface ReportDeps {
  readonly metrics: AttemptMetrics;
  readonly log: (line: string, details?: unknown) => void;
}

/** @param recorded what became of those whose claim still held; the others count where they were claimed anew */
export function reportAttempts(
  { metrics, log }: ReportDeps,
  outcomes: readonly AttemptOutcome[],
  recorded: readonly { readonly deliveryId: string; readonly status: DeliveryStatus }[],
): void {
  const statuses = new Map(recorded.map(({ deliveryId, status }) => [deliveryId, status]));
  for (const { tenantId, taskId, kind, attempt, traceparent, outcome } of outcomes) {
    const { deliveryId, statusCode, error: reason } = outcome;
    const status = statuses.get(deliveryId);
    if (status === undefined) continue;
    metrics.attempted(kind, resultByStatus[status]);
    if (status === 'delivered') continue;
    const trace = traceparent === null ? {} : { trace_id: parseTraceparent(traceparent)?.traceId };
    const ids = { tenant_id: tenantId, task_id: taskId, delivery_id: deliveryId, ...trace };
    log(logMessages[status], { ...ids, attempt, status_code: statusCode, reason });
  }
}

/** Of deliveries that were given up without another attempt. */
export function reportDeadDeliveries(
  { metrics, log }: ReportDeps,
  tenantId: string,
  dead: readonly DeadDelivery[],
): void {
  for (const { taskId, deliveryId, kind } of dead) {
    metrics.attempted(kind, 'dead');
    log(logMessages.dead, { tenant_id: tenantId, task_id: taskId, delivery_id: deliveryId });
  }
}
