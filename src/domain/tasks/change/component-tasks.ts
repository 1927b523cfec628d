// Tasks that a component of the service creates and cancels in a transaction of its own, announced after the commit.
import type { TaskDraft } from '../../model/task/task-draft.ts';
import type { TaskError } from '../../model/task/task.ts';
import type { Submission } from '../../ports/store/queue.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { WakeBus } from '../../ports/wake.ts';
import { announceChange } from '../announce.ts';
import type { TaskDeps } from '../deps.ts';
import { pendingWake } from '../routing/pending-wake.ts';
import { routeIdOf } from '../routing/route-id.ts';

/** The changes of tasks that one transaction made. */
export interface TaskMoves {
  readonly created: readonly Submission[];
  readonly cancelled: readonly CancelledTask[];
}

interface CancelledTask {
  readonly taskId: string;
  /** The worker whose attempt was ended. */
  readonly workerId: string | null;
}

export const noTaskMoves: TaskMoves = { created: [], cancelled: [] };

/** A new task of this owner. */
export function submissionOf(
  { makeId, defaultMaxAttempts }: Pick<TaskDeps, 'makeId' | 'defaultMaxAttempts'>,
  draft: TaskDraft,
  createdBy: string,
): Submission {
  return {
    id: makeId(),
    attemptId: makeId(),
    draft,
    maxAttempts: draft.maxAttempts ?? defaultMaxAttempts,
    routeId: routeIdOf(draft),
    createdBy,
    idempotency: undefined,
  };
}

/** Cancels those of these tasks that have not ended. @returns the cancelled ones */
export async function cancelTasks(
  rows: Rows,
  taskIds: readonly string[],
  error: TaskError | null,
  reason: string,
): Promise<CancelledTask[]> {
  const cancelled: CancelledTask[] = [];
  for (const taskId of taskIds) {
    const end = await rows.taskMoves.end(taskId, 'cancelled', error, reason);
    if (end.verdict === 'ended') cancelled.push({ taskId, workerId: end.workerId });
  }
  return cancelled;
}

/** Call it only after the commit. */
export function announceMoves(wake: WakeBus, tenantId: string, { created, cancelled }: TaskMoves): void {
  for (const { taskId, workerId } of cancelled) {
    announceChange(wake, tenantId, { id: taskId, status: 'cancelled' }, { wasOn: workerId });
  }
  for (const { id, draft } of created) wake.announce(pendingWake(tenantId, { ...draft, id }));
}
