// Wire shapes of a run: the run itself, its story results, its questions, and lists of runs. runs-6.1.
import { z } from 'zod';
import { id, pageQuery, timestamp } from '../common.ts';
import { testCounts } from '../step.ts';

export const runStatus = z.enum(['pending', 'running', 'paused', 'needs_input', 'completed', 'failed', 'cancelled']);
export const storyStatus = z.enum(['pending', 'running', 'passed', 'failed']);
export const storyPhase = z.enum([
  'implementing',
  'checking',
  'judging',
  'landing',
  'resolving',
  'diagnosing',
  'asking',
  'waiting',
]);
export const evidenceKind = z.enum(['gate', 'check', 'judge', 'human']);
export const runMode = z.enum(['sequential', 'parallel']);

/** The id of a story, as its document names it. */
export const storyId = z.string().min(1).max(64);

/** One acceptance criterion. `index` counts from 0; `pending` has no evidence yet. */
export const criterionResult = z.object({
  index: z.int().min(0),
  text: z.string(),
  status: z.enum(['passed', 'failed', 'unverified', 'pending']),
  by: evidenceKind.nullable(),
  command: z.string().optional(),
  before: z.enum(['failed', 'passed', 'unknown']).optional(),
  exit_code: z.int().nullable().optional(),
  seconds: z.number().optional(),
  counts: testCounts.optional(),
  /** True: the check passed before the work began. */
  vacuous: z.boolean().optional(),
  flaky: z.boolean().optional(),
  commit: z.string().optional(),
  task_id: id.optional(),
  /** The end of the command's output; in the story alone. */
  tail: z.string().optional(),
});
export type CriterionResultWire = z.infer<typeof criterionResult>;

/** tools-2.3, and what else a list of stories shows. */
export const storyResult = z.object({
  story_id: z.string(),
  status: storyStatus,
  /** One sentence for readers. */
  result: z.string(),
  title: z.string(),
  phase: storyPhase.nullable(),
  /** Judged attempts. */
  iteration: z.int(),
  commit: z.string().nullable(),
  criteria: z.array(criterionResult),
  /** Place in the landing queue, from 1. */
  queue_position: z.int().optional(),
  waiting_reason: z.string().optional(),
  /** The end of the last line that its agent printed. */
  last_output: z.object({ at: timestamp, text: z.string() }).optional(),
});
export type StoryResultWire = z.infer<typeof storyResult>;

export const runQuestion = z.object({
  question_id: id,
  kind: z.enum([
    'baseline_red',
    'infra',
    'agent_setup',
    'approve_tests',
    'unverifiable',
    'blocked',
    'stuck',
    'conflict',
    'budget',
    'unpriced',
    'branch_moved',
    'agent',
  ]),
  story_id: z.string().nullable(),
  text: z.string(),
  options: z.array(z.string()),
  data: z.record(z.string(), z.unknown()),
  asked_at: timestamp,
  /** A question never answers itself. */
  expires: z.null(),
});
export type RunQuestionWire = z.infer<typeof runQuestion>;

/** A gate as it was pinned at the base; before that, as the document declares it. */
export const runGate = z.object({
  id: z.string(),
  command: z.string(),
  script: z.string().nullable(),
  source: z.enum(['declared', 'detected']),
  required: z.boolean(),
  timeout_seconds: z.number().nullable(),
  network: z.boolean().nullable(),
  /** Its outcome at the base; null: it has not run there. */
  baseline: z.object({ passed: z.boolean(), exit_code: z.int().nullable(), seconds: z.number() }).nullable(),
});
export type RunGateWire = z.infer<typeof runGate>;

/** Null: no bound. */
export const budget = z.object({
  usd: z.number().nullable(),
  tokens: z.number().nullable(),
  seconds: z.number().nullable(),
  iterations: z.int().nullable(),
});

export const spent = z.object({
  /** Null until a step has reported a cost; with unpriced steps it is a lower bound. */
  usd: z.number().nullable(),
  tokens: z.number(),
  seconds: z.number(),
  iterations: z.int(),
  unpriced_steps: z.int(),
});

export const runWarning = z.object({ code: z.string(), path: z.string().optional(), message: z.string() });

export const storyCounts = z.object({
  total: z.int(),
  pending: z.int(),
  running: z.int(),
  passed: z.int(),
  failed: z.int(),
});

export const run = z.object({
  run_id: id,
  status: runStatus,
  current_iteration: z.int().min(0),
  max_iterations: z.int().min(1),
  story_results: z.array(storyResult),
  project: z.string(),
  branch_name: z.string(),
  description: z.string(),
  codebase_id: z.string(),
  mode: runMode,
  max_parallel: z.int(),
  base_commit: z.string().nullable(),
  head_commit: z.string().nullable(),
  stories: storyCounts,
  /** The open ones, oldest first. */
  questions: z.array(runQuestion),
  gates: z.array(runGate),
  budget,
  spent,
  warnings: z.array(runWarning),
  waiting_reason: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  retry_of: id.nullable(),
  prd_session_id: z.string().nullable(),
  conversation_id: z.string().nullable(),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
});
export type RunWire = z.infer<typeof run>;

export const runAnswer = z.object({ run });

export const runQuery = z.strictObject({
  ...pageQuery,
  codebase_id: z.string().min(1).max(200).optional(),
  status: runStatus.optional(),
  project: z.string().min(1).max(200).optional(),
  /** Words in the project, the branch or the description. */
  q: z.string().min(1).max(200).optional(),
});
export const runPage = z.object({
  runs: z.array(run),
  next_cursor: z.string().nullable(),
  /** Runs are turned off, and nothing new starts; absent otherwise. */
  enabled: z.literal(false).optional(),
});
