// Folds the ended task of one key result into its item: its report moves the key result. platform-4.
import { cutText } from '../../../lib/text/cut-text.ts';
import { DomainError } from '../../model/errors.ts';
import { hasEnded } from '../../model/okr/okr-moves.ts';
import { moveByTasks, moveKeyResult } from '../../model/okr/move-key-result.ts';
import { progressOfTasks } from '../../model/okr/measure.ts';
import type { KeyResult, KeyResultState, OkrReport, OkrRunItem, OkrView } from '../../model/okr/okr.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { OkrDeps } from '../base/okr-deps.ts';
import { readReport } from './read-report.ts';

const maxSummary = 4_000;
const maxEvidence = 50;
const maxEvidenceText = 1_000;

/**
 * In the transaction that holds the lock of the objective.
 * @returns the item as its task ended; undefined: the task has not ended
 */
export async function foldItem(
  deps: Pick<OkrDeps, 'parseReport'>,
  rows: Rows,
  okr: OkrView,
  item: OkrRunItem,
): Promise<OkrRunItem | undefined> {
  if (item.status !== 'running' || item.taskId === null) return undefined;
  const keyResult = okr.keyResults.find(({ keyResultId }) => keyResultId === item.keyResultId);
  const progressAfter = keyResult?.progress ?? item.progressBefore;
  const end = (status: OkrRunItem['status'], summary: string): OkrRunItem => ({
    ...item,
    status,
    summary: cutText(summary, maxSummary),
    progressAfter,
  });
  const task = await rows.tasks.find(item.taskId);
  if (task === undefined) return end('cancelled', 'The task was deleted before its end was noticed.');
  if (task.status === 'failed' || task.status === 'cancelled') {
    return end(task.status, task.error === null ? `The task was ${task.status}.` : task.error.message);
  }
  if (task.status !== 'completed') return undefined;
  const parsed = await readReport(deps, rows, item.taskId);
  if ('reason' in parsed) return end('unreported', parsed.reason);
  return fromReport(rows, okr, keyResult, { item, report: parsed.report });
}

async function fromReport(
  rows: Rows,
  okr: OkrView,
  keyResult: KeyResult | undefined,
  { item, report }: { readonly item: OkrRunItem; readonly report: OkrReport },
): Promise<OkrRunItem> {
  const { summary, evidence, progress, current, status } = report;
  const reported = {
    ...item,
    summary: cutText(summary, maxSummary),
    evidence: evidence.slice(0, maxEvidence).map((text) => cutText(text, maxEvidenceText)),
    progressAfter: keyResult?.progress ?? item.progressBefore,
  };
  // A key result that has ended no longer moves; the report stays.
  if (keyResult === undefined || hasEnded(okr.status)) return { ...reported, status: 'completed' };
  // A reason belongs to the status that the report names.
  const statusReason = status === 'blocked' ? cutText(summary, 2_000) : undefined;
  try {
    const moved = moveKeyResult(keyResult, { progress, current, status, statusReason });
    await moveTo(rows, keyResult, moved);
    return { ...reported, status: 'completed', progressAfter: moved.progress };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...reported, status: 'unreported', evidence: [], summary: cutText(error.message, maxSummary) };
  }
}

async function moveTo(rows: Rows, keyResult: KeyResult, moved: KeyResultState): Promise<void> {
  const { current, progress, status, statusReason } = moved;
  await rows.okrs.updateKeyResult(keyResult, { current, progress, status, statusReason });
}

/** Moves key results that are measured by tasks, after their items were stored. @returns the item with its new progress */
export async function countItem(rows: Rows, okr: OkrView, item: OkrRunItem): Promise<OkrRunItem> {
  const keyResult = okr.keyResults.find(({ keyResultId }) => keyResultId === item.keyResultId);
  if (keyResult?.measure.kind !== 'tasks' || hasEnded(okr.status)) return item;
  const progress = progressOfTasks(await rows.okrRuns.countTasks(okr.okrId, item.keyResultId));
  await moveTo(rows, keyResult, moveByTasks(keyResult, progress));
  return { ...item, progressAfter: progress };
}
