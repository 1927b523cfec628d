// The port of the store beside the queue's hot paths: rows, always within a caller's tenant.
import type { AuditOutcome } from '../../model/audit-entry.ts';
import type { AuditLine } from '../../model/audit-line.ts';
import type { Codebase, WorkspaceMode } from '../../model/codebase.ts';
import type { Session, SessionMessage } from '../../model/session.ts';
import type { Assignment, Part, RouteNeeds, Task, TaskError, TaskMessage } from '../../model/task/task.ts';
import type { TaskEvent, TaskEventType } from '../../model/task/task-event.ts';
import type { QuestionChoice, TaskQuestion } from '../../model/task/task-question.ts';
import type { ArtifactSummary } from '../../model/task/artifact-summary.ts';
import type { TaskStatus } from '../../model/task/task-state.ts';
import type { Worker, WorkerProfile, WorkerStatus } from '../../model/worker.ts';
import type { RoutableWorker, TaskHold } from '../../model/task/route.ts';
import type { ActiveCodebaseRows, AgentRows } from './agents.ts';
import type { AttentionRows } from './monitor/attention.ts';
import type { ThreadRows } from './monitor/threads.ts';
import type { LogRows, MessageRows } from './log.ts';
import type { ApiKeyRows, SignInCodeRows, SignInSessionRows, UserRows } from './credential-rows.ts';
import type { Page } from './page.ts';
import type { Submission } from './queue.ts';
import type { AnalyticsEventRows } from './analytics/event-rows.ts';
import type { FunnelRows } from './analytics/funnel-rows.ts';
import type { PersonRows } from './analytics/person-rows.ts';
import type { ClusterRows } from '../cluster/cluster-rows.ts';
import type { CronjobRows } from './schedules/cronjobs.ts';
import type { OkrRows, OkrRunRows } from './okr/okrs.ts';
import type { DeliveryRows, PushConfigRows } from './deliveries.ts';
import type { InterventionRows } from './interventions.ts';
import type { TenantScope } from '../../model/access/caller.ts';
import type { RepeatRows } from './repeats.ts';
import type { RunRecordRows, RunRows, RunStepRows, RunStoryRows } from './runs.ts';
import type { TaskListRows } from '../tasks/task-lists.ts';
import type { ToolRows } from './tools.ts';
import type { PrdSessionRows } from './prd-sessions.ts';
import type { TopicMessageRows } from '../topics.ts';
import type { UsageRows } from '../usage.ts';
import type { ReviewRows, TaskResultRows } from '../task-results.ts';
import type { SharedRecordRows } from '../shared-records.ts';

export type EndVerdict =
  | { readonly verdict: 'ended'; readonly status: TaskStatus; readonly workerId: string | null }
  | { readonly verdict: 'terminal'; readonly status: TaskStatus }
  | { readonly verdict: 'missing' };

export type AnswerVerdict =
  | { readonly verdict: 'resumed' | 'added'; readonly status: TaskStatus; readonly workerId: string | null }
  /** `full`: the task's messages would be too large for a worker; `question_changed`: it asks another question. */
  | { readonly verdict: 'terminal' | 'full' | 'question_changed'; readonly status: TaskStatus }
  | { readonly verdict: 'missing' };

