// Reads the snapshot of a locked run.
import type { PrdRun } from '../../model/run/run.ts';
import type { RunSnapshot, StepTask } from '../../model/run/snapshot.ts';
import type { StepResult } from '../../model/run/step.ts';
import type { StepTaskRow } from '../../ports/store/runs.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { DirectorDeps } from './director-deps.ts';

type SnapshotDeps = Pick<DirectorDeps, 'parseStepResult' | 'isKnownOwner' | 'maxActiveRuns' | 'verifier'>;

/** One statement. */
export async function readSnapshot(deps: SnapshotDeps, rows: Rows, run: PrdRun): Promise<RunSnapshot> {
  const { openSteps, ownerActive, ...state } = await rows.runs.state(run);
  return {
    ...state,
    run,
    openSteps: openSteps.map(({ step, task }) => ({ step, task: task === null ? undefined : stepTaskOf(deps, task) })),
    ownerActive: ownerActive && deps.isKnownOwner(run.createdBy),
    maxActiveRuns: deps.maxActiveRuns,
    verifier: deps.verifier,
  };
}

function stepTaskOf(deps: SnapshotDeps, { answer, error, ...task }: StepTaskRow): StepTask {
  return {
    ...task,
    error: error === null ? null : { ...error, retryAt: error.retry_at },
    result: parseAnswer(deps, answer),
  };
}

function parseAnswer({ parseStepResult }: SnapshotDeps, answer: StepTaskRow['answer']): StepResult | undefined {
  if (answer === null) return undefined;
  if (answer.text === undefined) return parseStepResult(answer.data);
  try {
    return parseStepResult(JSON.parse(answer.text));
  } catch {
    return undefined;
  }
}
