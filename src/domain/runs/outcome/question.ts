// The questions that a run asks, each with its text, its options, and what a person needs to answer. runs-5.
import { cutText } from '../../../lib/text/cut-text.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import type { RunBudget, RunQuestion, RunSpent, RunStory, StoryAttempt } from '../../model/run/run.ts';
import type { QuestionKind, StepKind } from '../../model/run/run-state.ts';
import type { CheckResult, GateResult, JudgeVerdict, PublishResult } from '../../model/run/step.ts';
import { failureLine } from './failing-lines.ts';

export type NewRunQuestion = Pick<RunQuestion, 'kind' | 'storyId' | 'text' | 'options' | 'data'>;

/** The choices of each kind; `agent` takes free text. */
export const questionOptions: Readonly<Record<QuestionKind, readonly string[]>> = {
  baseline_red: ['fix_first', 'ignore', 'cancel'],
  infra: ['retry', 'other_agent', 'cancel'],
  agent_setup: ['retry', 'other_agent', 'cancel'],
  approve_tests: ['accept', 'reject', 'allow'],
  unverifiable: ['accept', 'reject'],
  blocked: ['hint', 'remove_story', 'give_up', 'cancel'],
  stuck: ['hint', 'remove_story', 'give_up', 'cancel'],
  conflict: ['retry', 'take', 'give_up'],
  budget: ['raise', 'finish', 'cancel'],
  unpriced: ['raise', 'go_on', 'finish', 'cancel'],
  branch_moved: ['continue', 'rename', 'cancel'],
  agent: [],
};

function question(
  kind: QuestionKind,
  storyId: string | null,
  text: string,
  data: Readonly<Record<string, unknown>>,
): NewRunQuestion {
  return { kind, storyId, text: cutText(plainText(text).trim(), 8000), options: questionOptions[kind], data };
}

/** @param red the required gates that fail at the base */
export function askBaselineRed(red: readonly GateResult[]): NewRunQuestion {
  const commands = red.map(({ command, exit_code }) => `\`${command}\` (exit ${exit_code ?? 'none'})`).join(', ');
  const failures = red.map(({ tail }) => failureLine(tail)).filter((line) => line !== '');
  const text = [`Required gates fail before the work begins: ${commands}.`, ...failures].join('\n');
  return question('baseline_red', null, text, {
    gates: red.map(({ gate_id, command, exit_code, tail }) => ({ gate_id, command, exit_code, tail })),
  });
}

/** The step that failed, why, and how often. */
export interface FailedStepFacts {
  readonly kind: StepKind;
  readonly storyId: string | null;
  readonly n: number;
  readonly taskId: string;
  readonly code: string;
  readonly message: string;
  readonly tries: number;
}

/** A step that failed for reasons outside the story. `setup_failed`: the message has the command and its last lines. */
export function askInfra(facts: FailedStepFacts): NewRunQuestion {
  const text = `The step ${facts.kind} failed (${facts.code}), ${facts.tries} in a row: ${facts.message}`;
  return question('infra', facts.storyId, text, stepData(facts));
}

/** An agent that is missing, or whose credentials or model are refused. */
export function askAgentSetup(facts: FailedStepFacts): NewRunQuestion {
  const text = `The agent of the step ${facts.kind} cannot work (${facts.code}): ${facts.message}`;
  return question('agent_setup', facts.storyId, text, stepData(facts));
}

function stepData({ kind, n, taskId, code, tries }: FailedStepFacts): Record<string, unknown> {
  return { step: kind, n, task_id: taskId, code, tries };
}

export function askApproveTests(story: RunStory, attempt: StoryAttempt, result: CheckResult): NewRunQuestion {
  const changed = result.protected.filter(({ verdict }) => verdict === 'tests_changed').map(({ path }) => path);
  const text = `Iteration ${attempt.n} changed ${changed.join(', ')}; the old tests fail on the new code.`;
  return question('approve_tests', story.storyId, text, {
    n: attempt.n,
    paths: changed,
    diff: result.protected_diff,
    failing: result.failing_base_tests,
    allowed_before: story.allowTestChanges,
  });
}

export function askUnverifiable(story: RunStory, attempt: StoryAttempt, open: readonly JudgeVerdict[]): NewRunQuestion {
  const criteria = open.map(({ index, reason }) => ({ index, text: story.criteria[index] ?? '', reason }));
  const list = criteria.map(({ index, text }) => `${index + 1}. ${text}`).join('\n');
  return question('unverifiable', story.storyId, `The reviewer cannot tell whether these criteria hold:\n${list}`, {
    n: attempt.n,
    criteria,
  });
}

export function askBlocked(story: RunStory, n: number, reason: string): NewRunQuestion {
  return question('blocked', story.storyId, `The agent reports again that ${story.storyId} cannot be done: ${reason}`, {
    n,
  });
}

/** @param sameness `same_tree`, `same_failure` or `no_change` */
export function askStuck(story: RunStory, n: number, sameness: string, sentence: string): NewRunQuestion {
  return question('stuck', story.storyId, `${story.storyId} does not get on (${sameness}): ${sentence}`, {
    n,
    reason: sameness,
  });
}

export function askConflict(story: RunStory, attempt: StoryAttempt, head: string, what: string): NewRunQuestion {
  const text = `The work on ${story.storyId} does not go together with what has landed: ${what}`;
  return question('conflict', story.storyId, text, { n: attempt.n, candidate: attempt.candidateCommit, head });
}

export function askBudget(spent: RunSpent, budget: RunBudget, reached: readonly string[]): NewRunQuestion {
  return question('budget', null, `The budget is used up: ${reached.join(', ')}. Nothing new starts.`, {
    spent,
    budget,
    reached,
  });
}

export function askUnpriced(spent: RunSpent, budget: RunBudget): NewRunQuestion {
  const text = 'An agent reports no cost, so the USD budget cannot be enforced. The amount spent is a lower bound.';
  return question('unpriced', null, text, { spent, budget });
}

/** The branch of the user stands elsewhere, or is checked out. */
export function askBranchMoved(result: PublishResult): NewRunQuestion {
  const moved = result.old === null ? 'was deleted' : `was moved to ${result.old.slice(0, 7)}`;
  const what = result.skipped === 'checked_out' ? 'is checked out' : moved;
  return question('branch_moved', null, `The branch ${result.branch} ${what}, so it was not changed.`, {
    reason: result.skipped,
    branch: result.branch,
    found: result.old,
    wanted: result.new,
  });
}

/** Their commits on the branch do not go together with those of the run. */
export function askBranchAgain(branch: string, found: string, wanted: string, why: string): NewRunQuestion {
  const text = `The commits that were put on ${branch} do not go together with those of the run: ${why}`;
  return question('branch_moved', null, text, { reason: 'moved', branch, found, wanted });
}

/** @param taskId null: the step is over, and the answer is for the next attempt */
export function askForAgent(
  storyId: string | null,
  step: { readonly id: string; readonly n: number; readonly taskId: string },
  taskAsks: boolean,
  text: string,
): NewRunQuestion {
  return question('agent', storyId, text, { step_id: step.id, n: step.n, task_id: taskAsks ? step.taskId : null });
}
