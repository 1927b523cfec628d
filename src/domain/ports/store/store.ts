// What the domain asks of the store beside the queue's hot paths: rows, always within a caller's tenant.
import type { AuditOutcome } from '../../model/audit-entry.ts';
import type { AuditLine } from '../../model/audit-line.ts';
import type { Codebase, WorkspaceMode } from '../../model/codebase.ts';
import type { Session, SessionMessage } from '../../model/session.ts';
import type { Assignment, Part, RouteNeeds, Task, TaskError, TaskMessage } from '../../model/task/task.ts';
import type { OutputStream, TaskEvent } from '../../model/task/task-event.ts';
import type { TaskStatus } from '../../model/task/task-state.ts';
import type { Worker, WorkerProfile, WorkerStatus } from '../../model/worker.ts';
import type { RoutableWorker, TaskHold } from '../../model/task/route.ts';
import type { ActiveCodebaseRows, AgentRows } from './agents.ts';
import type { LogRows, MessageRows } from './log.ts';
import type { ApiKeyRows, SignInSessionRows, UserRows } from './credential-rows.ts';
import type { Page } from './page.ts';
import type { DeliveryRows, PushConfigRows } from './deliveries.ts';
import type { InterventionRows } from './interventions.ts';
import type { TenantScope } from './queue.ts';
import type { RepeatRows } from './repeats.ts';
import type { ToolRows } from './tools.ts';
import type { SharedRecordRows } from './shared-records.ts';

export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  readonly codebaseId?: string | undefined;
  readonly workerId?: string | undefined;
  readonly agentType?: string | undefined;
  readonly conversationId?: string | undefined;
  /** Words in the title or the prompt, case-insensitive. */
  readonly text?: string | undefined;
  readonly createdAfter?: string | undefined;
  /** Whose status is of this time or a later one. */
  readonly statusSince?: string | undefined;
}

/** A task's place in a list by the time of its status. */
export interface StatusCursor {
  /** Microseconds since 1970, in digits: lists keep what a JavaScript time would round. */
  readonly at: string;
  readonly taskId: string;
}

