// The loop okr_director: notices tasks of key results that have begun or ended. platform-4.
import type { TopicSubscriber } from '../../events/topic-subscribers.ts';
import { okrTopic } from '../../model/okr/okr.ts';
import type { DueOkrRun } from '../../ports/store/cross-tenant-queries.ts';
import type { OkrDirectorDeps } from '../base/okr-deps.ts';
import { foldOkrRun } from './fold-run.ts';

const batchSize = 200;

/**
 * One round over the open runs with something to notice. A run that fails holds up no other.
 * @returns how many runs have changed
 * @throws the first error, after the other runs had their turn
 */
export async function directOkrRuns(deps: OkrDirectorDeps, signal?: AbortSignal): Promise<number> {
  const errors: unknown[] = [];
  let changed = 0;
  let due: readonly DueOkrRun[] = [];
  do {
    due = await deps.crossTenant.dueOkrRuns(batchSize, due.at(-1));
    for (const run of due) {
      if (signal?.aborted === true) return changed;
      if (await foldOkrRun(deps, run).catch((error: unknown) => void errors.push(error))) changed += 1;
    }
  } while (due.length === batchSize);
  if (errors.length > 0) throw errors[0];
  return changed;
}

/** Learns durably that a task has come to rest, long before the next round. */
export function okrSubscriber(deps: OkrDirectorDeps): TopicSubscriber {
  return {
    topic: okrTopic,
    async handle({ tenantId, taskId }) {
      const task = await deps.store.within({ tenantId }, (rows) => rows.tasks.find(taskId));
      const okrId = task?.metadata['okr_id'];
      const runId = task?.metadata['okr_run_id'];
      // Only the service sets a topic, so these are the ids that it wrote. A deleted task is found by the next round.
      if (typeof okrId !== 'string' || typeof runId !== 'string') return;
      await foldOkrRun(deps, { tenantId, okrId, runId });
    },
  };
}
