// Dependencies of the verbs and the loop of cron jobs.
import type { ActingDeps } from '../access/acting-owner.ts';
import type { CronjobRunStatus } from '../model/schedule/cronjob.ts';
import type { TaskDeps } from '../tasks/deps.ts';

export interface CronMetrics {
  /** Due times got a run of this status. */
  handled(status: CronjobRunStatus, dueTimes: number): void;
  /** The task of a run has ended. */
  ended(status: CronjobRunStatus): void;
  /** How late the task of a due time was created. */
  lagged(seconds: number): void;
  /** A due time could not be handled and is tried again. */
  postponed(): void;
}

export type CronDeps = ActingDeps &
  Pick<TaskDeps, 'wake' | 'makeId' | 'egress' | 'defaultMaxAttempts'> & { readonly metrics: CronMetrics };
