// The loop of cron jobs: each due time of each job makes one run, in one transaction. platform-3.2.
import { setImmediate } from 'node:timers/promises';
import { mayStillAct } from '../access/acting-owner.ts';
import { systemCaller } from '../access/system-caller.ts';
import type { SystemCaller } from '../model/access/caller.ts';
import type { NewCronjobRun } from '../ports/store/schedules/cronjobs.ts';
import type { LoopAudit } from '../ports/audit.ts';
import type { Rows } from '../ports/store/store.ts';
import type { CrossTenantQueries, DueCronjob } from '../ports/store/cross-tenant-queries.ts';
import type { CronDeps } from './cron-deps.ts';
import { parseCron } from './cron-expression.ts';
import { planFiring, type Firing } from './plan-firing.ts';
import { startRun, type StartedRun } from './start-run.ts';

export type CronLoopDeps = CronDeps & {
  readonly crossTenant: Pick<CrossTenantQueries, 'dueCronjobs'>;
  readonly audit: LoopAudit;
};

const batchSize = 200;
/** Due times of one job that one round handles; the others are handled by the next one. */
const maxStepsOfJob = 100;

/**
 * One round. Safe on every replica at once: a job is locked while one of its due times is handled, and a due time has one
 * run.
 * @returns how many runs it made
 * @throws the first error, after every job had its turn
 */
export async function fireCronjobs(deps: CronLoopDeps, signal?: AbortSignal): Promise<number> {
  const due = await deps.crossTenant.dueCronjobs(batchSize);
  const errors: unknown[] = [];
  let made = 0;
  for (const job of due) {
    for (let steps = 0; steps < maxStepsOfJob; steps += 1) {
      if (signal?.aborted === true) return made;
      const run = await fireOnce(deps, job).catch((error: unknown) => void errors.push(error));
      if (run === undefined) break;
      made += 1;
    }
  }
  if (errors.length > 0) throw errors[0];
  return made;
}

/** Handles the oldest due time. @returns undefined when nothing is due, or another replica has it */
async function fireOnce(deps: CronLoopDeps, due: DueCronjob): Promise<NewCronjobRun | undefined> {
  const { tenantId, cronjobId } = due;
  const job = await deps.store.within({ tenantId }, (rows) => rows.cronjobs.find(cronjobId));
  if (job === undefined) return undefined;
  // The policy may be another server: it is asked before the job is locked.
  const ownerMayAct = await mayStillAct(deps, tenantId, job.createdBy, job.actsAs);
  const about = { action: 'cronjobs.run', resource: `/v1/cronjobs/${cronjobId}` };
  const fired = await deps.audit.change(systemCaller(tenantId, 'cron'), about, async (caller) => {
    const value = await inTransaction(deps, caller, cronjobId, ownerMayAct);
    const run = value?.run;
    const changed = run && { run_id: run.runId, due_at: run.dueAt, status: run.status, task_id: run.taskId };
    return { value, changed };
  });
  for (const hint of fired?.hints ?? []) deps.wake.announce(hint);
  return fired?.run;
}

function inTransaction(
  deps: CronLoopDeps,
  caller: SystemCaller,
  cronjobId: string,
  ownerMayAct: boolean,
): Promise<StartedRun | undefined> {
  return deps.store.within(caller, async (rows) => {
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
    const fired =
      firing.kind === 'miss'
        ? await addMissed(rows, cronjobId, runId, firing)
        : await startRun(deps, rows, caller.tenantId, {
            job,
            runId,
            dueAt: isoOf(firing.dueAt),
            trigger: firing.trigger,
            now,
            ownerMayAct,
          });
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
  });
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
  return (await rows.cronjobs.addRun(run)) ? { run, hints: [] } : undefined;
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
