// Reads the snapshot of a locked run.
import type { PrdRun } from '../../model/run/run.ts';
import type { RunSnapshot, StepTask } from '../../model/run/snapshot.ts';
import type { StepResult } from '../../model/run/step.ts';
import type { StepTaskRow } from '../../ports/store/runs.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { DirectorDeps } from './director-deps.ts';
import { decideOwner } from './owner-verdict.ts';

/** A locked run, and what is known of its owner. */
export interface RunInTenant {
  readonly tenantId: string;
  readonly run: PrdRun;
  /** Undefined: the verdict is found with the snapshot. */
  readonly ownerMayAct?: boolean | undefined;
}

/** One statement. @throws OwnerUndecided */
export async function readSnapshot(deps: DirectorDeps, rows: Rows, given: RunInTenant): Promise<RunSnapshot> {
  const { tenantId, run, ownerMayAct } = given;
  const { openSteps, owner, ...state } = await rows.runs.state(run);
  return {
    ...state,
    run,
    openSteps: openSteps.map(({ step, task }) => ({ step, task: task === null ? undefined : stepTaskOf(deps, task) })),
    ownerActive: ownerMayAct ?? decideOwner(deps, tenantId, run, owner),
    maxActiveRuns: deps.maxActiveRuns,
    verifier: deps.verifier,
  };
}

function stepTaskOf(deps: DirectorDeps, { answer, error, ...task }: StepTaskRow): StepTask {
  return {
    ...task,
    error: error === null ? null : { ...error, retryAt: error.retry_at },
    result: parseAnswer(deps, answer),
  };
}

function parseAnswer({ parseStepResult }: DirectorDeps, answer: StepTaskRow['answer']): StepResult | undefined {
  if (answer === null) return undefined;
  if (answer.text === undefined) return parseStepResult(answer.data);
  try {
    return parseStepResult(JSON.parse(answer.text));
  } catch {
    return undefined;
  }
}
