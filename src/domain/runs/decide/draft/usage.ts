// The usage of a step that ended, added to what the run has spent. runs-11.
import type { StepKind } from '../../../model/run/run-state.ts';
import type { RunSpent } from '../../../model/run/run.ts';
import type { StepTask } from '../../../model/run/snapshot.ts';
import type { RunDraft } from './run-draft.ts';

const paidKinds: readonly StepKind[] = ['implement', 'judge', 'resolve', 'diagnose'];

/** The run's total with the usage of one task. A completed step of an agent without a price is unpriced. */
export function addTaskUsage(spent: RunSpent, kind: StepKind, task: Pick<StepTask, 'usage' | 'status'>): RunSpent {
  if (!paidKinds.includes(kind)) return spent;
  const { usage } = task;
  const cost = usage?.cost_usd;
  const isUnpriced = cost === undefined && (usage !== null || task.status === 'completed');
  return {
    ...spent,
    usd: cost === undefined ? spent.usd : (spent.usd ?? 0) + cost,
    tokens: spent.tokens + (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
    unpricedSteps: spent.unpricedSteps + (isUnpriced ? 1 : 0),
  };
}

export function countUsage(draft: RunDraft, kind: StepKind, task: StepTask | undefined): void {
  if (task !== undefined) draft.setRun({ spent: addTaskUsage(draft.run.spent, kind, task) });
}
