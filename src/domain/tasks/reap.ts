// The reaper: requeues tasks whose lease expired, and fails tasks whose deadline passed.
import { announceChange } from './announce.ts';
import type { TaskDeps } from './deps.ts';
import { requeueTask } from './requeue.ts';
import type { LoopAudit } from '../ports/audit.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';

interface ReapDeps extends Pick<TaskDeps, 'store' | 'wake'> {
  readonly crossTenant: CrossTenantQueries;
  readonly audit: LoopAudit;
}

const batchSize = 200;

/** One round. Safe on every replica at once: each task moves by compare-and-set. @returns how many tasks moved */
export async function reap(deps: ReapDeps): Promise<number> {
  return (await reapLeases(deps)) + (await reapDeadlines(deps));
}

async function reapLeases(deps: ReapDeps): Promise<number> {
  const expired = await deps.crossTenant.expiredLeases(batchSize);
  for (const { tenantId, taskId, epoch } of expired) {
    const about = {
      actor: 'service:reaper',
      tenantId,
      action: 'tasks.lease_lost',
      resource: `/v1/agent/tasks/${taskId}`,
    };
    const task = await deps.audit.change(about, async (tenant) => {
      const value = await deps.store.within(tenant, async (rows) => {
        const { verdict } = await requeueTask(rows, { taskId, lease: { epoch }, why: 'lost' });
        return verdict === 'lease_lost' ? undefined : rows.tasks.find(taskId);
      });
      return { value, changed: value && { task_id: taskId, status: value.status } };
    });
    if (task !== undefined) announceChange(deps.wake, tenantId, task);
  }
  return expired.length;
}

async function reapDeadlines(deps: ReapDeps): Promise<number> {
  const passed = await deps.crossTenant.passedDeadlines(batchSize);
  for (const { tenantId, taskId } of passed) {
    const error = { code: 'deadline_exceeded', message: 'The deadline of this task passed before it was done.' };
    const about = {
      actor: 'service:reaper',
      tenantId,
      action: 'tasks.deadline',
      resource: `/v1/agent/tasks/${taskId}`,
    };
    const end = await deps.audit.change(about, async (tenant) => {
      const value = await deps.store.within(tenant, (rows) =>
        rows.taskMoves.end(taskId, 'failed', error, 'deadline_exceeded'),
      );
      return { value, changed: value.verdict === 'ended' ? { task_id: taskId, status: value.status } : undefined };
    });
    if (end.verdict !== 'ended') continue;
    announceChange(deps.wake, tenantId, { id: taskId, status: 'failed' }, { wasOn: end.workerId });
  }
  return passed.length;
}
