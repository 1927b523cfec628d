// The noun delivery: a webhook or push notification that the service sends, and its attempts.

/** `pending` is retried automatically; `dead` has no attempts left and waits for a manual retry. choices-8. */
export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

export interface DeliveryAttempt {
  /** ISO 8601 UTC, when it began. */
  readonly at: string;
  /** Null: there was no response. */
  readonly statusCode: number | null;
  /** Null: it was delivered. Never contains a token or a part of the URL. */
  readonly error: string | null;
}

export interface Delivery {
  /** UUIDv7, the same in every attempt, for the receiver to detect repeats. */
  readonly id: string;
  readonly taskId: string;
  readonly kind: 'webhook' | 'push';
  readonly url: string;
  readonly status: DeliveryStatus;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly createdAt: string;
}

/** The receiver of a task's changes of status, in the protocol version that it was registered with. a2a §1.7. */
export interface PushTarget {
  /** Unique within its task. */
  readonly configId: string;
  readonly url: string;
  /** Sent with each notification, so that the receiver can authenticate it. */
  readonly token: string | null;
  /** `Authorization: <scheme> <credentials>`. */
  readonly scheme: string | null;
  readonly credentials: string | null;
  /** Version of the protocol, as its binding names it. */
  readonly wire: string;
}
