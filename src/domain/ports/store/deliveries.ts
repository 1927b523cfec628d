// Store ports for deliveries: which ones are due across tenants, and all other operations on them within a tenant.
import type { Delivery, DeliveryStatus, PushTarget } from '../../model/delivery.ts';
import type { Page } from './page.ts';

/** A delivery that is due and not claimed. */
export interface FoundDelivery {
  readonly tenantId: string;
  readonly taskId: string;
  readonly deliveryId: string;
  /** Host and port of the receiver. */
  readonly host: string;
}

/** Identifies a delivery within its tenant. */
export type DeliveryRef = Pick<FoundDelivery, 'taskId' | 'deliveryId'>;

/** A lease on one delivery: an outcome under an older epoch changes nothing. */
export interface DeliveryClaim {
  readonly taskId: string;
  readonly deliveryId: string;
  readonly epoch: number;
}

/** The receiver at which the last poll stopped; polls visit receivers in the order of these fields. */
export interface ReceiverCursor {
  readonly tenantId: string;
  readonly host: string;
}

export interface FindDueRequest {
  readonly limit: number;
  /** Maximum claimed deliveries per receiver of a tenant, and per tenant. */
  readonly perHost: number;
  readonly perTenant: number;
  /** How much of these limits this process already uses. */
  readonly busy: readonly { readonly tenant: string; readonly host: string; readonly n: number }[];
  readonly after: ReceiverCursor | undefined;
}

/** The sender's cross-tenant query. It returns ids and hosts, no content. */
export interface DueDeliveries {
  /** Finds deliveries that are due and not claimed. `next` is set when there are more receivers than one query visits. */
  findDue(request: FindDueRequest): Promise<{ found: FoundDelivery[]; next: ReceiverCursor | undefined }>;
}

/** Duration of a claim, and the maximum number of attempts of a delivery. */
export interface AttemptBounds {
  readonly leaseSeconds: number;
  readonly maxTries: number;
}

/** A claimed delivery. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly epoch: number;
  readonly taskId: string;
  /** Sequence number of the task's event that it reports. */
  readonly seq: number;
  readonly url: string;
  /** Null for a notification whose body has not been rendered yet; only deliveries with a `target` have none. */
  readonly body: string | null;
  readonly contentType: string;
  /** Number of this attempt, from 1. */
  readonly tries: number;
  /** Trace context of the task. */
  readonly traceparent: string | null;
  /** Null for webhooks. */
  readonly target: PushTarget | null;
}

export interface DeadDelivery {
  readonly deliveryId: string;
  readonly taskId: string;
  readonly kind: Delivery['kind'];
}

export interface ClaimedBatch {
  readonly due: readonly DueDelivery[];
  /** The tenant's own signing secrets; empty when the installation's apply. */
  readonly secrets: readonly string[];
  /** Deliveries that were given up: their last attempt was interrupted, or they are no longer wanted. */
  readonly dead: readonly DeadDelivery[];
}

export interface DeliveryOutcome {
  readonly taskId: string;
  readonly deliveryId: string;
  readonly epoch: number;
  readonly delivered: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Delay before the next attempt, if there is one. */
  readonly waitSeconds: number;
}

/** The status of a delivery after an attempt whose claim was still valid. */
export interface RecordedOutcome {
  readonly deliveryId: string;
  readonly status: DeliveryStatus;
}

/** How many new webhooks a commit may claim for this process as it writes them. */
export interface DeliveryCapacity {
  readonly leaseSeconds: number;
  readonly limit: number;
  /** Limit per receiver, except for those in `hosts`, which already have deliveries here. */
  readonly perHost: number;
  readonly hosts: Readonly<Record<string, number>>;
}

/** Delivery work that joins a commit of its tenant. */
export interface DeliveryCommitWork {
  readonly outcomes: readonly DeliveryOutcome[];
  readonly maxTries: number;
  /** Undefined: the commit claims nothing, and a poll finds the webhooks that it writes. */
  readonly capacity: DeliveryCapacity | undefined;
}

export interface DeliveryCommitResult {
  readonly recorded: readonly RecordedOutcome[];
  /** Written and claimed by this commit. */
  readonly due: readonly (DueDelivery & { readonly body: string; readonly host: string })[];
  /** As in `ClaimedBatch`. */
  readonly secrets: readonly string[];
  /** How many webhooks the commit wrote and did not claim, because the capacity was used up. */
  readonly unclaimed: number;
}

export interface DeliveryRows {
  /** Claims each delivery and counts an attempt. Deliveries that were claimed or ended meanwhile are omitted. */
  claim(found: readonly DeliveryRef[], bounds: AttemptBounds): Promise<ClaimedBatch>;
  /** Stores the rendered body of a notification; every attempt sends this body. */
  storeBody(name: DeliveryRef, form: { readonly body: string; readonly contentType: string }): Promise<void>;
  /** @returns the new status of deliveries whose claim was still valid */
  record(outcomes: readonly DeliveryOutcome[], maxTries: number): Promise<RecordedOutcome[]>;
  /** Reverts attempts that ended without an outcome: the deliveries are due immediately. */
  release(claims: readonly DeliveryClaim[]): Promise<void>;
  find(name: DeliveryRef): Promise<Delivery | undefined>;
  /** Lists the deliveries of one task after the given id, oldest first. */
  list(taskId: string, page: { readonly limit: number; readonly after: string | undefined }): Promise<Delivery[]>;
  /** Lists the dead deliveries of all tasks, newest first. */
  listDead(page: Page): Promise<Delivery[]>;
  /** Makes a delivery pending again; earlier attempts stay listed and do not count. @returns false when it is already pending */
  requeue(name: DeliveryRef): Promise<boolean>;
  /** Sets the tenant's signing secrets, which replace the installation's; an empty list restores those. */
  setSecrets(secrets: readonly string[]): Promise<void>;
  countSecrets(): Promise<number>;
}

export interface PushConfigRows {
  /** Waits for concurrent changes of the task, so that the next status change is reported to this config. */
  set(taskId: string, createdBy: string, target: PushTarget): Promise<void>;
  /**
   * Queues a notification of the current status, unless one to the same address is already queued or sent.
   * Call it after `set`, under its lock.
   */
  enqueueCurrentStatus(taskId: string, configId: string): Promise<void>;
  /** Lists a task's configs, oldest first. */
  list(taskId: string): Promise<PushTarget[]>;
  /** Removes the config and the notifications that are queued for it. */
  remove(taskId: string, configId: string): Promise<void>;
}
