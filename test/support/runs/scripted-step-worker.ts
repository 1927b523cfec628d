// A worker that a test plays: it claims the steps of runs over the worker protocol and answers them by a script.
import { createHash } from 'node:crypto';
import type { GateResultWire, StepDescriptorWire, StepResultWire } from '../../../src/contracts/step.ts';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import type { TestService, TestUser } from '../service.ts';
import { until } from '../until.ts';
import type { RunSite } from './new-run.ts';

/** The end of a step: with an answer, as a failed task, or with a question. */
export type StepEnd =
  | { readonly result: StepResultWire; readonly usage?: Record<string, number> }
  | { readonly failed: { readonly code: string; readonly message: string; readonly retry_at?: string } }
  | { readonly asks: string };

/** Undefined: the step succeeds as `succeed` says. */
export type StepScript = (step: StepDescriptorWire) => StepEnd | undefined;

interface ClaimedStep {
  readonly assignment: AssignmentWire;
  readonly step: StepDescriptorWire;
}

export interface ScriptedStepWorker {
  /** Every step that was answered, in order. */
  readonly seen: StepDescriptorWire[];
  /** Claims one step and answers it. @returns undefined when none waits */
  workOnce(): Promise<StepDescriptorWire | undefined>;
  /** Works until it has claimed a step of this kind, and leaves that one to the test. */
  claimStep(kind: StepDescriptorWire['kind']): Promise<ClaimedStep>;
  release(assignment: AssignmentWire, end: StepEnd): Promise<void>;
  /** Works until the run has one of these statuses. @returns the run as REST answers it */
  // oxlint-disable-next-line typescript/no-explicit-any
  workUntil(runId: string, ...statuses: string[]): Promise<any>;
}

export function scriptStepWorker(
  service: TestService,
  { worker }: RunSite,
  script: StepScript = () => undefined,
  as: TestUser = 'admin',
): ScriptedStepWorker {
  const seen: StepDescriptorWire[] = [];
  const claim = async (): Promise<ClaimedStep | undefined> => {
    const [assignment] = await worker.claim(1);
    if (assignment === undefined) return undefined;
    const { step } = assignment.task;
    if (step === undefined) throw new Error(`the task ${assignment.task.id} is no step`);
    seen.push(step);
    return { assignment, step };
  };
  const release: ScriptedStepWorker['release'] = async (assignment, end) => {
    const { status, body } = await worker.release(assignment, releaseOf(end));
    if (status !== 200) throw new Error(`not released: ${JSON.stringify(body)}`);
  };
  const answer = async ({ assignment, step }: ClaimedStep): Promise<void> =>
    release(assignment, script(step) ?? { result: succeed(step) });
  const workOnce = async (): Promise<StepDescriptorWire | undefined> => {
    const claimed = await claim();
    if (claimed !== undefined) await answer(claimed);
    return claimed?.step;
  };
  return {
    seen,
    workOnce,
    claimStep: (kind) =>
      until(`a step ${kind} to claim`, async () => {
        const claimed = await claim();
        if (claimed === undefined || claimed.step.kind === kind) return claimed;
        await answer(claimed);
        return undefined;
      }),
    release,
    workUntil: (runId, ...statuses) =>
      until(`run ${runId} is ${statuses.join(' or ')}`, async () => {
        await workOnce();
        const { body } = await service.call('GET', `/v1/ralph/runs/${runId}`, { as });
        return statuses.includes(body.run.status) ? body.run : undefined;
      }),
  };
}

function releaseOf(end: StepEnd): Record<string, unknown> {
  if ('failed' in end) return { status: 'failed', error: end.failed };
  if ('asks' in end) return { status: 'needs_input', message: { text: end.asks } };
  const step = { name: 'step', mime_type: 'application/json', data: end.result };
  const bundle = {
    name: 'bundle',
    mime_type: 'application/x-git-bundle',
    bytes: Buffer.from('bundle').toString('base64'),
  };
  const diff = { name: 'diff', mime_type: 'text/x-diff', text: '--- a/x\n+++ b/x\n' };
  const makesCommits = ['implement', 'resolve', 'check', 'land', 'publish'].includes(end.result.kind);
  return {
    status: 'completed',
    result: end.result.kind,
    artifacts: makesCommits ? [step, bundle, diff] : [step],
    ...(end.usage === undefined ? {} : { usage: end.usage }),
  };
}

/** An object id that is the same for the same words. */
export function fakeCommit(...words: (string | number | null)[]): string {
  return createHash('sha1').update(words.join(' ')).digest('hex');
}

