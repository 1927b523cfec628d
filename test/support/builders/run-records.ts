// Builds runs, stories and steps with valid values; a test names the fields that it is about.
import type { RunStory } from '../../../src/domain/model/run/run.ts';
import type { StepPlan } from '../../../src/domain/model/run/effect.ts';
import type { StepDescriptor } from '../../../src/domain/model/run/step.ts';
import type { RunConfig } from '../../../src/server/config/service-config.ts';
import type { NewRun } from '../../../src/domain/ports/store/runs.ts';
import { buildPrd, buildPrdRun, buildRunStory } from './prd-run.ts';

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

export function buildNewRun(given: Partial<NewRun> & Pick<NewRun, 'id' | 'codebaseId'>): NewRun {
  const {
    createdAt: _created,
    updatedAt: _updated,
    version: _version,
    lastSeq: _seq,
    ...run
  } = buildPrdRun({
    project: 'shop',
    description: 'Login for the shop.',
    branch: 'ralph/login',
    baseCommit: null,
    headCommit: null,
    status: 'pending',
    prd: buildPrd({ project: 'shop', branchName: 'login', description: 'Login for the shop.' }),
    baseline: null,
    createdBy: 'token:test',
    startedAt: null,
    activeSince: null,
  });
  return { ...run, ...given };
}

/** A story that waits for its run. */
export function buildStory(given: Partial<RunStory> = {}): RunStory {
  return buildRunStory({
    title: 'Log in',
    description: 'A customer logs in.',
    criteria: ['`npm test` passes'],
    status: 'pending',
    phase: null,
    ...given,
  });
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
