// Metrics and log lines for recorded delivery attempts. They never contain the address, because its path and query may
// hold the receiver's secrets.
import { parseTraceparent } from '../../lib/trace/traceparent.ts';
import type { Delivery, DeliveryStatus } from '../model/delivery.ts';
import type { DeadDelivery, DeliveryOutcome } from '../ports/store/deliveries.ts';

/** `failed` is retried; `dead` was the last attempt, or the delivery is no longer wanted. */
export type AttemptResult = 'delivered' | 'failed' | 'dead';

/** Counts every attempt whose outcome was recorded under a valid claim. */
export interface AttemptMetrics {
  attempted(kind: Delivery['kind'], result: AttemptResult): void;
}

/** The outcome of an attempt that is not recorded yet. */
export interface AttemptOutcome {
  readonly tenantId: string;
  readonly taskId: string;
  readonly kind: Delivery['kind'];
  /** Number of the attempt, from 1. */
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
  pending: 'delivery attempt failed; will retry',
  dead: 'delivery is dead: all attempts failed',
};

interface ReportDeps {
  readonly metrics: AttemptMetrics;
  readonly log: (line: string, details?: unknown) => void;
}

/** @param recorded the outcomes whose claim was still valid; the process that claimed the delivery anew counts the rest */
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

/** Reports deliveries that were given up without another attempt. */
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
