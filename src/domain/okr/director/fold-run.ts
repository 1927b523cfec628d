// Looks at one open run: folds ended tasks, starts the next one of a sequential run, and ends it. platform-4.
import { mayStillAct } from '../../access/acting-owner.ts';
import { systemCaller } from '../../access/system-caller.ts';
import type { OkrRun, OkrRunError, OkrRunItem, OkrRunStatus, OkrView } from '../../model/okr/okr.ts';
import type { DueOkrRun } from '../../ports/store/cross-tenant-queries.ts';
import type { Submission } from '../../ports/store/queue.ts';
import type { Rows, SubmitRefusal } from '../../ports/store/store.ts';
import { announceMoves, noTaskMoves } from '../../tasks/change/component-tasks.ts';
import { settleOkr } from '../base/change-owned-okr.ts';
import type { OkrDirectorDeps } from '../base/okr-deps.ts';
import { foldItems } from '../run/fold-items.ts';
import { submitItem } from '../run/submit-item.ts';

interface Looked {
  readonly status: OkrRunStatus;
  readonly ended: readonly OkrRunItem[];
  readonly created: readonly Submission[];
}

/** Safe on every replica at once: the objective is locked. @returns whether anything has changed */
export async function foldOkrRun(deps: OkrDirectorDeps, due: DueOkrRun): Promise<boolean> {
  const { tenantId, okrId, runId } = due;
  const run = await deps.store.within({ tenantId }, (rows) => rows.okrRuns.find(okrId, runId));
  if (run === undefined || run.endedAt !== null) return false;
  // The policy may be another server: it is asked before anything is locked.
  const makesTasks = run.items.some(({ status }) => status === 'pending');
  const ownerMayAct = !makesTasks || (await mayStillAct(deps, tenantId, run.createdBy, run.actsAs));
  const resource = `/v1/okr/${okrId}/runs/${runId}`;
  const about = { action: 'okr.fold', resource };
  const looked = await deps.audit.change(systemCaller(tenantId, 'okr_director'), about, async (caller) => {
    const value = await deps.store.within(caller, (rows) => look(deps, rows, due, ownerMayAct));
    return { value, changed: value && describe(value) };
  });
  if (looked === undefined) return false;
  announceMoves(deps.wake, tenantId, { ...noTaskMoves, created: looked.created });
  return true;
}

function describe({ status, ended, created }: Looked): Readonly<Record<string, unknown>> {
  const items = ended.map((item) => ({
    key_result_id: item.keyResultId,
    task_id: item.taskId,
    status: item.status,
    progress_before: item.progressBefore,
    progress_after: item.progressAfter,
  }));
  return { run_status: status, items, created: created.map(({ id }) => id) };
}

/** @returns undefined when nothing has changed */
async function look(
  deps: OkrDirectorDeps,
  rows: Rows,
  { okrId, runId }: DueOkrRun,
  ownerMayAct: boolean,
): Promise<Looked | undefined> {
  const okr = await rows.okrs.lock(okrId);
  const run = await rows.okrRuns.find(okrId, runId);
  if (okr === undefined || run === undefined || run.endedAt !== null) return undefined;
  const { items: folded, ended } = await foldItems(deps, rows, okr, run);
  const now = ended.length > 0 ? await settleOkr(rows, okrId) : okr;
  const next = await startNext(deps, rows, now, { ...run, items: folded }, ownerMayAct);
  const { created, error } = next;
  const status = statusOf(run, next.items, ended.length > 0 || (await hasBegun(rows, next.items)));
  if (ended.length === 0 && created.length === 0 && status === run.status) return undefined;
  await rows.okrRuns.update(run, { items: next.items, status, ...(error === undefined ? {} : { error }) });
  if (status !== 'pending' && status !== 'running') deps.metrics.runEnded(status);
  return { status, ended, created };
}

async function hasBegun(rows: Rows, items: readonly OkrRunItem[]): Promise<boolean> {
  for (const { status, taskId } of items) {
    if (status !== 'pending' && status !== 'running') return true;
    const task = taskId === null ? undefined : await rows.tasks.find(taskId);
    if (task !== undefined && task.status !== 'pending') return true;
  }
  return false;
}

function statusOf(run: OkrRun, items: readonly OkrRunItem[], begun: boolean): OkrRunStatus {
  if (items.some(({ status }) => status === 'pending' || status === 'running')) return begun ? 'running' : run.status;
  return items.every(({ status }) => status === 'completed' || status === 'unreported') ? 'completed' : 'failed';
}

interface Next {
  readonly items: readonly OkrRunItem[];
  readonly created: readonly Submission[];
  readonly error: OkrRunError | undefined;
}

/** Starts the next key result of a sequential run, when none is at work. */
async function startNext(
  deps: OkrDirectorDeps,
  rows: Rows,
  okr: OkrView,
  run: OkrRun,
  ownerMayAct: boolean,
): Promise<Next> {
  const items = [...run.items];
  for (const [at, item] of run.items.entries()) {
    if (items.some(({ status }) => status === 'running')) break;
    if (item.status !== 'pending') continue;
    const keyResult = okr.keyResults.find(({ keyResultId }) => keyResultId === item.keyResultId);
    if (keyResult === undefined || keyResult.status === 'completed') {
      const progressAfter = keyResult?.progress ?? item.progressBefore;
      items[at] = { ...item, status: 'completed', summary: 'Completed before its turn.', progressAfter };
      continue;
    }
    if (!ownerMayAct) return stop(items, ownerDisabled);
    const submitted = await submitItem(deps, rows, { okr, run, keyResult });
    if ('refusal' in submitted) return stop(items, refusalError(submitted.refusal));
    const { submission } = submitted;
    items[at] = { ...item, taskId: submission.id, status: 'running', progressBefore: keyResult.progress };
    return { items, created: [submission], error: undefined };
  }
  return { items, created: [], error: undefined };
}

/** No further task can be made: what has not begun is cancelled. */
function stop(items: readonly OkrRunItem[], error: OkrRunError): Next {
  const ended = items.map((item): OkrRunItem =>
    item.status === 'pending'
      ? { ...item, status: 'cancelled', summary: error.message, progressAfter: item.progressBefore }
      : item,
  );
  return { items: ended, created: [], error };
}

const ownerDisabled: OkrRunError = {
  code: 'owner_disabled',
  message:
    'The creator of this run can no longer create tasks: it is disabled, lacks tasks:write, or its key is revoked.',
};

function refusalError(refusal: SubmitRefusal): OkrRunError {
  return refusal === 'no_such_codebase'
    ? { code: 'codebase_gone', message: 'The codebase of this run was removed. Start a run that names another one.' }
    : { code: 'worker_gone', message: 'The worker of this run was removed. Start a run that names another one.' };
}