export interface ArtifactSummary {
  readonly artifactId: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly createdAt: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export type EndVerdict =
  | { readonly verdict: 'ended'; readonly status: TaskStatus; readonly workerId: string | null }
  | { readonly verdict: 'terminal'; readonly status: TaskStatus }
  | { readonly verdict: 'missing' };

export type AnswerVerdict =
  | { readonly verdict: 'resumed' | 'added'; readonly status: TaskStatus; readonly workerId: string | null }
  /** `full`: the task's messages would be too many to be handed to a worker. */
  | { readonly verdict: 'terminal' | 'full'; readonly status: TaskStatus }
  | { readonly verdict: 'missing' };

export interface Requeue {
  readonly taskId: string;
  /** The lease that ends; for the reaper and an unregister the epoch it looked at. */
  readonly lease: { readonly token: string; readonly subject: string | undefined } | { readonly epoch: number };
  readonly why: 'released' | 'declined' | 'refused' | 'unregistered' | 'lost' | 'asked';
  readonly question?: { readonly messageId: string; readonly parts: readonly Part[] } | undefined;
  readonly error?: TaskError | undefined;
  /** Hash of the whole release: an equal one is a repeat. */
  readonly digest?: string;
  readonly sentences: RequeueSentences;
}

/** The message of a task's error where a requeue fails it, by the error's code. */
export interface RequeueSentences {
  readonly released_too_often: string;
  /** A worker's own word on the path may follow it. */
  readonly path_not_found: string;
  /** `%1$s` stands for the attempt, `%2$s` for how many there may be. */
  readonly attempts_exhausted: string;
}

export interface RequeueVerdict {
  readonly verdict: 'requeued' | 'failed' | 'asked' | 'repeated' | 'lease_lost';
  readonly status: TaskStatus | null;
  readonly seq: number;
}

export interface TaskRows {
  find(taskId: string): Promise<Task | undefined>;
  list(filter: TaskFilter, page: Page): Promise<Task[]>;
  /**
   * By the time of their status, the newest first: when a finished task ended, when another last changed.
   * @param page.after the place behind which the page begins; undefined: at the newest
   */
  listByStatusTime(
    filter: TaskFilter,
    page: { readonly limit: number; readonly after: StatusCursor | undefined },
  ): Promise<{ task: Task; cursor: StatusCursor }[]>;
  /** How many tasks a filter finds; stops counting at `atMost`. */
  count(filter: TaskFilter, limit: number): Promise<number>;
  messages(taskId: string): Promise<TaskMessage[]>;
  /** A task and its messages as of one moment: none of them is of an event after the task's `lastSeq`. */
  findWithMessages(taskId: string): Promise<{ task: Task; messages: TaskMessage[] } | undefined>;
  /** The newest text of each of these tasks' agents, by task; what has no text is left out. */
  questions(taskIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Registrations by path that a worker was asked for and has not answered yet. */
  findPendingRegistrations(workerId: string): Promise<{ createdBy: string; metadata: Record<string, unknown> }[]>;
  /** Tasks a worker runs now, with the epoch of each. */
  runningOf(workerId: string): Promise<{ taskId: string; epoch: number }[]>;
  /** Runs of a worker whose lease it never named: their assignment may have been lost on the way. */
  findUnconfirmed(workerId: string): Promise<Assignment[]>;
  /** Those of these workers for whom some task waits that they would be given now. */
  findAwaitedWorkers(workerIds: readonly string[]): Promise<string[]>;
  /** Workers that must not be offered these tasks now, by task, and for how long; a task held from none is left out. */
  holds(taskIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, TaskHold>>>;
  /** Events after a sequence number, in order. */
  events(taskId: string, after: number, limit: number): Promise<TaskEvent[]>;
  output(taskId: string, after: number, limit: number): Promise<{ seq: number; stream: OutputStream; text: string }[]>;
  /** The newest texts of the output before a sequence number, newest first. */
  outputBefore(taskId: string, before: number, limit: number): Promise<{ seq: number; text: string }[]>;
  /** In the order in which they were begun: behind that sequence number, at most so many; without a page all. */
  artifacts(taskId: string, page?: { readonly after: number; readonly limit: number }): Promise<ArtifactSummary[]>;
  artifactEvents(taskId: string, artifact: ArtifactSummary): Promise<TaskEvent[]>;
}

/** Changes of tasks outside the group commit. */
export interface TaskMoveRows {
  /** Ends a task from outside its attempt. */
  end(taskId: string, status: 'cancelled' | 'failed', error: TaskError | null, reason: string): Promise<EndVerdict>;
  answer(
    taskId: string,
    message: { messageId: string; parts: readonly Part[]; metadata: Record<string, unknown> },
  ): Promise<AnswerVerdict>;
  requeue(requeue: Requeue): Promise<RequeueVerdict>;
  /** Deletes the worker's permanent holds, because the codebases that it serves have changed. */
  clearRefusals(workerId: string): Promise<void>;
  /** Deletes up to `limit` tasks that finished more than this many days ago, with their rows. @returns how many */
  dropFinished(olderThanDays: number, limit: number): Promise<number>;
  dropUnusedRoutes(): Promise<number>;
}

export interface TaskStatsRows {
  countByStatus(): Promise<{ counts: Record<TaskStatus, number>; oldestPendingSeconds: number | null }>;
  /** Unfinished tasks; `none` stands for no codebase, `other` for all but the `limit` codebases with the most tasks. */
  depthByCodebase(limit: number): Promise<{ status: TaskStatus; codebase: string; tasks: number }[]>;
}

export interface RouteRows {
  /** What tasks that wait in a codebase ask of a worker: each combination once, at most `limit`. */
  waiting(codebaseId: string, limit: number): Promise<RouteNeeds[]>;
}

/** Each narrows. */
export interface WorkerFilter {
  readonly status?: WorkerStatus | undefined;
  readonly capability?: string | undefined;
  readonly codebaseId?: string | undefined;
}

export interface WorkerRows {
  /** The same name from the same subject is the same worker. choices-5. */
  upsert(subject: string, workerId: string, profile: WorkerProfile): Promise<string>;
  find(workerId: string): Promise<Worker | undefined>;
  /** Newest first; unregistered ones only when that is the status asked for. */
  list(filter: WorkerFilter, page: Page): Promise<Worker[]>;
  /** What routing needs to know of every registered worker of the tenant, or of those that are named. */
  routable(workerIds?: readonly string[]): Promise<RoutableWorker[]>;
  /** Ids of the registered workers of this credential. */
  ownedBy(subject: string): Promise<string[]>;
  /** Those that have no free slot. */
  full(): Promise<ReadonlySet<string>>;
  unregister(workerId: string): Promise<void>;
  /** Microseconds since 1970 by the database's clock: orders what one worker does at several replicas. */
  clockMicros(): Promise<number>;
  totals(): Promise<{ active: number; offline: number; slots: number; busy: number }>;
}

export interface CodebaseRows {
  find(codebaseId: string): Promise<Codebase | undefined>;
  /** Those of these codebases that there are, in this order; of their bindings the worker's own alone. */
  boundTo(workerId: string, codebaseIds: readonly string[]): Promise<Codebase[]>;
  /** The codebase that this worker holds at this path. */
  findBound(workerId: string, path: string): Promise<Codebase | undefined>;
  list(page: Page & { workerId?: string | undefined }): Promise<Codebase[]>;
  /** Makes it; one that exists stays as it is. */
  create(codebase: {
    codebaseId: string;
    name: string;
    path: string;
    description: string;
    workerId: string | null;
    workspaceMode: WorkspaceMode;
    createdBy: string;
  }): Promise<void>;
  bind(codebaseId: string, workerId: string, path: string): Promise<void>;
  setAffinity(codebaseId: string, workerId: string | null): Promise<void>;
  remove(codebaseId: string): Promise<void>;
  count(): Promise<number>;
}

export interface SessionRows {
  find(codebaseId: string, sessionId: string): Promise<Session | undefined>;
  /** @param text words in the title, the agent's name or a message's summary, case-insensitive */
  list(codebaseId: string, page: Page, text?: string): Promise<Session[]>;
  messages(codebaseId: string, sessionId: string, page: Page): Promise<SessionMessage[]>;
  upsert(codebaseId: string, sessions: readonly Session[]): Promise<void>;
  upsertMessages(codebaseId: string, sessionId: string, messages: readonly SessionMessage[]): Promise<void>;
}

/** Each narrows; texts must be equal, `resource` may end anywhere. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly resource?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** From this time on, and before that one. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface AuditRows {
  /** Entries by time from the newest, and where the older ones begin (null: there are none). */
  page(filter: AuditFilter, page: Page): Promise<{ events: AuditLine[]; next: string | null }>;
}

/** The rows of one tenant in one transaction. Each member is built when it is first read. */
export interface Rows {
  readonly audit: AuditRows;
  readonly tasks: TaskRows;
  readonly taskMoves: TaskMoveRows;
  readonly taskStats: TaskStatsRows;
  readonly repeats: RepeatRows;
  readonly routes: RouteRows;
  readonly workers: WorkerRows;
  readonly codebases: CodebaseRows;
  readonly activeCodebases: ActiveCodebaseRows;
  readonly agents: AgentRows;
  readonly log: LogRows;
  readonly messages: MessageRows;
  readonly sessions: SessionRows;
  /** The three above, as instances without a common database share them. */
  readonly shared: SharedRecordRows;
  readonly deliveries: DeliveryRows;
  readonly pushConfigs: PushConfigRows;
  readonly interventions: InterventionRows;
  readonly users: UserRows;
  readonly apiKeys: ApiKeyRows;
  readonly signIns: SignInSessionRows;
  readonly tools: ToolRows;
}

export interface Store {
  /**
   * The only way to a row: one transaction in the tenant of the caller. Rows of others are not there.
   * Throws a DomainError of kind `unavailable` when the database cannot be reached.
   */
  within<T>(tenant: TenantScope, work: (rows: Rows) => Promise<T>): Promise<T>;
  /** A round trip, for health: throws as `within` does. */
  ping(): Promise<void>;
}
