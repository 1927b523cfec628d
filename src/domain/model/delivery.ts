// The noun delivery: one message that the service sends out, a webhook or a push notification, and how it fared.

/** `pending` goes on by itself; `dead` has used its attempts up and waits for somebody to ask for it again. choices-8. */
export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

export interface DeliveryAttempt {
  /** ISO 8601 UTC, when it began. */
  readonly at: string;
  /** Null: no answer came. */
  readonly statusCode: number | null;
  /** Null: it was delivered. Never with a token or a part of the address in it. */
  readonly error: string | null;
}

export interface Delivery {
  /** UUIDv7; the receiver sees the same in every attempt. */
  readonly id: string;
  readonly taskId: string;
  readonly kind: 'webhook' | 'push';
  readonly url: string;
  readonly status: DeliveryStatus;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly createdAt: string;
}

/** Who is told of a task's changes of status, in the dialect of the protocol that it was registered in. a2a §1.7. */
export interface PushTarget {
  /** Names it within its task. */
  readonly configId: string;
  readonly url: string;
  /** Goes with each notification, for the receiver to know it by. */
  readonly token: string | null;
  /** `Authorization: <scheme> <credentials>`. */
  readonly scheme: string | null;
  readonly credentials: string | null;
  /** Version of the protocol, as the door names it. */
  readonly wire: string;
}
