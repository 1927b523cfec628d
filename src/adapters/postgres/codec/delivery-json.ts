// Deliveries as the database tells them and as it is told of them: the JSON of functions/queue-outbox.sql and -settle.sql.
import type { DeliveryStatus } from '../../../domain/model/delivery.ts';
import type {
  DeliveryOutcome,
  DeliveryRide,
  DeliveryRoom,
  DueDelivery,
  RideArrival,
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
interface MadeJson {
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

export interface RideRequest {
  readonly room?: ReturnType<typeof roomJson>;
  readonly settle?: ReturnType<typeof settlementOf>;
}

/** Left out where a commit had nothing of it. */
export interface RideAnswer {
  readonly outbox?: { readonly due: readonly MadeJson[]; readonly left: number; readonly secrets: string[] | null };
  readonly settle?: readonly RecordedJson[];
}

export function dueOf(row: DueRow): DueDelivery {
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

export function settlementOf(outcomes: readonly DeliveryOutcome[], maxTries: number) {
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

function roomJson({ leaseSeconds, limit, perHost, hosts }: DeliveryRoom) {
  return { lease: leaseSeconds, limit, per_host: perHost, hosts };
}

export function rideRequest({ room, outcomes, maxTries }: DeliveryRide): RideRequest {
  return {
    ...(room === undefined ? {} : { room: roomJson(room) }),
    ...(outcomes.length === 0 ? {} : { settle: settlementOf(outcomes, maxTries) }),
  };
}

export function arrivalOf({ outbox, settle = [] }: RideAnswer): RideArrival {
  return {
    recorded: settle.map(({ delivery_id: deliveryId, status }) => ({ deliveryId, status })),
    due: (outbox?.due ?? []).map(madeOf),
    secrets: outbox?.secrets ?? [],
    left: outbox?.left ?? 0,
  };
}

function madeOf(made: MadeJson): RideArrival['due'][number] {
  return {
    deliveryId: made.delivery_id,
    epoch: made.epoch,
    taskId: made.task_id,
    seq: made.seq,
    url: made.url,
    host: made.host,
    body: made.body,
    contentType: made.content_type,
    tries: made.tries,
    traceparent: made.traceparent,
    target: null,
  };
}
