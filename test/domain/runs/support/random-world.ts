// A random world around a simulated run: what workers, people, time and machines may do to it, in any order.
import fc from 'fast-check';
import { unreachable } from '../../../../src/lib/net/unreachable.ts';
import type { OpenStep } from '../../../../src/domain/model/run/snapshot.ts';
import type { StepPlan } from '../../../../src/domain/model/run/effect.ts';
import { isRunOver } from '../../../../src/domain/model/run/run-state.ts';
import type { StepResult } from '../../../../src/domain/model/run/step.ts';
import { commitOf, gateResult, onlineWorker, storyRow } from './run-rows.ts';
import { SimulatedRun, simulateRun } from './simulated-run.ts';
import {
  checkAnswer,
  goodAnswer,
  implementAnswer,
  judgeAnswer,
  landAnswer,
  prepareAnswer,
  publishAnswer,
  redCheck,
} from './step-answers.ts';

/** The events of a world; their numbers choose among the present steps and questions. */
export interface WorldAction {
  readonly kind: 'finish' | 'look' | 'wait' | 'answer' | 'pause' | 'resume' | 'cancel' | 'machine';
  readonly which: number;
  readonly how: number;
}

export const worldActions = fc.array(
  fc.record({
    kind: fc.constantFrom<WorldAction['kind'][]>(
      ...repeat('finish' as const, 24),
      ...repeat('look' as const, 16),
      ...repeat('answer' as const, 6),
      ...repeat('wait' as const, 4),
      ...repeat('machine' as const, 2),
      'pause',
      'resume',
      'resume',
    ),
    which: fc.nat(1000),
    how: fc.nat(1000),
  }),
  { minLength: 5, maxLength: 120 },
);

function repeat<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value);
}

export const worldStart = fc.record({
  stories: fc.integer({ min: 1, max: 5 }),
  edges: fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 5 }),
  isParallel: fc.boolean(),
  maxIterations: fc.integer({ min: 1, max: 4 }),
  hasJudge: fc.boolean(),
  budget: fc.constantFrom(null, 3, 8),
  commitOnPass: fc.boolean(),
  unverifiable: fc.constantFrom('ask' as const, 'accept' as const, 'fail' as const),
  isRetry: fc.boolean(),
});

export function openWorld(start: WorldStart): SimulatedRun {
  const ids = Array.from({ length: start.stories }, (_, index) => `US-${index}`);
  const stories = ids.map((id, index) => {
    // Edges go to earlier stories alone, so there is no cycle.
    const on = start.edges.flatMap(([from, to]) => (from === index && to < index ? [`US-${to}`] : []));
    const criteria = start.hasJudge ? ['Tests pass', 'It is friendly'] : ['Tests pass'];
    return storyRow(id, { criteria, dependsOn: start.edges.length === 0 ? null : [...new Set(on)] });
  });
  return simulateRun({
    stories,
    run: {
      mode: start.isParallel ? 'parallel' : 'sequential',
      maxIterations: start.maxIterations,
      budget: { usd: null, tokens: null, seconds: null, iterations: start.budget },
      options: {
        commitOnPass: start.commitOnPass,
        unverifiable: start.unverifiable,
        agents: ['claude', 'codex'],
        mergeInto: 'main',
        ...(start.isRetry && { base: commitOf('old head'), branchPolicy: 'continue' as const }),
      },
      ...(start.isRetry && { retryOf: '019c0000-0000-7000-8000-00000000000f', homeWorkerId: 'home' }),
    },
  });
}

export interface WorldStart {
  readonly stories: number;
  readonly edges: readonly (readonly [number, number])[];
  readonly isParallel: boolean;
  readonly maxIterations: number;
  readonly hasJudge: boolean;
  readonly budget: number | null;
  readonly commitOnPass: boolean;
  readonly unverifiable: 'ask' | 'accept' | 'fail';
  readonly isRetry: boolean;
}

const pick = <T>(values: readonly T[], index: number): T | undefined => values[index % Math.max(1, values.length)];

export function act(run: SimulatedRun, { kind, which, how }: WorldAction): void {
  if (isRunOver(run.run.status)) return;
  switch (kind) {
    case 'look':
      run.look();
      return;
    case 'wait':
      run.advance(pick([1000, 60_000, 3_600_000, 90_000_000], how) ?? 0);
      return;
    case 'pause':
      run.pause(how % 2 === 0 ? 'now' : 'after_step');
      return;
    case 'resume':
      run.resume();
      return;
    case 'cancel':
      run.cancel();
      return;
    case 'machine':
      changeMachines(run, how);
      return;
    case 'answer': {
      const question = pick(run.openQuestions(), which);
      if (question === undefined) return;
      // Cancelling is tried by a test of its own: here the run is to go on.
      const choice =
        pick(
          question.options.filter((option) => option !== 'cancel'),
          how,
        ) ?? null;
      const raise = { iterations: 1 + (how % 3) };
      const fields = { agent: 'codex', commit: commitOf(`person ${how}`), branch: `ralph/other-${how}` };
      run.writeAnswer(question.id, { choice, text: 'words of a person', raise, ...fields });
      return;
    }
    case 'finish': {
      const live = run.snapshot.openSteps.filter(({ task }) => task?.status === 'pending');
      const open = pick(live, which);
      if (open !== undefined) finish(run, open, how);
    }
  }
}

function changeMachines(run: SimulatedRun, how: number): void {
  const offline = { online: false, offlineSince: run.now.toISOString() };
  const home = onlineWorker('home');
  const other = onlineWorker('other');
  const workers = pick([[home, other], [{ ...home, ...offline }, other], [other], [home]], how);
  run.change({ workers: workers ?? [], ownerActive: how % 5 !== 0, activeRuns: how % 7 === 0 ? 50 : 0 });
}

