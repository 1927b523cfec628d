// Participants of the queue's group commits: claims of waiting workers, and the sender's deliveries.
import type { RouteNeeds, Assignment } from '../../model/task/task.ts';
import type { DeliveryCommitResult, DeliveryCommitWork } from './deliveries.ts';

/** A new task of a commit, with its requirements. */
export interface SubmittedNeeds extends RouteNeeds {
  readonly taskId: string;
}

/** One tenant's calls in a commit that is about to be sent. Both methods build a new list at each call. */
export interface CommitBatch {
  readonly tenantId: string;
  readonly hasSubmits: boolean;
  /** The commit ends tasks: it frees slots, and may write webhooks. */
  readonly endsTasks: boolean;
  submittedNeeds(): SubmittedNeeds[];
  /** Lease tokens of the attempts that the commit ends. */
  endedLeases(): string[];
}

/** A claim for a connected worker, some of whose slots are reserved for it. */
export interface CommitClaim {
  readonly workerId: string;
  readonly limit: number;
}

/** The work of one participant in one commit. Exactly one of `committed` and `failed` is called, once. */
export interface CommitWork {
  /** Run after the submits and finishes of the same commit. */
  readonly claims?: readonly CommitClaim[];
  /** At most one participant of a queue has this. */
  readonly deliveries?: DeliveryCommitWork;
  committed(result: CommitResult): void;
  /** The commit failed: none of this work was done. The calls are repeated without participants. */
  failed(): void;
}

export interface CommitResult {
  /** For each of the work's claims, in their order. */
  readonly claims: readonly (readonly Assignment[])[];
  /** Empty where the work had no deliveries. */
  readonly deliveries: DeliveryCommitResult;
}

/** Adds work of its own to the commits of other callers, so that this work costs no commit. */
export interface CommitParticipant {
  /** @returns undefined when there is nothing to add; called synchronously before each commit, once per tenant */
  prepare(batch: CommitBatch): CommitWork | undefined;
}
