// The port of lists and counts of tasks.
import type { Task } from '../../model/task/task.ts';
import type { TaskStatus } from '../../model/task/task-state.ts';

/** Every field narrows the list. Times are ISO 8601. */
export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  /** One of these. */
  readonly statuses?: readonly TaskStatus[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly codebaseId?: string | undefined;
  readonly workerId?: string | undefined;
  readonly agentType?: string | undefined;
  readonly targetAgent?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly retryOf?: string | undefined;
  readonly follows?: string | undefined;
  /** True: steps of runs are listed too. */
  readonly steps?: boolean | undefined;
  /** The steps of this run alone. */
  readonly stepRunId?: string | undefined;
  /** Words in the title or the prompt, case-insensitive. */
  readonly text?: string | undefined;
  /** After this time, and before it. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  /** Ended tasks: at or after this time, and before it. */
  readonly endedAfter?: string | undefined;
  readonly endedBefore?: string | undefined;
  readonly deadlineBefore?: string | undefined;
  /** Running tasks without an event since this time. */
  readonly silentSince?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly attemptMin?: number | undefined;
  /** Only tasks with a status change at or after this time. */
  readonly statusSince?: string | undefined;
}

/** A task's position in a list by status time. */
export interface StatusCursor {
  /** Microseconds since 1970, as digits: a JavaScript time would round them. */
  readonly at: string;
  readonly taskId: string;
}

/** Orders of a list, each descending: by creation, by the time of the status, by priority. */
export const taskSorts = ['created', 'updated', 'priority'] as const;
export type TaskSort = (typeof taskSorts)[number];

/** A position in a sorted list: the microseconds of the status time, or the priority; 0 in a list by creation. */
export interface TaskPlace {
  readonly rank: number;
  readonly taskId: string;
}

export interface PlacePage {
  readonly limit: number;
  /** The position after which the page begins; undefined: the first page. */
  readonly after: TaskPlace | undefined;
}

/** Counts by status, each up to a limit. */
export interface CappedCounts {
  readonly counts: Readonly<Record<TaskStatus, number>>;
  /** Some count is a lower bound. */
  readonly capped: boolean;
}

export interface TaskListRows {
  /** Newest first. @param page.before the id after which the page begins */
  list(filter: TaskFilter, page: { readonly limit: number; readonly before: string | undefined }): Promise<Task[]>;
  /**
   * By status time, newest first: when a finished task ended, when another last changed.
   * @param page.after the position after which the page begins; undefined: the newest
   */
  listByStatusTime(
    filter: TaskFilter,
    page: { readonly limit: number; readonly after: StatusCursor | undefined },
  ): Promise<{ task: Task; cursor: StatusCursor }[]>;
  /**
   * A page in some order. It examines a bounded number of tasks: a page of rare tasks may be short, or empty, and still have
   * a `next`.
   */
  page(filter: TaskFilter, sort: TaskSort, page: PlacePage): Promise<{ tasks: Task[]; next: TaskPlace | null }>;
  /** The number of tasks that match a filter; stops counting at `limit`. */
  count(filter: TaskFilter, limit: number): Promise<number>;
  /** Counts at most `limit` tasks of each status, and examines a bounded number of them. */
  countEach(filter: TaskFilter, limit: number): Promise<CappedCounts>;
}
