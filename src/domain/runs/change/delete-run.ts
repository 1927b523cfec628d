// The verb delete of runs: removes a finished run with all its records. runs-6.1.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { lockRun, requireRun } from '../read/require-run.ts';
import { assertRunIsOver } from './change-run.ts';
import type { RunDeps } from './run-deps.ts';

/** @throws DomainError not_found, forbidden, conflict (`run_not_finished`) */
export function deleteRun(deps: Pick<RunDeps, 'store' | 'policy'>, caller: Caller, runId: string): Promise<void> {
  return changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireRun(rows, runId)).createdBy,
    change: async (rows) => {
      assertRunIsOver(await lockRun(rows, runId), 'Cancel it before you delete it.');
      await rows.runs.delete(runId);
    },
  });
}
