// Wire shapes of cron jobs and their runs. platform-3.3.
import { z } from 'zod';
import { givenTime, id, pageQuery, timestamp } from '../common.ts';
import { taskTemplate } from './task-template.ts';

const overlap = z.enum(['skip', 'allow', 'cancel_previous']);
const catchUp = z.enum(['none', 'last', 'all']);
export const cronjobRunStatus = z.enum(['started', 'completed', 'failed', 'cancelled', 'skipped', 'missed']);
const scheduleError = z.object({ code: z.string(), message: z.string() });

/** The expression is checked by the domain, which names what is wrong with it. */
const cron = z.string().min(1).max(1_000);
const timezone = z.string().min(1).max(100);

export const newCronjob = z.strictObject({
  name: z.string().min(1).max(200),
  description: z.string().max(4_000).optional(),
  /** `minute hour day-of-month month day-of-week`, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. */
  cron,
  /** An IANA zone; `UTC` unless given. */
  timezone: timezone.default('UTC'),
  task_template: taskTemplate,
  enabled: z.boolean().default(true),
  overlap: overlap.default('skip'),
  catch_up: catchUp.default('last'),
  catch_up_window_seconds: z.int().min(60).max(2_592_000).default(86_400),
  jitter_seconds: z.int().min(0).max(3_600).default(0),
  starts_at: givenTime.optional(),
  ends_at: givenTime.optional(),
});

export const cronjobChange = z
  .strictObject({
    name: newCronjob.shape.name.optional(),
    description: z.string().max(4_000).nullable().optional(),
    cron: cron.optional(),
    timezone: timezone.optional(),
    task_template: taskTemplate.optional(),
    enabled: z.boolean().optional(),
    overlap: overlap.optional(),
    catch_up: catchUp.optional(),
    catch_up_window_seconds: z.int().min(60).max(2_592_000).optional(),
    jitter_seconds: z.int().min(0).max(3_600).optional(),
    /** Null: there is no such bound any more. */
    starts_at: givenTime.nullable().optional(),
    ends_at: givenTime.nullable().optional(),
    /** The version that the caller has read; another one is refused with `changed_meanwhile`. */
    version: z.int().min(1).optional(),
  })
  .meta({ minProperties: 1 });

export const cronjob = z.object({
  cronjob_id: id,
  name: z.string(),
  description: z.string().nullable(),
  cron: z.string(),
  timezone: z.string(),
  enabled: z.boolean(),
  overlap,
  catch_up: catchUp,
  catch_up_window_seconds: z.int(),
  jitter_seconds: z.int(),
  starts_at: timestamp.nullable(),
  ends_at: timestamp.nullable(),
  task_template: taskTemplate,
  owner: z.string(),
  /** Without the jitter; null when the job is off or has ended. */
  next_due_at: timestamp.nullable(),
  last_due_at: timestamp.nullable(),
  last_run_id: id.nullable(),
  last_error: scheduleError.nullable(),
  /** Runs that have a task. */
  run_count: z.int(),
  failure_count: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
  version: z.int(),
});
export type CronjobWire = z.infer<typeof cronjob>;

export const cronjobRun = z.object({
  run_id: id,
  cronjob_id: id,
  due_at: timestamp,
  trigger: z.enum(['schedule', 'manual', 'catch_up']),
  status: cronjobRunStatus,
  task_id: id.nullable(),
  /** Why it has no task, or how its task ended. */
  reason: z.string().nullable(),
  /** Due times that a missed run stands for. */
  missed_count: z.int().nullable(),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  error: scheduleError.nullable(),
});
export type CronjobRunWire = z.infer<typeof cronjobRun>;

export const cronjobQuery = z.strictObject({
  ...pageQuery,
  enabled: z.boolean().optional(),
  q: z.string().min(1).max(200).optional(),
});
export const cronjobRunQuery = z.strictObject({ ...pageQuery, status: cronjobRunStatus.optional() });

export const cronjobAnswer = z.object({ cronjob });
export const cronjobPage = z.object({ cronjobs: z.array(cronjob), next_cursor: z.string().nullable() });
export const cronjobRunPage = z.object({ runs: z.array(cronjobRun), next_cursor: z.string().nullable() });
export const triggeredRun = z.object({ run_id: id, task_id: id, status: z.literal('started') });

export const cronExpression = z.strictObject({
  cron,
  timezone: timezone.default('UTC'),
  /** The time after which the next ones are answered; now by default. */
  from: givenTime.optional(),
});
export const cronVerdict = z.union([
  z.object({ valid: z.literal(true), next: z.array(z.object({ at: timestamp, local: z.string() })) }),
  z.object({ valid: z.literal(false), error: scheduleError }),
]);
