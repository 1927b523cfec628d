// Builds runs, stories and steps with valid values; a test names the fields that it is about.
import type { Prd } from '../../../src/domain/model/prd/prd.ts';
import type { RunStory } from '../../../src/domain/model/run/run.ts';
import type { StepPlan } from '../../../src/domain/model/run/effect.ts';
import type { StepDescriptor } from '../../../src/domain/model/run/step.ts';
import type { RunConfig } from '../../../src/server/config/service-config.ts';
import type { NewRun } from '../../../src/domain/ports/store/runs.ts';

const someRunId = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';

export function buildStepDescriptor(given: Partial<StepDescriptor> = {}): StepDescriptor {
  return {
    kind: 'implement',
    run_id: someRunId,
    story_id: 'US-001',
    n: 1,
    created_at: '2026-01-02T03:04:05.678Z',
    base: 'a'.repeat(40),
    run_base: 'a'.repeat(40),
    branch: 'ralph/login',
    branch_policy: 'new',
    fetch: [],
    keep_ref: `refs/switchyard/runs/${someRunId}/US-001/1`,
    setup: [],
    copy: [],
    gates: [],
    checks: [],
    hashes: {},
    protect: [],
    allow_test_changes: false,
    strict: false,
    baseline: [],
    checks_before: [],
    progress: '',
    commit_progress: false,
    timeout_seconds: null,
    bundle_max_bytes: 67_108_864,
    candidate: null,
    head: null,
    old_head: null,
    commit: null,
    criteria: [],
    implementer: null,
    last: false,
    merge_into: null,
    ...given,
  };
}

const somePrd: Prd = {
  project: 'shop',
  branchName: 'login',
  description: 'Login for the shop.',
  userStories: [],
  gates: null,
  setup: null,
  copy: [],
  protect: [],
  nonGoals: [],
  openQuestions: [],
  metadata: {},
};

export function buildNewRun(given: Partial<NewRun> & Pick<NewRun, 'id' | 'codebaseId'>): NewRun {
  return {
    project: 'shop',
    description: 'Login for the shop.',
    branch: 'ralph/login',
    baseCommit: null,
    headCommit: null,
    publishedCommit: null,
    homeWorkerId: null,
    status: 'pending',
    pauseMode: null,
    mode: 'sequential',
    maxParallel: 1,
    maxIterations: 5,
    currentIteration: 0,
    prd: somePrd,
    baseline: null,
    options: {
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
      bundleMaxBytes: 67_108_864,
    },
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
    createdBy: 'token:test',
    startedAt: null,
    completedAt: null,
    activeSince: null,
    dueAt: null,
    ...given,
  };
}

export function buildStory(given: Partial<RunStory> = {}): RunStory {
  return {
    storyId: 'US-001',
    position: 0,
    title: 'Log in',
    description: 'A customer logs in.',
    criteria: ['`npm test` passes'],
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

export function buildStepPlan(given: Partial<StepPlan> = {}): StepPlan {
  return {
    kind: 'implement',
    storyId: 'US-001',
    n: 1,
    try: 1,
    base: 'a'.repeat(40),
    candidate: null,
    head: null,
    agent: null,
    model: null,
    targetWorkerId: null,
    infraTries: 0,
    criteria: [],
    oldHead: null,
    last: false,
    ...given,
  };
}

/** The defaults of the settings. */
export const testRunConfig: RunConfig = {
  enabled: true,
  maxIterations: 5,
  commitOnPass: true,
  branchPrefix: 'ralph/',
  maxParallel: 3,
  maxActiveRuns: 50,
  maxRunSeconds: 86_400,
  commitProgress: false,
  verifier: { agent: null, model: null },
  chatAgent: undefined,
  bundleMaxBytes: 67_108_864,
  retentionDays: 365,
};
