// The port of the rows of cronjobs and their runs.
import type { ActingOwner } from '../../../model/access/acting-owner.ts';
import type {
  Cronjob,
  CronjobRun,
  CronjobRunStatus,
  CronjobSettings,
  ScheduleError,
} from '../../../model/schedule/cronjob.ts';

/** The last id of the page before. */
interface SchedulePage {
  readonly limit: number;
  readonly before: string | undefined;
}

export interface NewCronjob extends CronjobSettings {
  readonly cronjobId: string;
  readonly createdBy: string;
  readonly actsAs: ActingOwner;
  readonly dueAt: string | null;
}

export type NewCronjobRun = Omit<CronjobRun, 'startedAt'>;

/** A job with what its firing has to know, by the clock of the database. */
export interface LockedCronjob {
  readonly job: Cronjob;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly jitterMs: number;
}

export interface CronjobChange extends Partial<CronjobSettings> {
  readonly dueAt?: string | null;
  readonly lastDueAt?: string;
  readonly lastRunId?: string;
  readonly lastError?: ScheduleError | null;
}

export interface CronjobRows {
  /** Milliseconds since 1970, by the clock of the database. */
  now(): Promise<number>;
  insert(job: NewCronjob): Promise<void>;
  find(cronjobId: string): Promise<Cronjob | undefined>;
  lock(cronjobId: string): Promise<LockedCronjob | undefined>;
  /** Undefined: another transaction holds the job, or its time has not come. */
  lockDue(cronjobId: string): Promise<LockedCronjob | undefined>;
  /** Newest first. @param text found in the name, whatever its case */
  list(
    filter: { readonly enabled: boolean | undefined; readonly text: string | undefined },
    page: SchedulePage,
  ): Promise<Cronjob[]>;
  /** Counts up to a bound, and keeps others from adding a job before this transaction ends. */
  countForAdding(upTo: number): Promise<number>;
  /** @param edits whether a caller changed the job, which is a new version of it */
  update(cronjobId: string, change: CronjobChange, edits: boolean): Promise<Cronjob>;
  delete(cronjobId: string): Promise<void>;
  /** @returns false: this due time has a run already */
  addRun(run: NewCronjobRun): Promise<boolean>;
  /** Whether a due time has a run that nobody triggered by hand. */
  hasRunAt(cronjobId: string, dueAt: string): Promise<boolean>;
  findRun(cronjobId: string, runId: string): Promise<CronjobRun | undefined>;
  /** Newest first. */
  listRuns(cronjobId: string, status: CronjobRunStatus | undefined, page: SchedulePage): Promise<CronjobRun[]>;
  /** Started runs whose tasks are not finished, with the tasks. */
  openTasks(cronjobId: string): Promise<{ readonly runId: string; readonly taskId: string }[]>;
  /** Ends the started run of a task. @returns its job; undefined: there is no such run */
  endRunOf(taskId: string, end: Pick<CronjobRun, 'status' | 'reason' | 'error'>): Promise<string | undefined>;
  /** Deletes runs that ended more than this many days ago. @returns how many */
  dropRuns(olderThanDays: number, limit: number): Promise<number>;
}
