// Rows of a run for tests: each builder gives a whole row, with the given fields in it.
import { createHash } from 'node:crypto';
import type { PrdRun, RunAnswer, RunOptions, RunStory } from '../../../../src/domain/model/run/run.ts';
import type { GateResult, StepGate } from '../../../../src/domain/model/run/step.ts';
import type { RunWorker } from '../../../../src/domain/model/run/snapshot.ts';

export const startOfRun = new Date('2026-03-01T08:00:00.000Z');

/** A commit or tree id that a name always gives. */
export function commitOf(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}

export const baseCommit = commitOf('base');

export function storyRow(storyId: string, given: Partial<RunStory> = {}): RunStory {
  return {
    storyId,
    position: 0,
    title: `Title of ${storyId}`,
    description: '',
    criteria: ['Tests pass'],
    priority: null,
    dependsOn: null,
    checks: [],
    allowTestChanges: false,
    agent: null,
    model: null,
    status: 'pending',
    phase: null,
    iteration: 0,
    extraIterations: 0,
    commit: null,
    result: '',
    wait: null,
    conflicts: 0,
    diagnoses: 0,
    passedAt: null,
    carriedFrom: null,
    ...given,
  };
}

const options: RunOptions = {
  base: null,
  branchPolicy: 'new',
  agents: [],
  model: null,
  verifier: { agent: null, model: null },
  baseline: 'ask',
  unverifiable: 'ask',
  iterationTimeoutSeconds: null,
  mergeInto: null,
  strict: false,
  commitOnPass: true,
  commitProgress: false,
  maxRunSeconds: 86_400,
  bundleMaxBytes: 1_000_000,
};

export function runRow(given: Partial<Omit<PrdRun, 'options'>> & { options?: Partial<RunOptions> } = {}): PrdRun {
  const at = startOfRun.toISOString();
  return {
    id: '019c0000-0000-7000-8000-000000000001',
    codebaseId: 'codebase',
    project: 'project',
    description: '',
    branch: 'ralph/feature',
    baseCommit: null,
    headCommit: null,
    publishedCommit: null,
    homeWorkerId: null,
    status: 'pending',
    pauseMode: null,
    mode: 'sequential',
    maxParallel: 3,
    maxIterations: 3,
    currentIteration: 0,
    prd: {
      project: 'project',
      branchName: 'feature',
      description: '',
      userStories: [],
      gates: null,
      setup: null,
      copy: [],
      protect: [],
      nonGoals: [],
      openQuestions: [],
      metadata: {},
    },
    baseline: null,
    budget: { usd: null, tokens: null, seconds: null, iterations: null },
    spent: { usd: null, tokens: 0, seconds: 0, iterations: 0, unpricedSteps: 0 },
    budgetShare: 0,
    acceptsUnpriced: false,
    priority: 0,
    webhookUrl: null,
    conversationId: null,
    retryOf: null,
    prdSessionId: null,
    prdVersion: null,
    warnings: [],
    waitingReason: null,
    error: null,
    createdBy: 'owner',
    createdAt: at,
    updatedAt: at,
    startedAt: null,
    completedAt: null,
    activeSince: null,
    dueAt: at,
    version: 1,
    lastSeq: 0,
    ...given,
    options: { ...options, ...given.options },
  };
}

export const testGate: StepGate = {
  id: 'test',
  command: 'npm test',
  script: 'vitest run',
  source: 'detected',
  required: true,
  timeout_seconds: null,
  network: null,
};

export function gateResult(given: Partial<GateResult> = {}): GateResult {
  const passed = given.passed ?? true;
  return {
    gate_id: 'test',
    criterion: null,
    command: 'npm test',
    exit_code: passed ? 0 : 1,
    passed,
    flaky: false,
    timed_out: false,
    seconds: 1,
    tail: passed ? 'ok' : 'AssertionError: expected 2, got 3\n    at src/sum.test.ts:12:5',
    ...given,
  };
}

export function onlineWorker(workerId: string, agents: readonly string[] = ['claude', 'codex']): RunWorker {
  return { workerId, online: true, offlineSince: null, agents };
}

export function answerRow(given: Partial<RunAnswer>): RunAnswer {
  return { choice: null, choices: {}, text: '', agent: null, commit: null, branch: null, raise: {}, ...given };
}
