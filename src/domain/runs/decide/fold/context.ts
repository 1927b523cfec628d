// A finished step with the rows that its result changes.
import type { RunStep, RunStory, StoryAttempt } from '../../../model/run/run.ts';
import type { StepTask } from '../../../model/run/snapshot.ts';
import type { GateResult, StepResult } from '../../../model/run/step.ts';
import type { EvidenceContext } from '../../outcome/evidence-rows.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { addWarnings } from '../draft/warnings.ts';
import { waitAfterInfra } from '../story/infra.ts';

export interface FoldContext {
  readonly draft: RunDraft;
  readonly step: RunStep;
  readonly task: StepTask | undefined;
}

/** The step of a running story, with the attempt that it belongs to. */
export interface StoryFold extends FoldContext {
  readonly story: RunStory;
  readonly attempt: StoryAttempt;
}

/** Closes the step with its answer. */
export function closeAs({ draft, step, task }: FoldContext, status: 'ok' | 'rejected', code: string | null): void {
  close({ draft, step, task }, status, code, task?.result ?? null);
}

/** Closes the step without an answer. */
export function closeUnanswered(context: FoldContext, status: 'infra' | 'rejected' | 'cancelled', code: string): void {
  close(context, status, code, null);
}

function close(
  { draft, step, task }: FoldContext,
  status: 'ok' | 'rejected' | 'infra' | 'cancelled',
  code: string | null,
  result: StepResult | null,
): void {
  draft.closeStep({
    stepId: step.id,
    status,
    code,
    result,
    workerId: task?.workerId ?? null,
    bundleArtifactId: task?.bundleArtifactId ?? null,
  });
}

/** An unusable answer: the same step again. */
export function rejectAnswer(fold: StoryFold, message: string): void {
  closeUnanswered(fold, 'infra', 'bad_step_result');
  waitAfterInfra(fold.draft, fold.story, fold.step, { code: 'bad_step_result', message, retryAt: null });
}

/** Reports the outcome of each gate to followers, and flaky commands to people. */
export function reportGates({ draft, step }: FoldContext, results: readonly GateResult[]): void {
  // Those of prepare are among its notes.
  const repeated = step.storyId === null ? [] : results.filter((result) => result.flaky);
  const subject = step.storyId ?? '';
  addWarnings(
    draft,
    repeated.map(({ command }) => ({
      code: 'flaky',
      message: `${subject}: \`${command}\` failed, and passed when it was run again.`,
    })),
  );
  for (const result of results) {
    if (result.gate_id === null) continue;
    const { gate_id, exit_code, passed, seconds, counts, flaky } = result;
    draft.event('gate', {
      story_id: step.storyId,
      n: step.n,
      gate_id,
      exit_code,
      passed,
      seconds,
      ...(counts !== undefined && { counts }),
      ...(flaky && { flaky }),
    });
  }
}

export function evidenceContext({ step, task, story, attempt }: StoryFold, commit: string): EvidenceContext {
  const { storyId } = story;
  return { storyId, n: attempt.n, commit, taskId: step.taskId, artifactId: task?.bundleArtifactId ?? null };
}
