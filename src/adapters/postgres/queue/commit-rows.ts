// Rows and results of a group commit, by kind of call: the JSON of functions/tasks/queue-flush.sql.
import type { InterventionAnswer } from '../../../domain/model/intervention.ts';
import type { DiffSize } from '../../../domain/model/task/diff-size.ts';
import type { FinishVerdict, LeaseEvent, ReportVerdict, SizedArtifact } from '../../../domain/ports/store/queue.ts';
import type { SubmitRow } from '../codec/submission-row.ts';
import type { AssignmentJson } from '../codec/task-json.ts';

export interface CommitRows {
  readonly submit: SubmitRow;
  readonly report: {
    readonly task_id: string;
    readonly lease_token: string;
    readonly subject: string | undefined;
    readonly events: readonly LeaseEvent[];
    readonly contiguous?: boolean | undefined;
    readonly most_artifact_bytes?: number | undefined;
    readonly answers?: readonly InterventionAnswer[] | undefined;
    readonly changes?: DiffSize | null | undefined;
  };
  readonly finish: {
    readonly task_id: string;
    readonly lease_token: string;
    readonly subject: string | undefined;
    readonly status: string;
    readonly artifacts: readonly SizedArtifact[];
    readonly [column: string]: unknown;
  };
  readonly claim: {
    readonly worker_id: string;
    readonly limit: number;
    readonly task_id?: string | undefined;
    readonly subject?: string | undefined;
  };
  /** `intent`: the id of the call's audit intent. */
  readonly heartbeat: {
    readonly worker_id: string;
    readonly subject: string | undefined;
    readonly intent: string | undefined;
    readonly check_waiting: boolean;
  };
}

export interface CommitAnswers {
  readonly submit: {
    readonly verdict: 'created' | 'replayed' | 'key_reused' | 'no_such_codebase' | 'no_such_worker';
    /** ISO 8601. */
    readonly created_at?: string;
    readonly task_id?: string;
  };
  readonly report: {
    readonly task_id: string;
    readonly verdict: ReportVerdict['verdict'];
    readonly seq: number | null;
    readonly cancel_requested: boolean;
    readonly expected: number | null;
  };
  readonly finish: {
    readonly task_id: string;
    readonly verdict: FinishVerdict;
    readonly seq: number | null;
  };
  /** Null: the worker is not registered, or belongs to another subject. */
  readonly claim: readonly AssignmentJson[] | null;
  /** `row_held`: another transaction holds the worker's row; nothing was written. */
  readonly heartbeat: { readonly verdict: 'taken' | 'no_such_worker' | 'row_held'; readonly waiting?: boolean };
}

export type CallKind = keyof CommitRows;
