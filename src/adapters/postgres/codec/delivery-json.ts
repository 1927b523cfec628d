// Deliveries as rows and JSON of the database: functions/deliveries/write-webhooks.sql and record-delivery-outcomes.sql.
import type { DeliveryStatus } from '../../../domain/model/delivery.ts';
import type {
  DeliveryOutcome,
  DeliveryCommitWork,
  DeliveryCapacity,
  DueDelivery,
  DeliveryCommitResult,
} from '../../../domain/ports/store/deliveries.ts';

export interface DueRow {
  readonly delivery_id: string;
  readonly epoch: string;
  readonly task_id: string;
  readonly seq: string;
  readonly url: string;
  readonly body: string | null;
  readonly content_type: string;
  readonly tries: number;
  readonly traceparent: string | null;
  readonly config_id: string;
  readonly token: string | null;
  readonly scheme: string | null;
  readonly credentials: string | null;
  readonly wire: string | null;
}

/** A webhook that a commit wrote and claimed. */
interface ClaimedWebhookJson {
  readonly delivery_id: string;
  readonly epoch: number;
  readonly task_id: string;
  readonly seq: number;
  readonly url: string;
  readonly host: string;
  readonly body: string;
  readonly content_type: string;
  readonly tries: number;
  readonly traceparent: string | null;
}

export interface RecordedJson {
  readonly delivery_id: string;
  readonly status: DeliveryStatus;
}

export interface DeliveryWorkRequest {
  readonly capacity?: ReturnType<typeof capacityToJson>;
  readonly settle?: ReturnType<typeof outcomesToJson>;
}

/** Each member is left out where the commit had no such work. */
export interface DeliveryWorkAnswer {
  readonly outbox?: {
    readonly due: readonly ClaimedWebhookJson[];
    readonly left: number;
    readonly secrets: string[] | null;
  };
  readonly settle?: readonly RecordedJson[];
}

export function dueDeliveryFromRow(row: DueRow): DueDelivery {
  return {
    deliveryId: row.delivery_id,
    epoch: Number(row.epoch),
    taskId: row.task_id,
    seq: Number(row.seq),
    url: row.url,
    body: row.body,
    contentType: row.content_type,
    tries: row.tries,
    traceparent: row.traceparent,
    target:
      row.wire === null
        ? null
        : {
            configId: row.config_id,
            url: row.url,
            token: row.token,
            scheme: row.scheme,
            credentials: row.credentials,
            wire: row.wire,
          },
  };
}

export function outcomesToJson(outcomes: readonly DeliveryOutcome[], maxTries: number) {
  return {
    max_tries: maxTries,
    outcomes: outcomes.map((outcome) => ({
      task_id: outcome.taskId,
      delivery_id: outcome.deliveryId,
      epoch: outcome.epoch,
      delivered: outcome.delivered,
      status_code: outcome.statusCode,
      error: outcome.error,
      wait_seconds: outcome.waitSeconds,
    })),
  };
}

function capacityToJson({ leaseSeconds, limit, perHost, hosts }: DeliveryCapacity) {
  return { lease: leaseSeconds, limit, per_host: perHost, hosts };
}

export function deliveryWorkToJson({ capacity, outcomes, maxTries }: DeliveryCommitWork): DeliveryWorkRequest {
  return {
    ...(capacity === undefined ? {} : { capacity: capacityToJson(capacity) }),
    ...(outcomes.length === 0 ? {} : { settle: outcomesToJson(outcomes, maxTries) }),
  };
}

export function deliveryResultFromJson({ outbox, settle = [] }: DeliveryWorkAnswer): DeliveryCommitResult {
  return {
    recorded: settle.map(({ delivery_id: deliveryId, status }) => ({ deliveryId, status })),
    due: (outbox?.due ?? []).map(claimedWebhookFromJson),
    secrets: outbox?.secrets ?? [],
    unclaimed: outbox?.left ?? 0,
  };
}

function claimedWebhookFromJson(webhook: ClaimedWebhookJson): DeliveryCommitResult['due'][number] {
  return {
    deliveryId: webhook.delivery_id,
    epoch: webhook.epoch,
    taskId: webhook.task_id,
    seq: webhook.seq,
    url: webhook.url,
    host: webhook.host,
    body: webhook.body,
    contentType: webhook.content_type,
    tries: webhook.tries,
    traceparent: webhook.traceparent,
    target: null,
  };
}
