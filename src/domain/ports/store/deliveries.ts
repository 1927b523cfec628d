// What the sender asks of the store: which deliveries are due over all tenants, and within a tenant all else of them.
import type { Delivery, DeliveryStatus, PushTarget } from '../../model/delivery.ts';

/** A delivery that is due, and nobody's yet. */
export interface FoundDelivery {
  readonly tenantId: string;
  readonly taskId: string;
  readonly deliveryId: string;
  /** Host and port of the receiver. */
  readonly host: string;
}

/** Names a delivery within its tenant. */
export type DeliveryRef = Pick<FoundDelivery, 'taskId' | 'deliveryId'>;

/** A lease on one delivery: a word under an older epoch changes nothing. */
export interface DeliveryClaim {
  readonly taskId: string;
  readonly deliveryId: string;
  readonly epoch: number;
}

/** Receivers are gone through in this order; a look goes on behind the last one that it came to. */
export interface ReceiverCursor {
  readonly tenantId: string;
  readonly host: string;
}

export interface FindDueRequest {
  readonly limit: number;
  /** Deliveries under way to one receiver of a tenant, and of one tenant, at most. */
  readonly perHost: number;
  readonly perTenant: number;
  /** What is under way here. */
  readonly busy: readonly { readonly tenant: string; readonly host: string; readonly n: number }[];
  readonly after: ReceiverCursor | undefined;
}

/** The sender's crossing: ids alone. */
export interface DueDeliveries {
  /** Finds what is due and in nobody's hands. `next`: there are more receivers than one look comes to. */
  findDue(request: FindDueRequest): Promise<{ found: FoundDelivery[]; next: ReceiverCursor | undefined }>;
}

/** How an attempt is claimed: for how long, and how many a delivery has. */
export interface AttemptBounds {
  readonly leaseSeconds: number;
  readonly maxTries: number;
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

export interface ClaimedBatch {
  readonly due: readonly DueDelivery[];
  /** The tenant's own signing secrets; empty: the installation's are used. */
  readonly secrets: readonly string[];
  /** Given up: their last attempt was cut off, or nobody wants them any more. */
  readonly dead: readonly DeadDelivery[];
}

export interface DeliveryOutcome {
  readonly taskId: string;
  readonly deliveryId: string;
  readonly epoch: number;
  readonly delivered: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Until the next attempt, if there is one. */
  readonly waitSeconds: number;
}

/** What became of an attempt whose claim still held. */
export interface RecordedOutcome {
  readonly deliveryId: string;
  readonly status: DeliveryStatus;
}

/** Room for webhooks that a commit makes: they are claimed as they are written. */
export interface DeliveryCapacity {
  readonly leaseSeconds: number;
  readonly limit: number;
  /** For one receiver, but for those in `hosts`, which have something under way already. */
  readonly perHost: number;
  readonly hosts: Readonly<Record<string, number>>;
}

/** What of deliveries goes with a commit of their tenant. */
export interface DeliveryCommitWork {
  readonly outcomes: readonly DeliveryOutcome[];
  readonly maxTries: number;
  /** Undefined: what the commit writes waits to be found. */
  readonly capacity: DeliveryCapacity | undefined;
  /** Called once, after the commit; undefined: it failed, and nothing of it was done. */
  readonly settle: (result: DeliveryCommitResult | undefined) => void;
}

export interface DeliveryCommitResult {
  readonly recorded: readonly RecordedOutcome[];
  /** Written and claimed by this commit. */
  readonly due: readonly (DueDelivery & { readonly body: string; readonly host: string })[];
  /** As of `Begun`. */
  readonly secrets: readonly string[];
  /** How many the commit wrote and had no room for. */
  readonly unclaimed: number;
}

/** Whoever sends deliveries from this process: the queue's commits take along what it has to say. */
export interface DeliveryParticipant {
  /** @param endsTasks whether the commit may write webhooks */
  prepare(tenantId: string, endsTasks: boolean): DeliveryCommitWork | undefined;
}

export interface DeliveryRows {
  /** Claims each and counts an attempt on it; what another has claimed or ended meanwhile is left out. */
  claim(found: readonly DeliveryRef[], bounds: AttemptBounds): Promise<ClaimedBatch>;
  /** Stores what a notification says; every attempt sends it. */
  storeBody(name: DeliveryRef, form: { readonly body: string; readonly contentType: string }): Promise<void>;
  /** @returns what became of those whose claim still held */
  record(outcomes: readonly DeliveryOutcome[], maxTries: number): Promise<RecordedOutcome[]>;
  /** Takes back attempts that were broken off before anything was known of them: they are due at once. */
  release(claims: readonly DeliveryClaim[]): Promise<void>;
  find(name: DeliveryRef): Promise<Delivery | undefined>;
  /** Of one task, oldest first: behind the one of that id. */
  list(taskId: string, page: { readonly limit: number; readonly after: string | undefined }): Promise<Delivery[]>;
  /** Makes a delivery pending again, with all its attempts before it. @returns false when it is pending already */
  requeue(name: DeliveryRef): Promise<boolean>;
  /** The tenant's signing secrets, in place of the installation's; none: back to those. */
  setSecrets(secrets: readonly string[]): Promise<void>;
}

export interface PushConfigRows {
  /** Waits for whatever moves the task now, so that the next change of its status is told. */
  set(taskId: string, createdBy: string, target: PushTarget): Promise<void>;
  /** Has this one be told how the task stands, unless its address was told of that already. After `set`, under its lock. */
  enqueueCurrentStatus(taskId: string, configId: string): Promise<void>;
  /** Oldest first. */
  list(taskId: string): Promise<PushTarget[]>;
  /** With the notifications that still wait to be sent to it. */
  remove(taskId: string, configId: string): Promise<void>;
}
