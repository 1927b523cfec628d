// Changes a run for one caller: finds the owner, locks the run, makes the change, and lets the director decide. choices-4.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { PrdRun } from '../../model/run/run.ts';
import { isRunOver } from '../../model/run/run-state.ts';
import type { Rows } from '../../ports/store/store.ts';
import { withOwnerVerdict } from '../director/owner-verdict.ts';
import { lockRun, requireRun } from '../read/require-run.ts';
import { readRunView, type RunView } from '../read/run-view.ts';
import type { RunDeps, RunWish } from './run-deps.ts';

type Deps = Pick<RunDeps, 'store' | 'policy' | 'decisions'>;

export interface RunUpdate<T> {
  /** Gets the locked run. Its result is that of `changeRun`. It may be called again after its transaction was rolled back. */
  readonly change: (rows: Rows, run: PrdRun) => Promise<T>;
  /** The wish that the director then decides about in the same transaction; undefined: none. */
  readonly wish?: RunWish | undefined;
}

/**
 * @returns the result of the change, and the run as it is after it
 * @throws DomainError not_found; forbidden (another's, and the caller is no operator); what `change` throws
 */
export async function changeRun<T>(
  deps: Deps,
  caller: Caller,
  runId: string,
  { change, wish }: RunUpdate<T>,
): Promise<{ readonly result: T; readonly view: RunView }> {
  const { announce, ...changed } = await withOwnerVerdict((ownerMayAct) =>
    changeOwned(deps, caller, {
      ownerOf: async (rows) => (await requireRun(rows, runId)).createdBy,
      change: async (rows) => {
        const result = await change(rows, await lockRun(rows, runId));
        const announceChanges =
          wish === undefined ? undefined : await deps.decisions.settle(rows, caller, runId, wish, ownerMayAct);
        return { result, view: await readRunView(rows, await requireRun(rows, runId)), announce: announceChanges };
      },
    }),
  );
  announce?.();
  return changed;
}

/** @throws DomainError conflict (`run_finished`) for a run that is over */
export function assertRunGoesOn({ status }: PrdRun): void {
  if (!isRunOver(status)) return;
  throw new DomainError(
    'conflict',
    'run_finished',
    `This run is ${status} and cannot change. Retry it as a new run instead.`,
  );
}

/** @throws DomainError conflict (`run_not_finished`) for a run that is not over */
export function assertRunIsOver({ status }: PrdRun, purpose: string): void {
  if (isRunOver(status)) return;
  throw new DomainError('conflict', 'run_not_finished', `This run is ${status}. ${purpose}`);
}