const infraCodes = [
  'setup_failed',
  'base_missing',
  'disk_full',
  'workspace_lost',
  'model_unreachable',
  'rate_limited',
  'model_refused',
  'bad_model',
  'deadline_exceeded',
];
const agentCodes = ['agent_error', 'agent_exit', 'timeout', 'step_limit', 'token_limit', 'bundle_too_large'];

function finish(run: SimulatedRun, open: OpenStep, how: number): void {
  const { taskId } = open.step;
  const plan = run.planOf(open);
  const workerId = plan.targetWorkerId ?? (how % 2 === 0 ? 'home' : 'other');
  const usage = { input_tokens: 10, output_tokens: 5 };
  const fate = how % 10;
  if (fate === 0) {
    const retryAt = new Date(run.now.getTime() + 300_000).toISOString();
    const error = { code: pick(infraCodes, Math.floor(how / 10)) ?? '', message: 'why', retryAt };
    run.setTask(taskId, { status: 'failed', workerId, error, usage });
  } else if (fate === 1) {
    const error = { code: pick(agentCodes, Math.floor(how / 10)) ?? '', message: 'why' };
    run.setTask(taskId, { status: 'failed', workerId, error, usage });
  } else if (fate === 2) {
    strange(run, taskId, Math.floor(how / 10));
  } else {
    const result = fate <= 5 ? badAnswer(plan, Math.floor(how / 10)) : goodAnswer(plan);
    run.setTask(taskId, { status: 'completed', workerId, result, usage, bundleArtifactId: 'bundle' });
  }
}

function strange(run: SimulatedRun, taskId: string, how: number): void {
  if (how % 4 === 0) run.setTask(taskId, undefined);
  else if (how % 4 === 1) run.setTask(taskId, { status: 'cancelled' });
  else if (how % 4 === 2) run.setTask(taskId, { status: 'completed', result: undefined });
  else run.setTask(taskId, { status: 'needs_input', question: 'which one?' });
}

function badAnswer(plan: StepPlan, how: number): StepResult {
  switch (plan.kind) {
    case 'prepare':
      return prepareAnswer({ baseline: [gateResult({ passed: how % 2 === 0 })], dirty: true });
    case 'implement':
    case 'resolve':
      return (
        pick(
          [
            implementAnswer(plan, { candidate: null }),
            implementAnswer(plan, { blocked: 'cannot be done' }),
            implementAnswer(plan, { asks: 'which one?' }),
            implementAnswer(plan, { candidate: { commit: commitOf('same'), tree: commitOf('same tree') } }),
          ],
          how,
        ) ?? goodAnswer(plan)
      );
    case 'check':
      return (
        pick(
          [
            redCheck(plan, `error of ${how % 3}`),
            redCheck(plan, 'error: the same'),
            checkAnswer(plan, { verdict: 'rejected', code: 'tests_changed', commit: null }),
            checkAnswer(plan, { environment_differs: ['test'], verdict: 'rejected', code: 'gate_failed' }),
            checkAnswer(plan, { no_change: true, commit: null }),
            checkAnswer(plan, { commit: null }),
          ],
          how,
        ) ?? goodAnswer(plan)
      );
    case 'judge':
      return (
        pick(
          [judgeAnswer(plan, 'fail'), judgeAnswer(plan, 'unverifiable'), judgeAnswer(plan, 'pass', { criteria: [] })],
          how,
        ) ?? goodAnswer(plan)
      );
    case 'land':
      return (
        pick(
          [
            landAnswer(plan, { verdict: 'conflict', commit: null, conflicts: [{ path: 'a.ts' }] }),
            landAnswer(plan, { verdict: 'rejected', commit: null, results: [gateResult({ passed: false })] }),
            landAnswer(plan, { parent: commitOf('elsewhere') }),
            landAnswer(plan, { results: [gateResult({ passed: false })] }),
            landAnswer(plan, { same_patch: false }),
            landAnswer(plan, { environment_differs: ['test'], verdict: 'rejected', commit: null }),
          ],
          how,
        ) ?? goodAnswer(plan)
      );
    case 'publish':
      return publishAnswer(plan, { skipped: how % 2 === 0 ? 'moved' : 'checked_out', old: commitOf(`theirs ${how}`) });
    case 'diagnose':
      return goodAnswer(plan);
    default:
      return unreachable(plan.kind);
  }
}

/** The world turns good: machines are there, people answer, steps end well, time passes. The run has to end. */
export function turnGood(run: SimulatedRun): void {
  run.change({ workers: [onlineWorker('home'), onlineWorker('other')], ownerActive: true, activeRuns: 0 });
  if (!isRunOver(run.run.status)) run.resume();
  for (let turn = 0; turn < 400 && !isRunOver(run.run.status); turn++) {
    for (const { step, task } of run.snapshot.openSteps) {
      if (task === undefined || task.status !== 'pending') continue;
      const result = goodAnswer(run.planOf({ step, task }));
      run.setTask(step.taskId, {
        status: 'completed',
        workerId: step.targetWorkerId ?? 'home',
        result,
        bundleArtifactId: 'b',
      });
    }
    for (const question of run.openQuestions()) {
      const benign = ['raise', 'retry', 'accept', 'hint', 'go_on', 'continue', 'ignore'];
      const choice = question.options.find((option) => benign.includes(option)) ?? null;
      run.writeAnswer(question.id, { choice, text: 'go on', raise: { iterations: 10, seconds: 1e9 } });
    }
    run.look();
    if (run.snapshot.openSteps.length === 0 && run.openQuestions().length === 0 && run.run.dueAt !== null)
      run.advanceToDue();
  }
}
