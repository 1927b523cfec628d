// Creates the task of one key result in the transaction that holds the lock of its objective.
import type { KeyResult, Okr, OkrRun } from '../../model/okr/okr.ts';
import type { Submission } from '../../ports/store/queue.ts';
import type { Rows, SubmitRefusal } from '../../ports/store/store.ts';
import { submissionOf } from '../../tasks/change/component-tasks.ts';
import type { OkrDeps } from '../base/okr-deps.ts';
import { okrTask } from './okr-task.ts';

/** Earlier reports that a prompt quotes. */
const maxReports = 5;

interface ItemStart {
  readonly okr: Okr;
  readonly run: Pick<OkrRun, 'okrId' | 'runId' | 'instructions' | 'taskTemplate' | 'createdBy'>;
  readonly keyResult: KeyResult;
}

export async function submitItem(
  deps: OkrDeps,
  rows: Rows,
  { okr, run, keyResult }: ItemStart,
): Promise<{ readonly submission: Submission } | { readonly refusal: SubmitRefusal }> {
  const reports = await rows.okrRuns.reports(okr.okrId, keyResult.keyResultId, maxReports);
  const submission = submissionOf(deps, okrTask({ okr, keyResult, run, reports, now: deps.now() }), run.createdBy);
  const [refusal] = (await rows.taskMoves.submit([submission])).values();
  return refusal === undefined ? { submission } : { refusal };
}
