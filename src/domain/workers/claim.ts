// Operations of a worker on its leases: claim tasks, and renew the leases by heartbeat.
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import { mayServe } from '../model/task/route.ts';
import type { Assignment } from '../model/task/task.ts';
import type { Lease, Renewal } from '../ports/store/queue.ts';
import { findOwningSubject, type WorkerDeps } from './deps.ts';

/**
 * Claims up to `limit` tasks that this worker may serve, or the task with `taskId`.
 * @param request.unseen return first the tasks that the worker holds and never confirmed: their assignment may have
 *   been lost
 * @throws DomainError not_found (worker, named task), conflict `task_taken` or `task_not_for_worker` (named task)
 */
export async function claimTasks(
  deps: Pick<WorkerDeps, 'store' | 'queue' | 'wake' | 'policy'>,
  caller: Caller,
  request: { workerId: string; limit: number; taskId?: string | undefined; unseen?: boolean },
): Promise<readonly Assignment[]> {
  const { workerId, taskId } = request;
  const subject = await findOwningSubject(deps.policy, caller);
  const unseen = request.unseen === true ? await findUnconfirmed(deps, caller, workerId, subject) : [];
  const limit = request.limit - unseen.length;
  if (limit <= 0) return unseen.slice(0, request.limit);
  const claimed = await deps.queue.claim(caller, { workerId, taskId, limit, subject });
  if (claimed === undefined) throw notFound('worker');
  const { tenantId } = caller;
  for (const { task } of claimed) deps.wake.announce({ kind: 'task', tenantId, taskId: task.id });
  if (taskId !== undefined && claimed.length === 0) await rejectNamed(deps, caller, workerId, taskId);
  return [...unseen, ...claimed];
}

async function findUnconfirmed(
  deps: Pick<WorkerDeps, 'store'>,
  caller: Caller,
  workerId: string,
  subject: string | undefined,
): Promise<Assignment[]> {
  return deps.store.within(caller, async (rows) => {
    const worker = await rows.workers.find(workerId);
    // The claim rejects an unknown or foreign worker.
    if (worker === undefined || (subject !== undefined && worker.subject !== subject)) return [];
    return rows.tasks.findUnconfirmed(workerId);
  });
}

async function rejectNamed(
  deps: Pick<WorkerDeps, 'store'>,
  caller: Caller,
  workerId: string,
  taskId: string,
): Promise<never> {
  const { task, worker } = await deps.store.within(caller, async (rows) => ({
    task: await rows.tasks.find(taskId),
    worker: (await rows.workers.routable([workerId]))[0],
  }));
  if (task === undefined) throw notFound('task');
  if (task.status !== 'pending') {
    throw new DomainError(
      'conflict',
      'task_taken',
      `This task is ${task.status}. Only pending tasks can be claimed: claim another.`,
    );
  }
  if (worker !== undefined && mayServe(task, worker) && !task.heldBack) {
    // The task is still pending here, but another claim holds its row and is about to commit.
    throw new DomainError('conflict', 'task_taken', 'Another worker is claiming this task. Claim another.');
  }
  throw new DomainError(
    'conflict',
    'task_not_for_worker',
    'This worker may not claim this task: its routing requires another worker, or this worker released it recently. Claim another.',
  );
}

/**
 * Renews all leases of a worker. Returns the leases that were lost and the tasks to cancel.
 * @param slotsFree how many more tasks the worker can run now
 * @throws DomainError not_found when the worker is not registered; it should register again
 */
export async function recordHeartbeat(
  deps: Pick<WorkerDeps, 'queue' | 'wake' | 'policy'>,
  caller: Caller,
  workerId: string,
  running: readonly Lease[],
  slotsFree: number | undefined,
): Promise<Renewal> {
  const subject = await findOwningSubject(deps.policy, caller);
  const renewal = await deps.queue.renew(caller, { workerId, subject, running, checkWaiting: slotsFree !== 0 });
  if (!renewal.known) throw notFound('worker');
  if (slotsFree !== undefined) {
    const { tenantId } = caller;
    deps.wake.announce({
      kind: 'heartbeat',
      tenantId,
      workerId,
      slotsFree,
      running: running.map(({ taskId }) => taskId),
    });
  }
  return renewal;
}
