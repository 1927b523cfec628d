// The verb trigger: runs a cron job now, whether or not it is enabled. platform-3.3.
import { changeOwned } from '../access/change-owned.ts';
import { mayStillAct } from '../access/acting-owner.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { CronjobRun } from '../model/schedule/cronjob.ts';
import type { IdempotencyKey } from '../ports/store/queue.ts';
import { announceMoves, noTaskMoves } from '../tasks/change/component-tasks.ts';
import { keyReused } from '../tasks/submit.ts';
import type { CronDeps } from './cron-deps.ts';
import { requireCronjob } from './read-cronjobs.ts';
import { startRun, type StartedRun } from './start-run.ts';

export interface TriggeredRun {
  readonly run: Pick<CronjobRun, 'runId' | 'taskId'>;
  readonly replayed: boolean;
}

/**
 * @throws DomainError not_found (job, codebase, worker); forbidden; key_reused; conflict `run_open` (the overlap is `skip` and
 *   a run's task is not finished) or `owner_disabled`
 */
export async function triggerCronjob(
  deps: CronDeps,
  caller: Caller,
  cronjobId: string,
  idempotency: IdempotencyKey | undefined,
): Promise<TriggeredRun> {
  const { createdBy, actsAs } = await deps.store.within({ tenantId: caller.tenantId }, (rows) =>
    requireCronjob(rows, cronjobId),
  );
  const ownerMayAct = await mayStillAct(deps, caller.tenantId, createdBy, actsAs);
  const runId = deps.makeId();
  const { moves, ...triggered } = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireCronjob(rows, cronjobId)).createdBy,
    change: async (rows): Promise<TriggeredRun & Pick<StartedRun, 'moves'>> => {
      const locked = await rows.cronjobs.lock(cronjobId);
      if (locked === undefined) throw notFound('cronjob');
      if (idempotency !== undefined) {
        const repeat = await rows.repeats.claimKey(runId, caller.subject, idempotency);
        if (repeat.verdict === 'key_reused') throw keyReused();
        const earlier =
          repeat.verdict === 'repeated' ? await rows.cronjobs.findRun(cronjobId, repeat.taskId) : undefined;
        if (earlier !== undefined) return { run: earlier, replayed: true, moves: noTaskMoves };
      }
      const { job, now } = locked;
      const dueAt = new Date(now).toISOString();
      const started = await startRun(deps, rows, {
        job,
        runId,
        dueAt,
        trigger: 'manual',
        now,
        ownerMayAct,
      });
      if (started === undefined || started.run.taskId === null) throw notStarted(started?.run);
      await rows.cronjobs.update(cronjobId, { lastDueAt: dueAt, lastRunId: runId }, false);
      return { run: started.run, replayed: false, moves: started.moves };
    },
  });
  announceMoves(deps.wake, caller.tenantId, moves);
  return triggered;
}

/** Nothing of the run stays: the error rolls its transaction back. */
function notStarted(run: Pick<CronjobRun, 'reason'> | undefined): DomainError {
  switch (run?.reason) {
    case 'overlap':
      return new DomainError(
        'conflict',
        'run_open',
        'The task of an earlier run is not finished, and this job does not overlap. Wait for it, or cancel it.',
      );
    case 'owner_disabled':
      return new DomainError(
        'conflict',
        'owner_disabled',
        'The owner can no longer create tasks: it is disabled, lacks tasks:write, or its key is revoked. Recreate the job.',
      );
    case 'worker_gone':
      return notFound('worker');
    default:
      return notFound('codebase');
  }
}
