// The port of what attempts leave: printed output by line, the attempts themselves, and drafts of reviews.
import type { TaskError, Usage } from '../model/task/task.ts';
import type { OutputStream } from '../model/task/task-event.ts';
import type { ArtifactSummary } from '../model/task/artifact-summary.ts';
import type { ReviewComment } from '../model/review.ts';

/** One output event. */
export interface OutputPiece {
  readonly seq: number;
  readonly stream: OutputStream;
  readonly text: string;
  /** The line of the whole output in which it begins, from 1. */
  readonly line: number;
}

/** Events between two sequence numbers, both excluded. */
export interface SeqRange {
  readonly after: number;
  readonly before: number;
}

export interface AttemptRecord {
  readonly attemptId: string;
  readonly attempt: number;
  readonly workerId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled' | 'needs_input' | 'released' | 'lost';
  readonly error: TaskError | null;
  readonly usage: Usage | null;
}

export interface TaskResultRows {
  /** The oldest pieces of a range, oldest first. */
  outputAfter(taskId: string, range: SeqRange, limit: number): Promise<OutputPiece[]>;
  /** The newest pieces of a range, newest first. */
  outputBefore(taskId: string, range: SeqRange, limit: number): Promise<OutputPiece[]>;
  /** The line in which output after all events before this number begins. */
  lineAt(taskId: string, before: number): Promise<number>;
  /** The number of the last piece that begins before this line, found by halving; 0: there is none. */
  findPieceBefore(taskId: string, line: number): Promise<number>;
  /** Oldest first. */
  attempts(taskId: string, limit: number): Promise<AttemptRecord[]>;
  /** The events of one attempt, up to the beginning of the next one; undefined: the task has no such attempt. */
  attemptRange(taskId: string, attemptId: string): Promise<SeqRange | undefined>;
  /**
   * The artifacts that the events of a range made, in the order in which they were begun, at most `limit` of those
   * begun after `from`. They are read from the log: a later attempt replaces artifacts of the same id in the index.
   */
  artifactsOf(
    taskId: string,
    range: SeqRange,
    page: { readonly from: number; readonly limit: number },
  ): Promise<ArtifactSummary[]>;
}

/** The comments that a caller has not sent to the agent yet. */
export interface ReviewDraft {
  readonly comments: readonly ReviewComment[];
  /** Paths of files that the caller has viewed. */
  readonly viewed: readonly string[];
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

export interface ReviewRows {
  find(taskId: string, subject: string): Promise<ReviewDraft | undefined>;
  save(taskId: string, subject: string, draft: Pick<ReviewDraft, 'comments' | 'viewed'>): Promise<ReviewDraft>;
  /** Adds the comments of a follow-up to its unfinished task as the artifact `review.md`, once. */
  attach(taskId: string, comments: string): Promise<void>;
  /** Deletes a draft that was not changed after this time. */
  drop(taskId: string, subject: string, unchangedSince: string): Promise<void>;
}
