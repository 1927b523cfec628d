// Cron jobs and their runs between their wire shapes and the domain's.
import type { z } from 'zod';
import type { CronjobRunWire, CronjobWire, cronjobChange, newCronjob } from '../../../contracts/schedules/cronjob.ts';
import type { Cronjob, CronjobRun, CronjobSettings } from '../../../domain/model/schedule/cronjob.ts';
import type { CronjobEdit } from '../../../domain/schedules/change-cronjob.ts';
import { templateFromWire, templateToWire } from '../tasks/template-wire.ts';

export function settingsFromWire(body: z.output<typeof newCronjob>): CronjobSettings {
  return {
    name: body.name,
    description: body.description ?? null,
    cron: body.cron,
    timezone: body.timezone,
    enabled: body.enabled,
    overlap: body.overlap,
    catchUp: body.catch_up,
    catchUpWindowSeconds: body.catch_up_window_seconds,
    jitterSeconds: body.jitter_seconds,
    startsAt: body.starts_at ?? null,
    endsAt: body.ends_at ?? null,
    taskTemplate: templateFromWire(body.task_template),
  };
}

export function editFromWire(body: Omit<z.output<typeof cronjobChange>, 'version'>): CronjobEdit {
  return {
    name: body.name,
    description: body.description,
    cron: body.cron,
    timezone: body.timezone,
    enabled: body.enabled,
    overlap: body.overlap,
    catchUp: body.catch_up,
    catchUpWindowSeconds: body.catch_up_window_seconds,
    jitterSeconds: body.jitter_seconds,
    startsAt: body.starts_at,
    endsAt: body.ends_at,
    taskTemplate: body.task_template && templateFromWire(body.task_template),
  };
}

export function cronjobToWire(job: Cronjob): CronjobWire {
  return {
    cronjob_id: job.cronjobId,
    name: job.name,
    description: job.description,
    cron: job.cron,
    timezone: job.timezone,
    enabled: job.enabled,
    overlap: job.overlap,
    catch_up: job.catchUp,
    catch_up_window_seconds: job.catchUpWindowSeconds,
    jitter_seconds: job.jitterSeconds,
    starts_at: job.startsAt,
    ends_at: job.endsAt,
    task_template: templateToWire(job.taskTemplate),
    owner: job.createdBy,
    next_due_at: job.enabled ? job.dueAt : null,
    last_due_at: job.lastDueAt,
    last_run_id: job.lastRunId,
    last_error: job.lastError,
    run_count: job.runCount,
    failure_count: job.failureCount,
    created_at: job.createdAt,
    updated_at: job.updatedAt,
    version: job.version,
  };
}

export function cronjobRunToWire(run: CronjobRun): CronjobRunWire {
  return {
    run_id: run.runId,
    cronjob_id: run.cronjobId,
    due_at: run.dueAt,
    trigger: run.trigger,
    status: run.status,
    task_id: run.taskId,
    reason: run.reason,
    missed_count: run.missedCount,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    error: run.error,
  };
}
