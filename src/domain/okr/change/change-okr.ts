// The verbs that create, change, decide and delete objectives. platform-4.
import { definedMembers } from '../../../lib/json/defined-members.ts';
import { permit } from '../../access/permit.ts';
import type { Caller } from '../../model/access/caller.ts';
import { changedMeanwhile, DomainError } from '../../model/errors.ts';
import { okrMoves } from '../../model/okr/okr-moves.ts';
import type { OkrSettings, OkrStatus, OkrTaskTemplate, OkrView } from '../../model/okr/okr.ts';
import type { OkrChange } from '../../ports/store/okr/okrs.ts';
import type { Rows } from '../../ports/store/store.ts';
import { announceMoves, noTaskMoves, type TaskMoves } from '../../tasks/change/component-tasks.ts';
import { checkTaskTemplate, requireTemplateTargets } from '../../tasks/routing/check-template.ts';
import { invalidField } from '../../tasks/routing/invalid-field.ts';
import { cancelOpenRun } from '../run/cancel-run.ts';
import { addKeyResult, type KeyResultInput } from './change-key-result.ts';
import { changeOwnedOkr, runOpen, settleOkr } from '../base/change-owned-okr.ts';
import type { OkrDeps } from '../base/okr-deps.ts';
import { requireOkr } from '../base/read-okrs.ts';

export type NewOkr = Omit<OkrSettings, 'owner'> & {
  /** Undefined: the caller. */
  readonly owner: string | undefined;
  readonly keyResults: readonly KeyResultInput[];
};

/**
 * @throws DomainError invalid (a field of a key result or the template); not_found (codebase, worker); conflict `measured`;
 *   forbidden: a task template needs `tasks:write`
 */
export async function createOkr(deps: OkrDeps, caller: Caller, okr: NewOkr): Promise<OkrView> {
  const { keyResults, ...settings } = okr;
  await checkTemplate(deps, caller, settings.taskTemplate);
  const okrId = deps.makeId();
  return deps.store.within(caller, async (rows) => {
    await requireTemplateTargets(rows, settings.taskTemplate ?? {});
    const owner = settings.owner ?? caller.subject;
    await rows.okrs.insert({ ...settings, owner, okrId, createdBy: caller.subject });
    for (const [position, keyResult] of keyResults.entries()) {
      await addKeyResult(deps, rows, okrId, { ...keyResult, position: keyResult.position ?? position });
    }
    return requireOkr(rows, okrId);
  });
}

/** A template acts later, in the tasks of runs. choices-4. */
async function checkTemplate(
  deps: OkrDeps,
  caller: Caller,
  template: OkrTaskTemplate | null | undefined,
): Promise<void> {
  if (template === null || template === undefined) return;
  await permit(deps.policy, caller, 'tasks:write');
  checkTaskTemplate(deps, template);
}

/** A change of an objective; undefined fields stay as they are. */
export type OkrEdit = { readonly [Field in keyof OkrSettings]?: OkrSettings[Field] | undefined } & {
  readonly status?: OkrStatus | undefined;
  /** Why it is approved or denied. */
  readonly reason?: string | undefined;
};

/**
 * Changes an objective and its status. Denying a running one cancels its open run.
 * @param version the version that the caller has read; undefined: any
 * @throws DomainError as `createOkr`; conflict `changed_meanwhile`, `invalid_transition`, `key_results_open`
 */
export async function updateOkr(
  deps: OkrDeps,
  caller: Caller,
  okrId: string,
  edit: OkrEdit,
  version: number | undefined,
): Promise<OkrView> {
  const { status, reason, ...fields } = edit;
  const settings = definedMembers(fields);
  if (reason !== undefined && status !== 'approved' && status !== 'denied') {
    throw invalidField('/reason', 'belongs to the status approved or denied');
  }
  await checkTemplate(deps, caller, settings.taskTemplate);
  const { moves, okr } = await changeOwnedOkr(deps, caller, okrId, async (rows, before) => {
    if (version !== undefined && version !== before.version) throw changedMeanwhile('objective');
    await requireTemplateTargets(rows, settings.taskTemplate ?? {});
    const isMove = status !== undefined && status !== before.status;
    const change = isMove ? { ...settings, ...moveTo(before, status, caller, reason) } : settings;
    await rows.okrs.update(okrId, change);
    const cancelled = isMove && status === 'denied' ? await endOpenRun(deps, rows, before) : noTaskMoves;
    return { moves: cancelled, okr: await settleOkr(rows, okrId) };
  });
  announceMoves(deps.wake, caller.tenantId, moves);
  return okr;
}

async function endOpenRun(deps: OkrDeps, rows: Rows, { okrId, openRunId }: OkrView): Promise<TaskMoves> {
  const run = openRunId === null ? undefined : await rows.okrRuns.find(okrId, openRunId);
  return run === undefined ? noTaskMoves : cancelOpenRun(deps, rows, run);
}

/** @throws DomainError conflict */
function moveTo(
  { status, keyResults }: OkrView,
  next: OkrStatus,
  caller: Caller,
  reason: string | undefined,
): OkrChange {
  if (!okrMoves[status].includes(next)) {
    const possible = okrMoves[status].join(' or ');
    const what = possible === '' ? 'It has ended.' : `It can become ${possible}.`;
    throw new DomainError('conflict', 'invalid_transition', `A ${status} objective cannot become ${next}. ${what}`);
  }
  const open = keyResults.filter((keyResult) => keyResult.status !== 'completed');
  if (next === 'completed' && open.length > 0) {
    throw new DomainError(
      'conflict',
      'key_results_open',
      `${open.length} of ${keyResults.length} key results are not completed. Complete them first, or deny the objective.`,
    );
  }
  if (next !== 'approved' && next !== 'denied') return { status: next };
  return { status: next, decision: { decidedBy: caller.subject, decisionReason: reason ?? null } };
}

/** Deletes an objective with its key results and runs; their tasks stay. @throws DomainError not_found; forbidden; conflict `run_open` */
export function deleteOkr(deps: OkrDeps, caller: Caller, okrId: string): Promise<OkrView> {
  return changeOwnedOkr(deps, caller, okrId, async (rows, okr) => {
    if (okr.openRunId !== null) throw runOpen();
    await rows.okrs.delete(okrId);
    return okr;
  });
}