/** A message of a caller to a task. */
export interface MessageToTask {
  readonly messageId: string;
  readonly parts: readonly Part[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The subject that adds it; absent: the service itself. */
  readonly by?: string | undefined;
  /** A task that asks another question than this one does not take the message. */
  readonly questionId?: string | undefined;
}

/** The question of an agent, before its task has it. */
export interface NewTaskQuestion {
  readonly messageId: string;
  readonly parts: readonly Part[];
  /** Null: it is text alone. */
  readonly choice: QuestionChoice | null;
}

export interface Requeue {
  readonly taskId: string;
  /** The lease to end; the reaper and unregistration name the epoch that they read. */
  readonly lease: { readonly token: string; readonly subject: string | undefined } | { readonly epoch: number };
  readonly why: 'released' | 'declined' | 'refused' | 'unregistered' | 'lost' | 'asked';
  readonly question?: NewTaskQuestion | undefined;
  readonly error?: TaskError | undefined;
  /** Hash of the whole release: an equal digest is a repeat. */
  readonly digest?: string;
  readonly sentences: RequeueSentences;
}

/** Messages of the task's error when a requeue fails it, by error code. */
export interface RequeueSentences {
  readonly released_too_often: string;
  /** A worker's own explanation may follow it. */
  readonly path_not_found: string;
  /** `%1$s` stands for the attempt, `%2$s` for the maximum. */
  readonly attempts_exhausted: string;
}

export interface RequeueVerdict {
  readonly verdict: 'requeued' | 'failed' | 'asked' | 'repeated' | 'lease_lost';
  readonly status: TaskStatus | null;
  readonly seq: number;
}

/** Why a task cannot be created: what it names does not exist. */
export type SubmitRefusal = 'no_such_codebase' | 'no_such_worker';

/** The end of a task's output, and when it was printed. */
export interface OutputEnd {
  readonly at: string;
  readonly text: string;
}

export interface TaskRows extends TaskListRows {
  find(taskId: string): Promise<Task | undefined>;
  messages(taskId: string): Promise<TaskMessage[]>;
  /** A task and its messages in one snapshot: no message is newer than the task's `lastSeq`. */
  findWithMessages(taskId: string): Promise<{ task: Task; messages: TaskMessage[] } | undefined>;
  /** The newest question of each of these tasks, by task; tasks without one are left out. */
  questions(taskIds: readonly string[]): Promise<ReadonlyMap<string, TaskQuestion>>;
  /** The end of the output of these tasks, by task: their last pieces up to the named event, each cut to its end. */
  outputEnds(
    tasks: readonly { readonly taskId: string; readonly outputSeq: number }[],
  ): Promise<ReadonlyMap<string, OutputEnd>>;
  /** Registrations by path that were assigned to a worker and that it has not answered yet. */
  findPendingRegistrations(workerId: string): Promise<{ createdBy: string; metadata: Record<string, unknown> }[]>;
  /** Tasks a worker runs now, with the epoch of each. */
  runningOf(workerId: string): Promise<{ taskId: string; epoch: number }[]>;
  /** Attempts of a worker whose lease it never presented: their assignment may have been lost. */
  findUnconfirmed(workerId: string): Promise<Assignment[]>;
  /** Those of these workers that could claim some pending task now. */
  findAwaitedWorkers(workerIds: readonly string[]): Promise<string[]>;
  /** Workers that must not be offered these tasks now, by task, with the kind of hold; without tasks that have none. */
  holds(taskIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, TaskHold>>>;
  /** When the holds of a task end, by worker, as ISO 8601; without those for good. */
  holdEnds(taskId: string): Promise<ReadonlyMap<string, string>>;
  /** Events after a sequence number, in order; of some types, or of all. */
  events(taskId: string, after: number, limit: number, types?: readonly TaskEventType[]): Promise<TaskEvent[]>;
  /** The last events before a sequence number, or of the whole log, in order; of some types, or of all. */
  eventsBefore(
    taskId: string,
    before: number | undefined,
    limit: number,
    types?: readonly TaskEventType[],
  ): Promise<TaskEvent[]>;
  /** In the order in which they were begun: after that sequence number, at most `limit`; without a page, all. */
  artifacts(taskId: string, page?: { readonly after: number; readonly limit: number }): Promise<ArtifactSummary[]>;
  artifactEvents(taskId: string, artifact: ArtifactSummary): Promise<TaskEvent[]>;
}

/** New values of a pending task's fields; undefined: the field stays. */
export interface TaskChange {
  readonly priority?: number | undefined;
  /** ISO 8601; null: no deadline. */
  readonly deadlineAt?: string | null | undefined;
  readonly title?: string | undefined;
}

export type ChangeVerdict =
  | { readonly verdict: 'changed'; readonly task: Task }
  | { readonly verdict: 'not_pending'; readonly status: TaskStatus }
  | { readonly verdict: 'missing' };

/** Changes of tasks outside the group commit. */
export interface TaskMoveRows {
  /** Changes a task while it is pending. */
  change(taskId: string, change: TaskChange): Promise<ChangeVerdict>;
  /**
   * Creates tasks in this transaction.
   * @returns the tasks that were not created, by id, with the reason
   */
  submit(submissions: readonly Submission[]): Promise<ReadonlyMap<string, SubmitRefusal>>;
  /** Ends a task from outside its attempt. */
  end(taskId: string, status: 'cancelled' | 'failed', error: TaskError | null, reason: string): Promise<EndVerdict>;
  answer(taskId: string, message: MessageToTask): Promise<AnswerVerdict>;
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

/** Pending tasks of one route with one type of agent. */
export interface WaitingRoute {
  readonly needs: RouteNeeds;
  readonly agentType: string | null;
  readonly count: number;
  /** When the oldest of the counted tasks was created. */
  readonly oldestAt: string;
  /** One of them, if every one is held back from some worker. */
  readonly heldTaskId: string | null;
}

/** Bounds of a look at all routes: routes, tasks of one, and tasks of all. */
export interface WaitingLimits {
  readonly routes: number;
  readonly tasksOfRoute: number;
  readonly tasks: number;
}

export interface RouteRows {
  /** The routes of pending tasks, and whether the limits left some tasks out. */
  listWaiting(limits: WaitingLimits): Promise<{ routes: WaitingRoute[]; capped: boolean }>;
  /** Pending tasks of these routes that are claimed before one of this priority and id; counts up to the limit. */
  countAhead(
    routeIds: readonly string[],
    place: { readonly priority: number; readonly taskId: string },
    limit: number,
  ): Promise<number>;
  /** The needs of tasks that wait in a codebase: each combination once, at most `limit`. */
  waiting(codebaseId: string, limit: number): Promise<RouteNeeds[]>;
}

/** Every field narrows the list. */
export interface WorkerFilter {
  readonly status?: WorkerStatus | undefined;
  readonly capability?: string | undefined;
  readonly codebaseId?: string | undefined;
}

export interface WorkerRows {
  /** The same name from the same subject is the same worker. choices-5. */
  upsert(subject: string, workerId: string, profile: WorkerProfile): Promise<string>;
  find(workerId: string): Promise<Worker | undefined>;
  /** Newest first; includes unregistered workers only when the filter asks for that status. */
  list(filter: WorkerFilter, page: Page): Promise<Worker[]>;
  /** The routing facts of every registered worker of the tenant, or of the named ones. */
  routable(workerIds?: readonly string[]): Promise<RoutableWorker[]>;
  /** Names and last heartbeats of these workers. */
  named(workerIds: readonly string[]): Promise<{ workerId: string; name: string; lastHeartbeatAt: string }[]>;
  /** Ids of the registered workers of this credential. */
  ownedBy(subject: string): Promise<string[]>;
  /** Workers without a free slot. */
  full(): Promise<ReadonlySet<string>>;
  unregister(workerId: string): Promise<void>;
  /** Keeps the time of an earlier drain. */
  drain(workerId: string): Promise<void>;
  /** Microseconds since 1970 by the database's clock: orders one worker's actions at several replicas. */
  clockMicros(): Promise<number>;
  totals(): Promise<{ active: number; offline: number; slots: number; busy: number }>;
  /** Versions of the online workers; those of most workers, the most first. */
  versions(): Promise<{ version: string; workers: number }[]>;
}

export interface CodebaseRows {
  find(codebaseId: string): Promise<Codebase | undefined>;
  /** The existing ones of these codebases, in this order, each with this worker's binding only. */
  boundTo(workerId: string, codebaseIds: readonly string[]): Promise<Codebase[]>;
  /** The codebase that this worker holds at this path. */
  findBound(workerId: string, path: string): Promise<Codebase | undefined>;
  list(page: Page & { workerId?: string | undefined }): Promise<Codebase[]>;
  /** Creates it; an existing one stays as it is. */
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

/** Every field narrows the list; texts must be equal, `resource` is a prefix. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly resource?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** The first time included, and the first time excluded. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The task that the metadata or the resource names. */
  readonly taskId?: string | undefined;
  readonly requestId?: string | undefined;
  /** The name of the credential in the metadata. */
  readonly credential?: string | undefined;
}

export interface AuditRows {
  /** Entries by time, newest first, and the cursor of the older entries (null: there are none). */
  page(filter: AuditFilter, page: Page): Promise<{ events: AuditLine[]; next: string | null }>;
}

/** The rows of one tenant in one transaction. Each member is built when it is first read. */
export interface Rows {
  readonly audit: AuditRows;
  readonly tasks: TaskRows;
  readonly taskMoves: TaskMoveRows;
  readonly taskStats: TaskStatsRows;
  readonly usage: UsageRows;
  readonly taskResults: TaskResultRows;
  readonly reviews: ReviewRows;
  readonly repeats: RepeatRows;
  readonly routes: RouteRows;
  readonly workers: WorkerRows;
  readonly codebases: CodebaseRows;
  readonly activeCodebases: ActiveCodebaseRows;
  readonly agents: AgentRows;
  readonly log: LogRows;
  readonly messages: MessageRows;
  readonly threads: ThreadRows;
  readonly attention: AttentionRows;
  readonly sessions: SessionRows;
  /** The three above, in the form that instances without a common database share. */
  readonly shared: SharedRecordRows;
  readonly deliveries: DeliveryRows;
  readonly pushConfigs: PushConfigRows;
  readonly interventions: InterventionRows;
  readonly users: UserRows;
  readonly apiKeys: ApiKeyRows;
  readonly signIns: SignInSessionRows;
  readonly signInCodes: SignInCodeRows;
  readonly tools: ToolRows;
  readonly topicMessages: TopicMessageRows;
  readonly cronjobs: CronjobRows;
  readonly analyticsEvents: AnalyticsEventRows;
  readonly people: PersonRows;
  readonly funnels: FunnelRows;
  readonly cluster: ClusterRows;
  readonly okrs: OkrRows;
  readonly okrRuns: OkrRunRows;
  readonly prdSessions: PrdSessionRows;
  readonly runs: RunRows;
  readonly runStories: RunStoryRows;
  readonly runSteps: RunStepRows;
  readonly runRecords: RunRecordRows;
}

export interface Store {
  /**
   * The only access to rows: one transaction in the caller's tenant, which cannot see other tenants' rows.
   * @throws DomainError unavailable when the database is unreachable
   */
  within<T>(tenant: TenantScope, work: (rows: Rows) => Promise<T>): Promise<T>;
  /** A round trip, for health checks. @throws as `within` */
  ping(): Promise<void>;
}
