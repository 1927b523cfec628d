// The verb that cancels a run with its open tasks. platform-4.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { OkrRun, OkrRunItem } from '../../model/okr/okr.ts';
import type { Rows } from '../../ports/store/store.ts';
import { announceMoves, cancelTasks, noTaskMoves, type TaskMoves } from '../../tasks/change/component-tasks.ts';
import { changeOwnedOkr, settleOkr } from '../base/change-owned-okr.ts';
import type { OkrDeps } from '../base/okr-deps.ts';
import { requireOkr } from '../base/read-okrs.ts';
import { foldItems } from './fold-items.ts';

/** A run that is cancelled already stays as it is. @throws DomainError not_found; forbidden; conflict `invalid_transition` */
export async function cancelOkrRun(deps: OkrDeps, caller: Caller, okrId: string, runId: string): Promise<OkrRun> {
  const { run, moves } = await changeOwnedOkr(deps, caller, okrId, async (rows) => {
    const before = await requireRun(rows, okrId, runId);
    if (before.status === 'cancelled') return { run: before, moves: noTaskMoves };
    if (before.endedAt !== null) {
      throw new DomainError('conflict', 'invalid_transition', `The run is ${before.status} and cannot be cancelled.`);
    }
    const cancelled = await cancelOpenRun(deps, rows, before);
    await settleOkr(rows, okrId);
    return { run: await requireRun(rows, okrId, runId), moves: cancelled };
  });
  announceMoves(deps.wake, caller.tenantId, moves);
  return run;
}

async function requireRun(rows: Rows, okrId: string, runId: string): Promise<OkrRun> {
  const run = await rows.okrRuns.find(okrId, runId);
  if (run === undefined) throw notFound('okr_run');
  return run;
}

/** In the transaction that holds the lock of the objective. A task that has just ended is folded as it ended. */
export async function cancelOpenRun(deps: OkrDeps, rows: Rows, run: OkrRun): Promise<TaskMoves> {
  const running = run.items.flatMap(({ status, taskId }) => (status === 'running' && taskId !== null ? [taskId] : []));
  const cancelled = await cancelTasks(rows, running, null, 'the run of its objective was cancelled');
  const ids = new Set(cancelled.map(({ taskId }) => taskId));
  const items = run.items.map((item): OkrRunItem => {
    const isOver = item.status === 'pending' || (item.taskId !== null && ids.has(item.taskId));
    return isOver
      ? { ...item, status: 'cancelled', summary: 'The run was cancelled.', progressAfter: item.progressBefore }
      : item;
  });
  const folded = await foldItems(deps, rows, await requireOkr(rows, run.okrId), { ...run, items });
  await rows.okrRuns.update(run, { items: folded.items, status: 'cancelled' });
  deps.metrics.runEnded('cancelled');
  return { ...noTaskMoves, cancelled };
}
