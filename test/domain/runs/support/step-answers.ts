// Answers of the workers of a simulated run: each builder gives a good answer, with the given fields in it.
import { unreachable } from '../../../../src/lib/net/unreachable.ts';
import type { StepPlan } from '../../../../src/domain/model/run/effect.ts';
import type {
  CheckResult,
  ImplementResult,
  JudgeResult,
  LandResult,
  PrepareResult,
  PublishResult,
  StepResult,
} from '../../../../src/domain/model/run/step.ts';
import { baseCommit, commitOf, gateResult, testGate } from './run-rows.ts';

const nameOf = (plan: StepPlan): string => `${plan.storyId ?? 'run'}-${plan.n}-${plan.try}`;

export function prepareAnswer(given: Partial<PrepareResult> = {}): PrepareResult {
  return {
    kind: 'prepare',
    base_commit: baseCommit,
    branch_exists: false,
    branch_commit: null,
    dirty: false,
    gates: [testGate],
    setup: [],
    hashes: {},
    baseline: [gateResult()],
    checks_before: [],
    notes: [],
    ...given,
  };
}

export function implementAnswer(plan: StepPlan, given: Partial<ImplementResult> = {}): ImplementResult {
  const name = `${plan.kind} ${nameOf(plan)}`;
  return {
    kind: plan.kind === 'resolve' ? 'resolve' : 'implement',
    agent: plan.agent ?? 'claude',
    candidate: { commit: commitOf(`${name} candidate`), tree: commitOf(`${name} tree`) },
    changed: [],
    notes: '',
    patterns: [],
    blocked: null,
    asks: null,
    summary: 'done',
    ...given,
  };
}

export function checkAnswer(plan: StepPlan, given: Partial<CheckResult> = {}): CheckResult {
  const name = `check ${nameOf(plan)} on ${plan.base}`;
  return {
    kind: 'check',
    commit: commitOf(name),
    tree: commitOf(`${name} tree`),
    results: [gateResult()],
    protected: [],
    protected_diff: '',
    failing_base_tests: [],
    fewer_tests: null,
    suppressions: [],
    no_change: plan.candidate === null,
    environment_differs: [],
    verdict: 'ok',
    code: null,
    ...given,
  };
}

/** A check that the required gate rejects. */
export function redCheck(plan: StepPlan, tail: string): CheckResult {
  const results = [gateResult({ passed: false, tail })];
  return checkAnswer(plan, { commit: null, results, verdict: 'rejected', code: 'gate_failed' });
}

export function judgeAnswer(
  plan: StepPlan,
  verdict: 'pass' | 'fail' | 'unverifiable' = 'pass',
  given: Partial<JudgeResult> = {},
): JudgeResult {
  const quotes = [{ path: 'src/sum.ts', line: 1, text: 'a + b', holds: true }];
  return {
    kind: 'judge',
    criteria: plan.criteria.map((index) => ({ index, verdict, quotes, reason: `criterion ${index} ${verdict}` })),
    agent: plan.agent ?? 'claude',
    same_agent: false,
    ...given,
  };
}

export function landAnswer(plan: StepPlan, given: Partial<LandResult> = {}): LandResult {
  const name = `land ${nameOf(plan)} on ${plan.head ?? ''}`;
  return {
    kind: 'land',
    parent: plan.head ?? '',
    commit: commitOf(name),
    tree: commitOf(`${name} tree`),
    results: [gateResult()],
    conflicts: [],
    environment_differs: [],
    same_patch: true,
    verdict: 'ok',
    code: null,
    ...given,
  };
}

export function publishAnswer(plan: StepPlan, given: Partial<PublishResult> = {}): PublishResult {
  return {
    kind: 'publish',
    branch: 'ralph/feature',
    old: plan.oldHead,
    new: plan.head ?? '',
    pushed: null,
    skipped: null,
    merge_note: null,
    ...given,
  };
}

/** The answer with which the run gets on. */
export function goodAnswer(plan: StepPlan): StepResult {
  switch (plan.kind) {
    case 'prepare':
      return prepareAnswer();
    case 'implement':
    case 'resolve':
      return implementAnswer(plan);
    case 'check':
      return checkAnswer(plan);
    case 'judge':
      return judgeAnswer(plan);
    case 'land':
      return landAnswer(plan);
    case 'diagnose':
      return { kind: 'diagnose', advice: 'try another way' };
    case 'publish':
      return publishAnswer(plan);
    default:
      return unreachable(plan.kind);
  }
}
