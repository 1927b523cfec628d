// The verbs cancel, pause and resume of runs, and the commit of what waits for it. runs-6.1.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { RunView } from '../read/run-view.ts';
import { assertRunGoesOn, changeRun } from './change-run.ts';
import type { RunDeps } from './run-deps.ts';

type Deps = Pick<RunDeps, 'store' | 'policy' | 'decisions'>;

/**
 * Cancels a run; its live tasks end in the same transaction, and what has landed stays.
 * @throws DomainError not_found, forbidden, conflict (`run_finished`)
 */
export async function cancelRun(deps: Deps, caller: Caller, runId: string, reason?: string): Promise<RunView> {
  const { view } = await changeRun(deps, caller, runId, {
    change: (_rows, run) => Promise.resolve(assertRunGoesOn(run)),
    wish: { wish: 'cancel', reason: reason ?? `cancelled by ${caller.name}` },
  });
  return view;
}

/**
 * Pauses a run: no further step starts. `after_step` lets running steps end, `now` ends them too and spends no iteration.
 * A paused run takes `now` after `after_step`.
 * @throws DomainError not_found, forbidden, conflict (`run_finished`)
 */
export async function pauseRun(
  deps: Deps,
  caller: Caller,
  runId: string,
  mode: 'after_step' | 'now',
): Promise<RunView> {
  const { view } = await changeRun(deps, caller, runId, {
    change: (_rows, run) => Promise.resolve(assertRunGoesOn(run)),
    wish: { wish: 'pause', mode },
  });
  return view;
}

/** Resumes a paused run. @throws DomainError not_found, forbidden, conflict (`run_finished`, `not_paused`) */
export async function resumeRun(deps: Deps, caller: Caller, runId: string): Promise<RunView> {
  const { view } = await changeRun(deps, caller, runId, {
    change: (_rows, run) => {
      assertRunGoesOn(run);
      if (run.status === 'paused') return Promise.resolve();
      throw new DomainError('conflict', 'not_paused', `This run is ${run.status}. Only a paused run can be resumed.`);
    },
    wish: { wish: 'resume' },
  });
  return view;
}

/**
 * Puts the commits of stories that wait for it on the branch, of a run that is over too. Without such stories it changes
 * nothing.
 * @throws DomainError not_found, forbidden
 */
export async function commitRun(deps: Deps, caller: Caller, runId: string): Promise<RunView> {
  const { view } = await changeRun(deps, caller, runId, { change: () => Promise.resolve(), wish: { wish: 'commit' } });
  return view;
}
