// The port of the queue's hot paths: submit, claim, report, finish, renew. Calls of many callers share one commit; each
// promise settles only after that commit.
import type { TenantScope } from '../../model/access/caller.ts';
import type { InterventionAnswer, SentIntervention } from '../../model/intervention.ts';
import type { Assignment, TaskError, Usage } from '../../model/task/task.ts';
import type { DiffSize } from '../../model/task/diff-size.ts';
import type { TaskDraft } from '../../model/task/task-draft.ts';
import type { ArtifactData, TaskEventBody } from '../../model/task/task-event.ts';
import type { CommitParticipant } from './commit-participant.ts';

export interface IdempotencyKey {
  readonly key: string;
  /** Method and path, or the protocol's method: the same key on another operation is a different key. */
  readonly operation: string;
  /** Hash of the request: method, path and body. */
  readonly bodyHash: string;
}

export interface Submission {
  readonly id: string;
  readonly attemptId: string;
  readonly draft: TaskDraft;
  readonly maxAttempts: number;
  readonly routeId: string;
  readonly createdBy: string;
  readonly traceparent?: string | undefined;
  readonly idempotency: IdempotencyKey | undefined;
}

export type SubmitVerdict =
  | { readonly verdict: 'created'; readonly createdAt: string }
  | { readonly verdict: 'replayed'; readonly taskId: string }
  | { readonly verdict: 'key_reused' | 'no_such_codebase' | 'no_such_worker' };

/** An event under a lease; `n` counts from 1 within it. `size` is the content's size in bytes, for artifacts. */
export type LeaseEvent = TaskEventBody & { readonly n: number; readonly size?: number };

export interface SizedArtifact {
  readonly data: ArtifactData;
  readonly size: number;
}

export interface Finish extends OwnedLease {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly result: string | null;
  readonly error: TaskError | null;
  readonly usage: Usage | null;
  readonly artifacts: readonly SizedArtifact[];
  /** The size of the diff among the artifacts; null: it comes in pieces; undefined: there is no diff. */
  readonly changes?: DiffSize | null | undefined;
  /** Hash of the whole release: an equal digest is a repeat. */
  readonly digest: string;
}

export interface Lease {
  readonly taskId: string;
  readonly leaseToken: string;
}

/** A lease as its worker presents it. */
export interface OwnedLease extends Lease {
  /** The credential that must own the lease's worker; undefined: the caller may act for others. */
  readonly subject: string | undefined;
}

export interface Renewal {
  /** False: the worker is not registered, or no longer; nothing was renewed. */
  readonly known: boolean;
  readonly renewed: readonly { readonly taskId: string; readonly leaseExpiresAt: string }[];
  readonly lost: readonly string[];
  readonly cancel: readonly string[];
  /** Interventions of these tasks that the worker has not acknowledged yet. */
  readonly interventions: readonly SentIntervention[];
  /** A task waits that this worker could claim; false when the worker has no free slot. */
  readonly tasksWaiting: boolean;
}

export type ReportVerdict =
  | {
      readonly verdict: 'taken' | 'lease_lost' | 'artifacts_full';
      readonly seq: number;
      readonly cancelRequested: boolean;
    }
  /** No event was accepted; `expected` is the first missing number. */
  | { readonly verdict: 'event_gap'; readonly expected: number };

export interface ClaimRequest {
  readonly workerId: string;
  readonly limit: number;
  readonly taskId?: string | undefined;
  /** The credential that must own the worker; undefined: it is known to, or the caller may act for others. */
  readonly subject?: string | undefined;
}

/** `artifacts_full`: with these artifacts the task would exceed its limit of artifact bytes; nothing was accepted. */
export type FinishVerdict = 'finished' | 'repeated' | 'differs' | 'lease_lost' | 'artifacts_full';

export interface TaskQueue {
  submit(tenant: TenantScope, submission: Submission): Promise<SubmitVerdict>;
  /** Undefined: the worker does not exist, is unregistered, or belongs to another credential. */
  claim(tenant: TenantScope, request: ClaimRequest): Promise<readonly Assignment[] | undefined>;
  report(
    tenant: TenantScope,
    report: OwnedLease & {
      readonly events: readonly LeaseEvent[];
      /** True: rejects all events when their numbers leave a gap. */
      readonly contiguous?: boolean;
      /** Reports on interventions in the events; absent when there are none. */
      readonly answers?: readonly InterventionAnswer[];
      /** The size of the last diff in the events; null: it comes in pieces; absent: there is no diff. */
      readonly changes?: DiffSize | null;
    },
  ): Promise<ReportVerdict>;
  finish(tenant: TenantScope, finish: Finish): Promise<{ verdict: FinishVerdict; seq: number }>;
  renew(
    tenant: TenantScope,
    request: {
      readonly workerId: string;
      readonly subject: string | undefined;
      readonly running: readonly Lease[];
      /** True when the worker has a free slot: the answer then has `tasksWaiting`. */
      readonly checkWaiting: boolean;
    },
  ): Promise<Renewal>;
}

/** A queue as it is built: participants need the queue, and the queue needs its participants. */
export interface StartableQueue extends TaskQueue {
  /**
   * Fixes the participants of the commits, which are asked in this order. Until then every call that needs a commit is
   * rejected, so that a participant cannot be forgotten.
   * @throws Error at a second call
   */
  start(participants: readonly CommitParticipant[]): void;
}
