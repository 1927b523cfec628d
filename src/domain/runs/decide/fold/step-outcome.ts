// Reads the outcome of an open step from its task. runs-11.
import { unreachable } from '../../../../lib/net/unreachable.ts';
import type { StepKind } from '../../../model/run/run-state.ts';
import type { OpenStep, StepTask } from '../../../model/run/snapshot.ts';
import type { StepResult } from '../../../model/run/step.ts';
import type { InfraFailure } from '../story/infra.ts';

export type OpenStepOutcome =
  | { readonly type: 'running' }
  | { readonly type: 'asks'; readonly text: string }
  | { readonly type: 'answered'; readonly result: StepResult }
  /** The agent failed by itself. */
  | { readonly type: 'agent_failed'; readonly code: string; readonly message: string }
  | ({ readonly type: 'infra' } & InfraFailure);

const agentKinds: readonly StepKind[] = ['implement', 'resolve', 'diagnose'];
/** Codes of an agent's own failure; `bundle_too_large`: its change is too large to be carried. */
const agentCodes: readonly string[] = [
  'agent_error',
  'agent_exit',
  'timeout',
  'step_limit',
  'token_limit',
  'bundle_too_large',
];

/** The outcome of an open or asking step. A task that is gone, or answers something else, is a failure outside the story. */
export function outcomeOf({ step, task }: OpenStep): OpenStepOutcome {
  if (task === undefined) return infra('task_missing', 'The task of the step was deleted.');
  switch (task.status) {
    case 'pending':
    case 'running':
      return { type: 'running' };
    case 'needs_input':
      return { type: 'asks', text: task.question ?? 'The agent asks for input.' };
    case 'cancelled':
      return infra('task_cancelled', 'The task of the step was cancelled.');
    case 'failed':
      return failureOf(step.kind, task);
    case 'completed':
      return task.result !== undefined && fits(step.kind, task.result)
        ? { type: 'answered', result: task.result }
        : infra('bad_step_result', 'The answer of the step does not have the form of its kind.');
    default:
      return unreachable(task.status);
  }
}

function failureOf(kind: StepKind, { error }: StepTask): OpenStepOutcome {
  const code = error?.code ?? 'unknown';
  const message = error?.message ?? 'The task of the step failed without an error.';
  if (agentKinds.includes(kind) && agentCodes.includes(code)) return { type: 'agent_failed', code, message };
  return infra(code, message, error?.retryAt ?? null);
}

function fits(kind: StepKind, result: StepResult): boolean {
  return result.kind === kind || (kind === 'resolve' && result.kind === 'implement');
}

function infra(code: string, message: string, retryAt: string | null = null): OpenStepOutcome {
  return { type: 'infra', code, message, retryAt };
}