/** The answer with which a step succeeds. */
export function succeed(step: StepDescriptorWire): StepResultWire {
  const { run_id, story_id, n } = step;
  switch (step.kind) {
    case 'prepare':
      return prepared(step);
    case 'implement':
    case 'resolve':
      return {
        kind: step.kind,
        agent: 'claude',
        candidate: {
          commit: fakeCommit('candidate', run_id, story_id, n),
          tree: fakeCommit('tree', run_id, story_id, n),
        },
        changed: [{ path: 'src/login.ts', status: 'modified', added: 3, removed: 1 }],
        notes: '',
        patterns: [],
        blocked: null,
        asks: null,
        summary: `Did ${story_id ?? ''}.`,
      };
    case 'check':
      return checked(step);
    case 'judge':
      return {
        kind: 'judge',
        criteria: step.criteria.map(({ index }) => ({
          index,
          verdict: 'pass',
          quotes: [{ path: 'src/login.ts', line: 1, text: 'x', holds: true }],
          reason: 'It is there.',
        })),
        agent: 'codex',
        same_agent: false,
      };
    case 'land':
      return {
        kind: 'land',
        parent: step.head ?? step.base,
        commit: fakeCommit('landed', run_id, story_id, n),
        tree: fakeCommit('landed tree', run_id, story_id, n),
        results: resultsOf(step, () => true),
        conflicts: [],
        environment_differs: [],
        same_patch: true,
        verdict: 'ok',
        code: null,
      };
    case 'diagnose':
      return { kind: 'diagnose', advice: 'Try it another way.' };
    case 'publish':
      return {
        kind: 'publish',
        branch: step.branch,
        old: step.old_head,
        new: step.head ?? step.base,
        pushed: null,
        skipped: null,
        merge_note: null,
      };
    default:
      throw new Error(`unknown kind ${String(step.kind)}`);
  }
}

function prepared(step: StepDescriptorWire): StepResultWire {
  const detected = {
    id: 'test',
    command: 'npm test',
    script: 'vitest run',
    source: 'detected',
    required: true,
    timeout_seconds: null,
    network: null,
  } as const;
  const gates = step.gates ?? [detected];
  return {
    kind: 'prepare',
    base_commit: fakeCommit('base', step.run_id),
    branch_exists: false,
    branch_commit: null,
    dirty: false,
    gates,
    setup: step.setup ?? [],
    hashes: {},
    baseline: gates.map(({ id, command }) => gateResult(id, null, command, true)),
    checks_before: step.checks.map((check) => ({ ...check, passed: false })),
    notes: [],
  };
}

function checked(step: StepDescriptorWire): StepResultWire {
  const { run_id, story_id, n } = step;
  return {
    ...rejected(step, 'gate_failed', () => true),
    commit: fakeCommit('commit', run_id, story_id, n),
    verdict: 'ok',
    code: null,
  };
}

/** A check that rejects its candidate. @param passes says which commands pass */
export function rejected(
  step: StepDescriptorWire,
  code: string,
  passes: (command: string) => boolean,
): Extract<StepResultWire, { kind: 'check' }> {
  const { run_id, story_id, n } = step;
  return {
    kind: 'check',
    commit: null,
    tree: fakeCommit('tree', run_id, story_id, n),
    results: resultsOf(step, passes),
    protected: [],
    protected_diff: '',
    failing_base_tests: [],
    fewer_tests: null,
    suppressions: [],
    no_change: false,
    environment_differs: [],
    verdict: 'rejected',
    code,
  };
}

function resultsOf(step: StepDescriptorWire, passes: (command: string) => boolean): GateResultWire[] {
  return [
    ...(step.gates ?? []).map(({ id, command }) => gateResult(id, null, command, passes(command))),
    ...step.checks.map(({ criterion, command }) => ({
      ...gateResult(null, criterion, command, passes(command)),
      before: 'failed' as const,
    })),
  ];
}

function gateResult(gateId: string | null, criterion: number | null, command: string, passed: boolean): GateResultWire {
  return {
    gate_id: gateId,
    criterion,
    command,
    exit_code: passed ? 0 : 1,
    passed,
    flaky: false,
    timed_out: false,
    seconds: 1.5,
    counts: { passed: passed ? 3 : 2, failed: passed ? 0 : 1, skipped: 0 },
    tail: passed ? 'ok' : 'expected 2, got 3 (src/sum.test.ts:12)',
  };
}
