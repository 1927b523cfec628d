// The loop of cron jobs: each due time of each job makes one run, in one transaction. platform-3.2.
import { setImmediate } from 'node:timers/promises';
import { mayStillAct } from '../access/acting-owner.ts';
import { DomainError } from '../model/errors.ts';
import { systemCaller } from '../access/system-caller.ts';
import type { NewCronjobRun } from '../ports/store/schedules/cronjobs.ts';
import type { LoopAudit } from '../ports/audit.ts';
import type { Rows } from '../ports/store/store.ts';
import type { CrossTenantQueries, DueCronjob } from '../ports/store/cross-tenant-queries.ts';
import { announceMoves, noTaskMoves } from '../tasks/change/component-tasks.ts';
import type { CronDeps } from './cron-deps.ts';
import { parseCron } from './cron-expression.ts';
import { addFailedRun, noteFailedFiring } from './fail-due-time.ts';
import { planFiring, type Firing } from './plan-firing.ts';
import { startRun, type StartedRun } from './start-run.ts';

export type CronLoopDeps = CronDeps & {
  readonly crossTenant: Pick<CrossTenantQueries, 'dueCronjobs'>;
  readonly audit: LoopAudit;
};

const batchSize = 200;
/** Due times of one job that one round handles; the others are handled by the next one. */
const maxStepsOfJob = 100;
/** Jobs in a row that found a dependency unavailable: the others would find the same. */
const maxUnavailable = 5;

/**
 * One round over every job that is due. Safe on every replica at once: a job is locked while one of its due times is handled,
 * and a due time has one run. A job that fails holds up no other: the next batch begins after it.
 * @returns how many runs it made
 * @throws the first error, after the other jobs had their turn
 */
export async function fireCronjobs(deps: CronLoopDeps, signal?: AbortSignal): Promise<number> {
  const errors: unknown[] = [];
  let made = 0;
  let unavailable = 0;
  let due: readonly DueCronjob[] = [];
  do {
    due = await deps.crossTenant.dueCronjobs(batchSize, due.at(-1));
    for (const job of due) {
      for (let steps = 0; steps < maxStepsOfJob; steps += 1) {
        if (signal?.aborted === true) return made;
        const { run, error } = await handleDueTime(deps, job);
        if (error !== undefined) errors.push(error);
        unavailable = isUnavailable(error) ? unavailable + 1 : 0;
        if (unavailable >= maxUnavailable) throw errors[0];
        if (run === undefined) break;
        made += 1;
      }
    }
  } while (due.length === batchSize);
  if (errors.length > 0) throw errors[0];
  return made;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unavailable';
}

/** Without a run: none was made. */
interface Handled {
  readonly run?: NewCronjobRun | undefined;
  readonly error?: unknown;
}

/** Handles the oldest due time; nothing happens when none has come, or another replica has the job. */
async function handleDueTime(deps: CronLoopDeps, job: DueCronjob): Promise<Handled> {
  try {
    return { run: await fireOnce(deps, job) };
  } catch (error) {
    return recoverFrom(deps, job, error);
  }
}

/** A job that cannot work gets a failed run for its due time. Anything else may pass: the due time is tried again. */
async function recoverFrom(deps: CronLoopDeps, job: DueCronjob, error: unknown): Promise<Handled> {
  try {
    const isHopeless = error instanceof DomainError && !isUnavailable(error) && error.kind !== 'internal';
    if (isHopeless) {
      const { code, message } = error;
      return { run: await fire(deps, job, (rows) => addFailedRun(deps, rows, job.cronjobId, { code, message })) };
    }
    deps.metrics.postponed();
    if (!isUnavailable(error)) await noteFailedFiring(deps.store, job);
  } catch {
    // The first error says more.
  }
  return { error };
}

async function fireOnce(deps: CronLoopDeps, due: DueCronjob): Promise<NewCronjobRun | undefined> {
  const { tenantId, cronjobId } = due;
  const job = await deps.store.within({ tenantId }, (rows) => rows.cronjobs.find(cronjobId));
  if (job === undefined) return undefined;
  // The policy may be another server: it is asked before the job is locked.
  const ownerMayAct = await mayStillAct(deps, tenantId, job.createdBy, job.actsAs);
  return fire(deps, due, (rows) => makeRun(deps, rows, cronjobId, ownerMayAct));
}

/** One audited transaction. */
async function fire(
  deps: CronLoopDeps,
  { tenantId, cronjobId }: DueCronjob,
  make: (rows: Rows) => Promise<StartedRun | undefined>,
): Promise<NewCronjobRun | undefined> {
  const about = { action: 'cronjobs.run', resource: `/v1/cronjobs/${cronjobId}` };
  const fired = await deps.audit.change(systemCaller(tenantId, 'cron'), about, async (caller) => {
    const value = await deps.store.within(caller, make);
    const run = value?.run;
    const changed = run && { run_id: run.runId, due_at: run.dueAt, status: run.status, task_id: run.taskId };
    return { value, changed };
  });
  if (fired === undefined) return undefined;
  deps.metrics.handled(fired.run.status, fired.run.missedCount ?? 1);
  announceMoves(deps.wake, tenantId, fired.moves);
  return fired.run;
}

async function makeRun(
  deps: CronLoopDeps,
  rows: Rows,
  cronjobId: string,
  ownerMayAct: boolean,
): Promise<StartedRun | undefined> {
  const locked = await rows.cronjobs.lockDue(cronjobId);
  if (locked === undefined || locked.job.dueAt === null) return undefined;
  const { job, now, jitterMs } = locked;
  const firing = await planFiring(
    parseCron(job.cron, job.timezone),
    {
      dueAt: Date.parse(locked.job.dueAt),
      jitterMs,
      now,
      endsAt: job.endsAt === null ? undefined : Date.parse(job.endsAt),
      catchUp: job.catchUp,
      catchUpWindowMs: job.catchUpWindowSeconds * 1000,
    },
    () => setImmediate(),
  );
  if (firing === undefined) return undefined;
  const runId = deps.makeId();
  const start = { job, runId, now, ownerMayAct };
  const fired =
    firing.kind === 'miss'
      ? await addMissed(rows, cronjobId, runId, firing)
      : await startRun(deps, rows, { ...start, dueAt: isoOf(firing.dueAt), trigger: firing.trigger });
  if (fired?.run.status === 'started') deps.metrics.lagged((now - Date.parse(fired.run.dueAt) - jitterMs) / 1000);
  await rows.cronjobs.update(
    cronjobId,
    {
      dueAt: firing.nextDueAt === undefined ? null : isoOf(firing.nextDueAt),
      ...(fired && { lastDueAt: fired.run.dueAt, lastRunId: runId }),
      ...(fired?.run.error && { lastError: fired.run.error }),
    },
    false,
  );
  return fired;
}

async function addMissed(
  rows: Rows,
  cronjobId: string,
  runId: string,
  { count, newestDueAt }: Extract<Firing, { kind: 'miss' }>,
): Promise<StartedRun | undefined> {
  const run: NewCronjobRun = {
    runId,
    cronjobId,
    dueAt: isoOf(newestDueAt),
    trigger: 'catch_up',
    status: 'missed',
    taskId: null,
    reason: 'missed',
    missedCount: count,
    endedAt: null,
    error: null,
  };
  return (await rows.cronjobs.addRun(run)) ? { run, moves: noTaskMoves } : undefined;
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
