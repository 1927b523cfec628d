// Ends the run of a cron job when its task has ended. platform-3.2. The same end may be announced twice.
import type { CronjobRun } from '../model/schedule/cronjob.ts';
import type { CronDeps } from './cron-deps.ts';

/** A task that needs input is still the task of a started run. */
export async function endCronjobRun(
  { store, metrics }: Pick<CronDeps, 'store' | 'metrics'>,
  { tenantId, taskId }: { readonly tenantId: string; readonly taskId: string },
): Promise<void> {
  const ended = await store.within({ tenantId }, async (rows) => {
    const task = await rows.tasks.find(taskId);
    const end = task === undefined ? taskGone : endOf(task.status, task.error);
    return end !== undefined && (await rows.cronjobs.endRunOf(taskId, end)) !== undefined ? end : undefined;
  });
  if (ended !== undefined) metrics.ended(ended.status);
}

type RunEnd = Pick<CronjobRun, 'status' | 'reason' | 'error'>;

/** Retention or a person deleted the task before its end was announced. */
const taskGone: RunEnd = { status: 'cancelled', reason: 'task_gone', error: null };

function endOf(status: string, error: CronjobRun['error']): RunEnd | undefined {
  if (status === 'completed') return { status, reason: null, error: null };
  if (status !== 'failed' && status !== 'cancelled') return undefined;
  const reason = error?.code ?? null;
  return { status, reason, error: status === 'failed' ? error && { code: error.code, message: error.message } : null };
}
