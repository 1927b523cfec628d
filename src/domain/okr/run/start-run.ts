// The verb that starts a run: a task for each open key result, or for the first one. platform-4.
import { definedMembers } from '../../../lib/json/defined-members.ts';
import { describeActor } from '../../access/acting-owner.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { KeyResult, OkrRun, OkrRunItem, OkrTaskTemplate, OkrView } from '../../model/okr/okr.ts';
import type { IdempotencyKey, Submission } from '../../ports/store/queue.ts';
import type { Rows } from '../../ports/store/store.ts';
import { announceMoves, noTaskMoves, type TaskMoves } from '../../tasks/change/component-tasks.ts';
import { checkTaskTemplate, requireTemplateTargets } from '../../tasks/routing/check-template.ts';
import { keyReused } from '../../tasks/submit.ts';
import { changeOwnedOkr, runOpen } from '../base/change-owned-okr.ts';
import type { OkrDeps } from '../base/okr-deps.ts';
import { keyResultOf } from '../base/read-okrs.ts';
import { submitItem } from './submit-item.ts';

export interface OkrRunRequest {
  /** Undefined: every open one. */
  readonly keyResultIds: readonly string[] | undefined;
  readonly mode: OkrRun['mode'];
  readonly instructions: string | null;
  /** Laid over the one of the objective. */
  readonly taskTemplate: OkrTaskTemplate | undefined;
}

/**
 * @throws DomainError not_found (objective, key result, codebase, worker); forbidden; key_reused; conflict `run_open`,
 *   `okr_not_approved`, `nothing_to_do`
 */
export async function startOkrRun(
  deps: OkrDeps,
  caller: Caller,
  okrId: string,
  request: OkrRunRequest,
  idempotency: IdempotencyKey | undefined,
): Promise<{ readonly run: OkrRun; readonly replayed: boolean }> {
  if (request.taskTemplate !== undefined) checkTaskTemplate(deps, request.taskTemplate);
  const runId = deps.makeId();
  const { moves, ...started } = await changeOwnedOkr(deps, caller, okrId, async (rows, okr) => {
    if (idempotency !== undefined) {
      const repeat = await rows.repeats.claimKey(runId, caller.subject, idempotency);
      if (repeat.verdict === 'key_reused') throw keyReused();
      const earlier = repeat.verdict === 'repeated' ? await rows.okrRuns.find(okrId, repeat.taskId) : undefined;
      if (earlier !== undefined) return { run: earlier, replayed: true, moves: noTaskMoves };
    }
    const moved = await start(deps, rows, { caller, okr, runId, request });
    const run = await rows.okrRuns.find(okrId, runId);
    if (run === undefined) throw new Error('a run is gone that this transaction wrote');
    return { run, replayed: false, moves: moved };
  });
  announceMoves(deps.wake, caller.tenantId, moves);
  return started;
}

interface Start {
  readonly caller: Caller;
  readonly okr: OkrView;
  readonly runId: string;
  readonly request: OkrRunRequest;
}

async function start(deps: OkrDeps, rows: Rows, { caller, okr, runId, request }: Start): Promise<TaskMoves> {
  const { okrId } = okr;
  if (okr.status !== 'approved' && okr.status !== 'running') throw notApproved(okr);
  if (okr.openRunId !== null) throw runOpen();
  const keyResults = chosenKeyResults(okr, request.keyResultIds);
  const taskTemplate =
    okr.taskTemplate === null && request.taskTemplate === undefined
      ? null
      : { ...okr.taskTemplate, ...definedMembers(request.taskTemplate ?? {}) };
  await requireTemplateTargets(rows, taskTemplate ?? {});
  const { mode, instructions } = request;
  const run = { okrId, runId, status: 'pending', mode, instructions, taskTemplate, createdBy: caller.subject } as const;
  const items: OkrRunItem[] = [];
  const created: Submission[] = [];
  for (const keyResult of keyResults) {
    const { keyResultId, progress } = keyResult;
    const item = { keyResultId, summary: null, evidence: [], progressBefore: progress, progressAfter: null };
    if (mode === 'sequential' && created.length > 0) items.push({ ...item, taskId: null, status: 'pending' });
    else {
      const submitted = await submitItem(deps, rows, { okr, run, keyResult });
      if ('refusal' in submitted) throw notFound(submitted.refusal === 'no_such_codebase' ? 'codebase' : 'worker');
      created.push(submitted.submission);
      items.push({ ...item, taskId: submitted.submission.id, status: 'running' });
    }
  }
  await rows.okrRuns.insert({ ...run, items, actsAs: await describeActor(rows, caller) });
  if (okr.status === 'approved') await rows.okrs.update(okrId, { status: 'running' });
  return { ...noTaskMoves, created };
}

/** @throws DomainError not_found; conflict */
function chosenKeyResults(okr: OkrView, ids: readonly string[] | undefined): readonly KeyResult[] {
  const chosen = ids === undefined ? okr.keyResults : [...new Set(ids)].map((id) => keyResultOf(okr, id));
  const open = chosen.filter(({ status }) => status !== 'completed');
  if (open.length > 0) return open;
  throw new DomainError('conflict', 'nothing_to_do', 'None of these key results is open. Add one, or choose another.');
}

function notApproved({ status }: OkrView): DomainError {
  return new DomainError(
    'conflict',
    'okr_not_approved',
    `The objective is ${status}. A run needs one that is approved.`,
  );
}
