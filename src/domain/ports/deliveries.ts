// What the sender asks of the store: which deliveries are due over all tenants, and within a tenant all else of them.
import type { Delivery, DeliveryStatus, PushTarget } from '../model/delivery.ts';

/** A lease on one delivery: a word under an older epoch changes nothing. */
export interface DeliveryClaim {
  readonly tenantId: string;
  readonly deliveryId: string;
  readonly epoch: number;
  /** Host and port of the receiver. */
  readonly host: string;
}

/** Receivers are gone through in this order; a claim goes on behind the last one that it looked at. */
export interface ReceiverCursor {
  readonly tenantId: string;
  readonly host: string;
}

export interface ClaimDueRequest {
  readonly limit: number;
  /** Deliveries under way to one receiver of a tenant, and of one tenant, at most. */
  readonly perHost: number;
  readonly perTenant: number;
  readonly leaseSeconds: number;
  /** What is under way here. */
  readonly busy: readonly { readonly tenant: string; readonly host: string; readonly n: number }[];
  readonly after: ReceiverCursor | undefined;
}

/** The sender's crossing: ids alone. */
export interface DeliveryClaims {
  /** `next`: there are more receivers than one claim looks at. */
  claimDue(request: ClaimDueRequest): Promise<{ claims: DeliveryClaim[]; next: ReceiverCursor | undefined }>;
}

/** A delivery as it goes out. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly epoch: number;
  readonly taskId: string;
  /** The task's event that it tells of. */
  readonly seq: number;
  readonly url: string;
  /** Null: a notification that was never written down; only ones with a `target` are. */
  readonly body: string | null;
  readonly contentType: string;
  /** Which attempt this is, from 1. */
  readonly tries: number;
  /** The trace of its task. */
  readonly traceparent: string | null;
  /** Null for webhooks. */
  readonly target: PushTarget | null;
}

export interface DeadDelivery {
  readonly deliveryId: string;
  readonly taskId: string;
  readonly kind: Delivery['kind'];
}

export interface Begun {
  readonly due: readonly DueDelivery[];
  /** The tenant's own signing secrets; empty: the installation's are used. */
  readonly secrets: readonly string[];
  /** Given up: their last attempt was cut off, or nobody wants them any more. */
  readonly dead: readonly DeadDelivery[];
}

export interface DeliveryOutcome {
  readonly deliveryId: string;
  readonly epoch: number;
  readonly delivered: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Until the next attempt, if there is one. */
  readonly waitSeconds: number;
}

export interface DeliveryRows {
  /** Counts an attempt on each; what was claimed by another meanwhile is left out. */
  begin(claims: readonly DeliveryClaim[], maxTries: number): Promise<Begun>;
  /** Stores what a notification says; every attempt sends it. */
  write(deliveryId: string, form: { readonly body: string; readonly contentType: string }): Promise<void>;
  /** @returns what became of those whose claim still held */
  record(
    outcomes: readonly DeliveryOutcome[],
    maxTries: number,
  ): Promise<{ deliveryId: string; status: DeliveryStatus }[]>;
  /** Takes back attempts that were broken off before anything was known of them: they are due at once. */
  giveBack(claims: readonly Pick<DeliveryClaim, 'deliveryId' | 'epoch'>[]): Promise<void>;
  /** Of one task, oldest first. */
  list(taskId: string): Promise<Delivery[]>;
  /** Makes a delivery pending again, with all its attempts before it. @returns false when it is pending already */
  again(deliveryId: string): Promise<boolean>;
  /** The tenant's signing secrets, in place of the installation's; none: back to those. */
  setSecrets(secrets: readonly string[]): Promise<void>;
}

export interface PushConfigRows {
  /** Waits for whatever moves the task now, so that the next change of its status is told. */
  set(taskId: string, createdBy: string, target: PushTarget): Promise<void>;
  /** Oldest first. */
  list(taskId: string): Promise<PushTarget[]>;
  /** With the notifications that still wait to be sent to it. */
  remove(taskId: string, configId: string): Promise<void>;
}
