// The nouns cronjob and cronjob run: a task template with due times, and what happened at each of them. platform-3.
import type { ActingOwner } from '../access/acting-owner.ts';
import type { TaskTemplate } from '../task/task-template.ts';

/** The rule for a due time while the task of an earlier run is not finished. */
export const overlapPolicies = ['skip', 'allow', 'cancel_previous'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

/** The rule for due times that passed unnoticed. */
export const catchUpPolicies = ['none', 'last', 'all'] as const;
export type CatchUpPolicy = (typeof catchUpPolicies)[number];

export const cronjobRunStatuses = ['started', 'completed', 'failed', 'cancelled', 'skipped', 'missed'] as const;
export type CronjobRunStatus = (typeof cronjobRunStatuses)[number];

export type CronjobTrigger = 'schedule' | 'manual' | 'catch_up';

export interface ScheduleError {
  readonly code: string;
  readonly message: string;
}

/** The part of a job that its caller decides. */
export interface CronjobSettings {
  readonly name: string;
  readonly description: string | null;
  /** Five fields, or one of the five names such as `@daily`. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
  readonly enabled: boolean;
  readonly overlap: OverlapPolicy;
  readonly catchUp: CatchUpPolicy;
  readonly catchUpWindowSeconds: number;
  readonly jitterSeconds: number;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly taskTemplate: TaskTemplate;
}

export interface Cronjob extends CronjobSettings {
  readonly cronjobId: string;
  /** The owner; its tasks belong to it. */
  readonly createdBy: string;
  readonly actsAs: ActingOwner;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The next due time, without the jitter. Null: the job is off or has ended. */
  readonly dueAt: string | null;
  readonly lastDueAt: string | null;
  readonly lastRunId: string | null;
  readonly lastError: ScheduleError | null;
  /** Runs with a task. */
  readonly runCount: number;
  readonly failureCount: number;
  readonly version: number;
}

export interface CronjobRun {
  readonly runId: string;
  readonly cronjobId: string;
  readonly dueAt: string;
  readonly trigger: CronjobTrigger;
  readonly status: CronjobRunStatus;
  readonly taskId: string | null;
  readonly reason: string | null;
  /** Due times that a run of the status `missed` stands for. */
  readonly missedCount: number | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly error: ScheduleError | null;
}

/** The topic of the tasks that jobs create. */
export const cronjobTopic = 'cronjob_task';
