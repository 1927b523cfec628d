// The verbs that create, change, move and delete key results. platform-4.
import { definedMembers } from '../../../lib/json/defined-members.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import { moveKeyResult, restartUnder, type KeyResultMove } from '../../model/okr/move-key-result.ts';
import { hasEnded, isPlanOpen } from '../../model/okr/okr-moves.ts';
import type { KeyResult, KeyResultPlan, KeyResultState, OkrView } from '../../model/okr/okr.ts';
import type { Rows } from '../../ports/store/store.ts';
import { changeOwnedOkr, settleOkr } from '../base/change-owned-okr.ts';
import type { OkrDeps } from '../base/okr-deps.ts';
import { keyResultOf, requireOkr } from '../base/read-okrs.ts';

const maxKeyResults = 100;

export interface KeyResultInput extends KeyResultPlan {
  /** Undefined: behind the others. */
  readonly position?: number | undefined;
  readonly move: KeyResultMove;
}

const untouched: KeyResultState = { current: null, progress: 0, status: 'not-started', statusReason: null };

/** In the caller's transaction, which holds the lock of the objective. @throws DomainError as `moveKeyResult` */
export async function addKeyResult(
  { makeId }: Pick<OkrDeps, 'makeId'>,
  rows: Rows,
  okrId: string,
  { title, weight, measure, position = 0, move }: KeyResultInput,
): Promise<string> {
  const keyResultId = makeId();
  const state = moveKeyResult({ ...untouched, measure }, move);
  await rows.okrs.addKeyResult({ okrId, keyResultId, title, weight, measure, position, ...state });
  return keyResultId;
}

/** @throws DomainError not_found; forbidden; invalid; conflict `okr_running`, `too_many_key_results`, `measured` */
export function createKeyResult(
  deps: OkrDeps,
  caller: Caller,
  okrId: string,
  input: KeyResultInput,
): Promise<KeyResult> {
  return changeOwnedOkr(deps, caller, okrId, async (rows, okr) => {
    requireOpenPlan(okr);
    if (okr.keyResults.length >= maxKeyResults) throw tooManyKeyResults();
    const last = Math.max(-1, ...okr.keyResults.map(({ position }) => position));
    const position = input.position ?? last + 1;
    const keyResultId = await addKeyResult(deps, rows, okrId, { ...input, position });
    return keyResultOf(await requireOkr(rows, okrId), keyResultId);
  });
}

/** A change of a key result; undefined fields stay as they are. */
export type KeyResultEdit = { readonly [Field in keyof KeyResultPlan]?: KeyResultPlan[Field] | undefined } & {
  readonly position?: number | undefined;
  readonly move: KeyResultMove;
};

/**
 * Changes a key result and moves it. The last one that is completed completes a running objective.
 * @throws DomainError not_found; forbidden; invalid; conflict `okr_running`, `invalid_transition`, `measured`
 */
export function updateKeyResult(
  deps: OkrDeps,
  caller: Caller,
  { okrId, keyResultId }: Pick<KeyResult, 'okrId' | 'keyResultId'>,
  { move, position, ...fields }: KeyResultEdit,
): Promise<KeyResult> {
  return changeOwnedOkr(deps, caller, okrId, async (rows, okr) => {
    const before = keyResultOf(okr, keyResultId);
    const plan = definedMembers(fields);
    if (Object.keys(plan).length > 0) requireOpenPlan(okr);
    if (isMove(move)) requireOpen(okr);
    const measure = plan.measure ?? before.measure;
    const restarted = plan.measure === undefined ? before : { ...before, ...restartUnder(before, measure) };
    const { current, progress, status, statusReason } = moveKeyResult({ ...restarted, measure }, move);
    const place = definedMembers({ position });
    const change = { ...plan, ...place, current, progress, status, statusReason };
    await rows.okrs.updateKeyResult({ okrId, keyResultId }, change);
    return keyResultOf(await settleOkr(rows, okrId), keyResultId);
  });
}

function isMove(move: KeyResultMove): boolean {
  return Object.values(move).some((value) => value !== undefined);
}

/** @throws DomainError not_found; forbidden; conflict `okr_running` */
export function deleteKeyResult(
  deps: OkrDeps,
  caller: Caller,
  { okrId, keyResultId }: Pick<KeyResult, 'okrId' | 'keyResultId'>,
): Promise<KeyResult> {
  return changeOwnedOkr(deps, caller, okrId, async (rows, okr) => {
    const keyResult = keyResultOf(okr, keyResultId);
    requireOpenPlan(okr);
    await rows.okrs.deleteKeyResult({ okrId, keyResultId });
    return keyResult;
  });
}

/** @throws DomainError conflict */
function requireOpenPlan({ status }: OkrView): void {
  if (isPlanOpen(status)) return;
  throw new DomainError(
    'conflict',
    'okr_running',
    `The objective is ${status}: title, measure, weight and the set of its key results no longer change.`,
  );
}

/** @throws DomainError conflict */
function requireOpen({ status }: OkrView): void {
  if (!hasEnded(status)) return;
  throw new DomainError(
    'conflict',
    'invalid_transition',
    `The objective is ${status}: its key results no longer move.`,
  );
}

function tooManyKeyResults(): DomainError {
  return new DomainError(
    'conflict',
    'too_many_key_results',
    `This objective has ${maxKeyResults} key results, which is the most. Delete one first.`,
  );
}
