// Ends the run of a cron job when its task has ended. platform-3.2. The same end may be told twice.
import type { CronjobRun } from '../model/schedule/cronjob.ts';
import type { Store } from '../ports/store/store.ts';

/** A task that needs input is still the task of a started run. */
export async function endCronjobRun(
  { store }: { readonly store: Store },
  { tenantId, taskId }: { readonly tenantId: string; readonly taskId: string },
): Promise<void> {
  await store.within({ tenantId }, async (rows) => {
    const task = await rows.tasks.find(taskId);
    const end = task === undefined ? taskGone : endOf(task.status, task.error);
    if (end !== undefined) await rows.cronjobs.endRunOf(taskId, end);
  });
}

type RunEnd = Pick<CronjobRun, 'status' | 'reason' | 'error'>;

/** Retention or a person deleted the task before its end was told. */
const taskGone: RunEnd = { status: 'cancelled', reason: 'task_gone', error: null };

function endOf(status: string, error: CronjobRun['error']): RunEnd | undefined {
  if (status === 'completed') return { status, reason: null, error: null };
  if (status !== 'failed' && status !== 'cancelled') return undefined;
  const reason = error?.code ?? null;
  return { status, reason, error: status === 'failed' ? error && { code: error.code, message: error.message } : null };
}
