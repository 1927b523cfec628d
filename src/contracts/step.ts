// Wire shapes of the steps of a run: the descriptor in `task.step`, and the artifact `step` with the answer. runs-8.
import { z } from 'zod';
import { id, timestamp } from './common.ts';

export const stepKind = z.enum(['prepare', 'implement', 'check', 'judge', 'land', 'resolve', 'diagnose', 'publish']);

const commitId = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const path = z.string().min(1).max(4096);
const criterion = z.int().min(0).nullable();

export const stepGate = z.strictObject({
  id: z.string().min(1).max(200),
  command: z.string().min(1).max(10_000),
  script: z.string().max(64_000).nullable(),
  source: z.enum(['declared', 'detected']),
  required: z.boolean(),
  timeout_seconds: z.number().positive().nullable(),
  network: z.boolean().nullable(),
});
export type StepGateWire = z.infer<typeof stepGate>;

export const testCounts = z.strictObject({
  passed: z.int().min(0),
  failed: z.int().min(0),
  skipped: z.int().min(0),
});
export type TestCountsWire = z.infer<typeof testCounts>;

export const gateResult = z.strictObject({
  gate_id: z.string().nullable(),
  criterion,
  command: z.string(),
  exit_code: z.int().nullable(),
  passed: z.boolean(),
  flaky: z.boolean(),
  timed_out: z.boolean(),
  seconds: z.number().min(0),
  counts: testCounts.optional(),
  tail: z.string().max(16_384),
  before: z.enum(['failed', 'passed', 'unknown']).optional(),
});
export type GateResultWire = z.infer<typeof gateResult>;

const checkCommand = z.strictObject({ story_id: z.string(), criterion, command: z.string().min(1).max(10_000) });
const checkBefore = checkCommand.extend({ passed: z.boolean() });
const hashes = z.record(z.string(), z.string());

/** The work of one step; members that a kind does not use are empty. */
export const stepDescriptor = z.strictObject({
  kind: stepKind,
  run_id: id,
  story_id: z.string().nullable(),
  n: z.int().min(0),
  created_at: timestamp,
  base: z.string(),
  run_base: z.string(),
  branch: z.string(),
  branch_policy: z.enum(['new', 'continue']),
  fetch: z.array(
    z.union([
      z.strictObject({ task_id: id, artifact_id: z.string(), commit: commitId }),
      z.strictObject({ run_id: id, commit: commitId }),
    ]),
  ),
  keep_ref: z.string(),
  setup: z.array(z.string()).nullable(),
  copy: z.array(path),
  gates: z.array(stepGate).nullable(),
  checks: z.array(checkCommand),
  hashes,
  protect: z.array(z.string()),
  allow_test_changes: z.union([z.boolean(), z.array(z.string())]),
  strict: z.boolean(),
  baseline: z.array(gateResult),
  checks_before: z.array(checkBefore),
  progress: z.string(),
  commit_progress: z.boolean(),
  timeout_seconds: z.number().positive().nullable(),
  bundle_max_bytes: z.int().positive(),
  candidate: commitId.nullable(),
  head: commitId.nullable(),
  old_head: commitId.nullable(),
  commit: z
    .strictObject({
      subject: z.string(),
      body: z.string(),
      run_id: z.string(),
      story_id: z.string(),
      iteration: z.int(),
      task_id: z.string(),
    })
    .nullable(),
  criteria: z.array(z.strictObject({ index: z.int().min(0), text: z.string() })),
  implementer: z.string().nullable(),
  last: z.boolean(),
  merge_into: z.string().nullable(),
});
export type StepDescriptorWire = z.infer<typeof stepDescriptor>;

const changedFile = z.strictObject({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed']),
  added: z.int().nullable(),
  removed: z.int().nullable(),
});
const protectedFile = z.strictObject({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted']),
  verdict: z.enum(['accepted', 'tests_changed', 'gate_changed']),
});
const texts = z.array(z.string().max(20_000)).max(1000);

const prepareResult = z.strictObject({
  kind: z.literal('prepare'),
  base_commit: commitId,
  branch_exists: z.boolean(),
  branch_commit: commitId.nullable().default(null),
  dirty: z.boolean(),
  gates: z.array(stepGate),
  setup: z.array(z.string()),
  hashes,
  baseline: z.array(gateResult),
  checks_before: z.array(checkBefore),
  notes: texts,
});
export type PrepareResultWire = z.infer<typeof prepareResult>;

const implementResult = z.strictObject({
  kind: z.enum(['implement', 'resolve']),
  agent: z.string(),
  candidate: z.strictObject({ commit: commitId, tree: commitId }).nullable(),
  changed: z.array(changedFile),
  notes: z.string().max(100_000),
  patterns: texts,
  blocked: z.string().max(20_000).nullable(),
  asks: z.string().max(20_000).nullable(),
  summary: z.string().max(20_000),
});
export type ImplementResultWire = z.infer<typeof implementResult>;

const checkResult = z.strictObject({
  kind: z.literal('check'),
  commit: commitId.nullable(),
  tree: commitId,
  results: z.array(gateResult),
  protected: z.array(protectedFile),
  protected_diff: z.string().max(100_000),
  failing_base_tests: texts,
  fewer_tests: z.strictObject({ before: z.int(), now: z.int() }).nullable(),
  suppressions: texts,
  no_change: z.boolean(),
  environment_differs: texts,
  verdict: z.enum(['ok', 'rejected']),
  code: z.string().nullable(),
});
export type CheckResultWire = z.infer<typeof checkResult>;

const judgeResult = z.strictObject({
  kind: z.literal('judge'),
  criteria: z.array(
    z.strictObject({
      index: z.int().min(0),
      verdict: z.enum(['pass', 'fail', 'unverifiable']),
      quotes: z.array(
        z.strictObject({ path: z.string(), line: z.int(), text: z.string().max(4096), holds: z.boolean() }),
      ),
      reason: z.string().max(20_000),
    }),
  ),
  agent: z.string(),
  same_agent: z.boolean(),
});
export type JudgeResultWire = z.infer<typeof judgeResult>;

const landResult = z.strictObject({
  kind: z.literal('land'),
  parent: commitId,
  commit: commitId.nullable(),
  tree: commitId.nullable(),
  results: z.array(gateResult),
  conflicts: z.array(z.strictObject({ path: z.string() })),
  environment_differs: texts.default([]),
  same_patch: z.boolean().default(true),
  verdict: z.enum(['ok', 'conflict', 'rejected']),
  code: z.string().nullable(),
});
export type LandResultWire = z.infer<typeof landResult>;

const diagnoseResult = z.strictObject({ kind: z.literal('diagnose'), advice: z.string().max(20_000) });

const publishResult = z.strictObject({
  kind: z.literal('publish'),
  branch: z.string(),
  old: commitId.nullable(),
  new: commitId,
  pushed: z.string().nullable(),
  skipped: z.enum(['checked_out', 'moved']).nullable(),
  merge_note: z.string().nullable(),
});

/** The content of the artifact `step`. */
export const stepResult = z.discriminatedUnion('kind', [
  prepareResult,
  implementResult,
  checkResult,
  judgeResult,
  landResult,
  diagnoseResult,
  publishResult,
]);
export type StepResultWire = z.infer<typeof stepResult>;

/** The part of a step that any reader of its task sees. */
export const stepSummary = z.object({
  run_id: id,
  story_id: z.string().nullable(),
  n: z.int(),
  kind: stepKind,
});

export const stepCapabilityLabel = 'switchyard:steps-1';
/** The capability that tasks of PRD chats ask for. */
export const prdCapabilityLabel = 'switchyard:prd-1';
