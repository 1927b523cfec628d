// The end of a step: its answer, or the release of a task whose agent failed, asks or was stopped.
import type { StepResultWire } from '../../../contracts/step.ts';
import type { NewArtifact } from '../../../contracts/worker.ts';
import type { TaskOutcome } from '../../report/task-outcome.ts';

export type StepEnding =
  | {
      readonly result: StepResultWire;
      readonly artifacts?: readonly NewArtifact[];
      readonly usage?: TaskOutcome['usage'];
    }
  | { readonly release: TaskOutcome };

/** An attempt that was ended from outside: the queue knows the reason. */
export function stoppedEnding(signal: AbortSignal): StepEnding {
  return { release: { status: signal.reason === 'cancelled' ? 'cancelled' : 'pending' } };
}
