// Changes an objective under its lock, for its owner, its creator, and operators. choices-4.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { OkrView } from '../../model/okr/okr.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { OkrDeps } from './okr-deps.ts';
import { lockOkr, requireOkr } from './read-okrs.ts';

/** @throws DomainError not_found; forbidden; what `change` throws */
export function changeOwnedOkr<T>(
  deps: Pick<OkrDeps, 'store' | 'policy'>,
  caller: Caller,
  okrId: string,
  change: (rows: Rows, okr: OkrView) => Promise<T>,
): Promise<T> {
  return changeOwned(deps, caller, {
    async ownerOf(rows) {
      const { owner, createdBy } = await requireOkr(rows, okrId);
      return owner === caller.subject ? owner : createdBy;
    },
    change: async (rows) => change(rows, await lockOkr(rows, okrId)),
  });
}

/** Completes a running objective whose key results are all completed. @returns it as it is now */
export async function settleOkr(rows: Rows, okrId: string): Promise<OkrView> {
  const okr = await requireOkr(rows, okrId);
  const isDone = okr.keyResults.length > 0 && okr.keyResults.every(({ status }) => status === 'completed');
  if (okr.status !== 'running' || !isDone) return okr;
  await rows.okrs.update(okrId, { status: 'completed' });
  return requireOkr(rows, okrId);
}

export function runOpen(): DomainError {
  return new DomainError('conflict', 'run_open', 'A run of this objective is not finished. Wait for it, or cancel it.');
}
