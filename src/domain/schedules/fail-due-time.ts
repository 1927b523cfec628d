// Records that a due time could not be handled: as a failed run where the job cannot work, else as the job's error.
import { DomainError } from '../model/errors.ts';
import type { ScheduleError } from '../model/schedule/cronjob.ts';
import type { DueCronjob } from '../ports/store/cross-tenant-queries.ts';
import type { NewCronjobRun } from '../ports/store/schedules/cronjobs.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { noTaskMoves } from '../tasks/change/component-tasks.ts';
import type { CronDeps } from './cron-deps.ts';
import { firstDueAt } from './plan-firing.ts';
import { parseCron } from './cron-expression.ts';
import type { StartedRun } from './start-run.ts';

/**
 * Gives the due time of a job a failed run and goes on to the next one. A job whose expression or zone is no longer known has
 * none.
 */
export async function addFailedRun(
  { makeId }: Pick<CronDeps, 'makeId'>,
  rows: Rows,
  cronjobId: string,
  error: ScheduleError,
): Promise<StartedRun | undefined> {
  const locked = await rows.cronjobs.lockDue(cronjobId);
  if (locked === undefined || locked.job.dueAt === null) return undefined;
  const { job, now } = locked;
  const run: NewCronjobRun = {
    runId: makeId(),
    cronjobId,
    dueAt: locked.job.dueAt,
    trigger: 'schedule',
    status: 'failed',
    taskId: null,
    reason: error.code,
    missedCount: null,
    endedAt: null,
    error,
  };
  const isNew = await rows.cronjobs.addRun(run);
  const dueAt = nextDueAt(job.cron, job.timezone, now, job.endsAt);
  const last = isNew ? { lastDueAt: run.dueAt, lastRunId: run.runId, lastError: error } : {};
  await rows.cronjobs.update(cronjobId, { dueAt, ...last }, false);
  return isNew ? { run, moves: noTaskMoves } : undefined;
}

function nextDueAt(cron: string, timezone: string, now: number, endsAt: string | null): string | null {
  try {
    const next = firstDueAt(parseCron(cron, timezone), now, endsAt === null ? undefined : Date.parse(endsAt));
    return next === undefined ? null : new Date(next).toISOString();
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

const failure: ScheduleError = {
  code: 'firing_failed',
  message: 'The service could not create the run of a due time. It tries again each second; its log has the reason.',
};

/** Once, however often the due time is tried again. */
export async function noteFailedFiring(store: Store, { tenantId, cronjobId }: DueCronjob): Promise<void> {
  await store.within({ tenantId }, async (rows) => {
    const locked = await rows.cronjobs.lockDue(cronjobId);
    if (locked === undefined || locked.job.lastError?.code === failure.code) return;
    await rows.cronjobs.update(cronjobId, { lastError: failure }, false);
  });
}
