// Builds the parts of a run for tests of functions that take them.
import type { Prd } from '../../../src/domain/model/prd/prd.ts';
import type { PrdRun, RunLearning, RunOptions, RunStory, StoryAttempt } from '../../../src/domain/model/run/run.ts';
import type { RunSnapshot } from '../../../src/domain/model/run/snapshot.ts';

const at = '2026-01-01T10:00:00.000Z';

export function buildPrd(fields: Partial<Prd> = {}): Prd {
  return {
    project: 'Shop',
    branchName: 'shop',
    description: 'A shop.',
    userStories: [],
    gates: null,
    setup: null,
    copy: [],
    protect: [],
    nonGoals: [],
    openQuestions: [],
    metadata: {},
    ...fields,
  };
}

export const defaultRunOptions: RunOptions = {
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
};

/** A running run whose gates were read at the base. */
export function buildPrdRun(fields: Partial<PrdRun> = {}): PrdRun {
  return {
    id: '019b0000-0000-7000-8000-000000000001',
    codebaseId: 'shop',
    project: 'Shop',
    description: 'A shop.',
    branch: 'ralph/shop',
    baseCommit: 'a'.repeat(40),
    headCommit: 'a'.repeat(40),
    publishedCommit: null,
    homeWorkerId: null,
    status: 'running',
    pauseMode: null,
    mode: 'sequential',
    maxParallel: 1,
    maxIterations: 5,
    currentIteration: 0,
    prd: buildPrd(),
    baseline: { gates: [], setup: [], hashes: {}, results: [], checksBefore: [] },
    options: defaultRunOptions,
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
    createdBy: 'editor',
    keyId: null,
    actsAs: null,
    baseBundles: [],
    createdAt: at,
    updatedAt: at,
    startedAt: at,
    completedAt: null,
    activeSince: at,
    dueAt: null,
    version: 1,
    lastSeq: 0,
    ...fields,
  };
}

export function buildRunStory(fields: Partial<RunStory> = {}): RunStory {
  return {
    storyId: 'US-001',
    position: 0,
    title: 'Add a price',
    description: 'Articles have a price.',
    criteria: ['A price is shown'],
    priority: null,
    dependsOn: null,
    checks: [],
    allowTestChanges: false,
    agent: null,
    model: null,
    status: 'running',
    phase: 'implementing',
    iteration: 0,
    extraIterations: 0,
    commit: null,
    result: '',
    wait: null,
    conflicts: 0,
    diagnoses: 0,
    passedAt: null,
    carriedFrom: null,
    ...fields,
  };
}

export function buildLearning(fields: Partial<RunLearning> = {}): RunLearning {
  return {
    id: crypto.randomUUID(),
    storyId: 'US-001',
    n: 1,
    kind: 'failure',
    author: 'director',
    text: 'it failed',
    at,
    ...fields,
  };
}

export function buildStoryAttempt(fields: Partial<StoryAttempt> = {}): StoryAttempt {
  return {
    storyId: 'US-001',
    n: 1,
    try: 1,
    status: 'open',
    baseCommit: 'a'.repeat(40),
    candidateCommit: null,
    candidateTree: null,
    storyCommit: null,
    failureCode: null,
    fingerprint: null,
    summary: '',
    agent: null,
    promptSha256: null,
    startedAt: at,
    endedAt: null,
    ...fields,
  };
}

export function buildSnapshot(fields: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    run: buildPrdRun(),
    stories: [buildRunStory()],
    attempts: [],
    openSteps: [],
    endedSteps: [],
    questions: [],
    evidence: [],
    workers: [],
    activeRuns: 0,
    maxActiveRuns: 50,
    ownerActive: true,
    verifier: { agent: null, model: null },
    ...fields,
  };
}
