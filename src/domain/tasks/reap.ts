// The reaper: requeues tasks whose lease expired, and fails tasks whose deadline passed.
import { announceChange } from './announce.ts';
import type { TaskDeps } from './deps.ts';
import { requeueTask } from './requeue.ts';
import { systemCaller } from '../access/system-caller.ts';
import type { LoopAudit } from '../ports/audit.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';

interface ReapDeps extends Pick<TaskDeps, 'store' | 'wake'> {
  readonly crossTenant: CrossTenantQueries;
  readonly audit: LoopAudit;
}

const batchSize = 200;
/** Batches of one round: a round ends even if leases expire as fast as it requeues their tasks. */
const maxBatches = 25;
/** Tenants in parallel, each on one connection. Tasks of one tenant would wait for each other's locks. */
const maxTenantsAtOnce = 4;

/**
 * One round: repeats until no more tasks are due, within bounds. Safe on every replica at once, because each task moves
 * by compare-and-set.
 * @returns how many tasks moved
 */
export async function reap(deps: ReapDeps, signal?: AbortSignal): Promise<number> {
  const { crossTenant } = deps;
  const requeued = await drain(
    () => crossTenant.expiredLeases(batchSize),
    (lease) => requeueLost(deps, lease),
    signal,
  );
  const failed = await drain(
    () => crossTenant.passedDeadlines(batchSize),
    (task) => failLate(deps, task),
    signal,
  );
  return requeued + failed;
}

interface DueTask {
  readonly tenantId: string;
  readonly taskId: string;
}

/** Finds and moves batches of tasks until one is short. @returns how many tasks moved */
async function drain<T extends DueTask>(
  find: () => Promise<T[]>,
  move: (due: T) => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  for (let batches = 0; batches < maxBatches; batches += 1) {
    if (signal?.aborted === true) break;
    const due = await find();
    const moved = await moveBatch(due, move, signal);
    total += moved;
    // A batch without a move would be found again at once.
    if (due.length < batchSize || moved === 0) break;
  }
  return total;
}

/** Settles when every tenant is done. An error ends its own tenant; the others go on. @throws the first error */
async function moveBatch<T extends DueTask>(
  due: readonly T[],
  move: (due: T) => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const tenants = Map.groupBy(due, ({ tenantId }) => tenantId).values();
  let moved = 0;
  const moveTenants = async (): Promise<void> => {
    for (const tasks of tenants) {
      for (const task of tasks) {
        if (signal?.aborted === true) return;
        if (await move(task)) moved += 1;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: maxTenantsAtOnce }, moveTenants));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return moved;
}

/** Requeues a task whose lease expired. @returns whether this call moved it */
async function requeueLost(deps: ReapDeps, { tenantId, taskId, epoch }: DueTask & { epoch: number }): Promise<boolean> {
  const resource = `/v1/agent/tasks/${taskId}`;
  const about = { action: 'tasks.lease_lost', resource };
  const task = await deps.audit.change(systemCaller(tenantId, 'reaper'), about, async (reaper) => {
    const value = await deps.store.within(reaper, async (rows) => {
      const { verdict } = await requeueTask(rows, { taskId, lease: { epoch }, why: 'lost' });
      return verdict === 'lease_lost' ? undefined : rows.tasks.find(taskId);
    });
    return { value, changed: value && { task_id: taskId, status: value.status } };
  });
  if (task !== undefined) announceChange(deps.wake, tenantId, task);
  return task !== undefined;
}

/** Fails a task whose deadline passed. @returns whether this call moved it */
async function failLate(deps: ReapDeps, { tenantId, taskId }: DueTask): Promise<boolean> {
  const error = { code: 'deadline_exceeded', message: 'The deadline of this task passed before it was done.' };
  const resource = `/v1/agent/tasks/${taskId}`;
  const about = { action: 'tasks.deadline', resource };
  const end = await deps.audit.change(systemCaller(tenantId, 'reaper'), about, async (reaper) => {
    const value = await deps.store.within(reaper, (rows) =>
      rows.taskMoves.end(taskId, 'failed', error, 'deadline_exceeded'),
    );
    return { value, changed: value.verdict === 'ended' ? { task_id: taskId, status: value.status } : undefined };
  });
  if (end.verdict !== 'ended') return false;
  announceChange(deps.wake, tenantId, { id: taskId, status: 'failed' }, { wasOn: end.workerId });
  return true;
}
