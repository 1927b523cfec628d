// Conversions of runs to their wire shapes, and of the choices of their creators from them. They hold no rules.
import type { RunOptionFields } from '../../../contracts/ralph/create-run.ts';
import type {
  CriterionResultWire,
  RunGateWire,
  RunQuestionWire,
  RunWire,
  StoryResultWire,
} from '../../../contracts/ralph/run.ts';
import type { PrdGate } from '../../../domain/model/prd/prd.ts';
import type { PrdRun, RunQuestion, RunWarning } from '../../../domain/model/run/run.ts';
import type { StepGate } from '../../../domain/model/run/step.ts';
import type { RunChoices } from '../../../domain/runs/change/run-choices.ts';
import type { CriterionView, RunView, StoryView } from '../../../domain/runs/read/run-view.ts';

export function runToWire({ run, stories, questions }: RunView): RunWire {
  const inStatus = (status: StoryResultWire['status']): number =>
    stories.filter(({ story }) => story.status === status).length;
  return {
    run_id: run.id,
    status: run.status,
    current_iteration: run.currentIteration,
    max_iterations: run.maxIterations,
    story_results: stories.map(storyResultToWire),
    project: run.project,
    branch_name: run.branch,
    description: run.description,
    codebase_id: run.codebaseId,
    mode: run.mode,
    max_parallel: run.maxParallel,
    base_commit: run.baseCommit,
    head_commit: run.headCommit,
    stories: {
      total: stories.length,
      pending: inStatus('pending'),
      running: inStatus('running'),
      passed: inStatus('passed'),
      failed: inStatus('failed'),
    },
    questions: questions.map(questionToWire),
    gates: gatesToWire(run),
    budget: { ...run.budget },
    spent: spentToWire(run),
    warnings: run.warnings.map(warningToWire),
    waiting_reason: run.waitingReason ?? undefined,
    error: run.error,
    retry_of: run.retryOf,
    prd_session_id: run.prdSessionId,
    conversation_id: run.conversationId,
    created_by: run.createdBy,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    started_at: run.startedAt,
    completed_at: run.completedAt,
  };
}

export function spentToWire({ spent }: PrdRun): RunWire['spent'] {
  return {
    usd: spent.usd,
    tokens: spent.tokens,
    seconds: spent.seconds,
    iterations: spent.iterations,
    unpriced_steps: spent.unpricedSteps,
  };
}

export function warningToWire({ code, path, message }: RunWarning): RunWire['warnings'][number] {
  return { code, path, message };
}

export function questionToWire({ id, kind, storyId, text, options, data, askedAt }: RunQuestion): RunQuestionWire {
  return {
    question_id: id,
    kind,
    story_id: storyId,
    text,
    options: [...options],
    data: { ...data },
    asked_at: askedAt,
    expires: null,
  };
}

export function storyResultToWire({ story, criteria, queuePosition, lastOutput }: StoryView): StoryResultWire {
  return {
    story_id: story.storyId,
    status: story.status,
    result: story.result,
    title: story.title,
    phase: story.phase,
    iteration: story.iteration,
    commit: story.commit,
    criteria: criteria.map(criterionToWire),
    queue_position: queuePosition ?? undefined,
    waiting_reason: story.wait?.reason,
    last_output: lastOutput ?? undefined,
  };
}

export function criterionToWire({ index, text, evidence }: CriterionView): CriterionResultWire {
  if (evidence === undefined) return { index, text, status: 'pending', by: null };
  const { status, by, command, before, exitCode, seconds, counts, vacuous, flaky, commit, taskId } = evidence;
  const ofCommand = by === 'gate' || by === 'check';
  return {
    index,
    text,
    status,
    by,
    command: command ?? undefined,
    before: ofCommand ? before : undefined,
    exit_code: ofCommand ? exitCode : undefined,
    seconds: seconds ?? undefined,
    counts: counts ?? undefined,
    vacuous: vacuous || undefined,
    flaky: flaky || undefined,
    commit: commit ?? undefined,
    task_id: taskId ?? undefined,
  };
}

function gatesToWire({ baseline, prd }: PrdRun): RunGateWire[] {
  if (baseline === null) return (prd.gates ?? []).map(declaredGateToWire);
  return baseline.gates.map((gate) => {
    const result = baseline.results.find(({ gate_id }) => gate_id === gate.id);
    return {
      ...pinnedGateToWire(gate),
      baseline:
        result === undefined ? null : { passed: result.passed, exit_code: result.exit_code, seconds: result.seconds },
    };
  });
}

function declaredGateToWire({ id, command, timeoutSeconds, required, network }: PrdGate): RunGateWire {
  const pinned = { script: null, source: 'declared', baseline: null } as const;
  return { id, command, required, timeout_seconds: timeoutSeconds, network, ...pinned };
}

function pinnedGateToWire(gate: StepGate): Omit<RunGateWire, 'baseline'> {
  const { id, command, script, source, required, timeout_seconds, network } = gate;
  return { id, command, script, source, required, timeout_seconds, network };
}

export function choicesFromWire(options: RunOptionFields): RunChoices {
  return {
    maxIterations: options.max_iterations,
    mode: options.mode,
    maxParallel: options.max_parallel,
    base: options.base,
    branchPolicy: options.branch_policy,
    agents: agentsFromWire(options.agent),
    model: options.model,
    verifier: options.verifier,
    gates: options.gates,
    setup: options.setup,
    copy: options.copy,
    baseline: options.baseline,
    unverifiable: options.unverifiable,
    strict: options.strict,
    budget: options.budget,
    iterationTimeoutSeconds: options.iteration_timeout_seconds,
    mergeInto: options.merge?.into,
    priority: options.priority,
    webhookUrl: options.webhook_url,
    conversationId: options.conversation_id,
  };
}

export function agentsFromWire(agent: RunOptionFields['agent']): readonly string[] | undefined {
  return typeof agent === 'string' ? [agent] : agent;
}
