// Wire shapes of what a run did: its stories, their attempts with steps and evidence, and its learnings. runs-6.1, runs-10.
import { z } from 'zod';
import { id, label, pageQuery, timestamp } from '../common.ts';
import { stepKind, testCounts } from '../step.ts';
import { usage } from '../task.ts';
import { evidenceKind, storyId, storyResult } from './run.ts';

export const evidence = z.object({
  /** From 0. */
  criterion: z.int().min(0),
  n: z.int(),
  status: z.enum(['passed', 'failed', 'unverified']),
  by: evidenceKind,
  gate_id: z.string().optional(),
  command: z.string().optional(),
  exit_code: z.int().nullable().optional(),
  seconds: z.number().optional(),
  commit: z.string().nullable(),
  before: z.enum(['failed', 'passed', 'unknown']),
  vacuous: z.boolean().optional(),
  flaky: z.boolean().optional(),
  counts: testCounts.optional(),
  tail: z.string(),
  task_id: id.nullable(),
  artifact_id: z.string().nullable(),
  quotes: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })).optional(),
  reason: z.string().optional(),
  /** The person, where `by` is human. */
  subject: z.string().optional(),
  /** The agent that implemented the story judged it too. */
  same_agent: z.boolean().optional(),
  at: timestamp,
});
export type EvidenceWire = z.infer<typeof evidence>;

export const runStep = z.object({
  kind: stepKind,
  task_id: id,
  status: z.enum(['open', 'asking', 'ok', 'rejected', 'infra', 'cancelled']),
  n: z.int(),
  try: z.int(),
  code: z.string().optional(),
});
export type RunStepWire = z.infer<typeof runStep>;

export const story = storyResult.extend({
  description: z.string(),
  /** Null: the mode of the run decides. */
  depends_on: z.array(z.string()).nullable(),
  priority: z.number().nullable(),
  checks: z.array(z.object({ criterion: z.int().nullable(), command: z.string() })),
  allow_test_changes: z.union([z.boolean(), z.array(z.string())]),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  passed_at: timestamp.nullable(),
  /** The run that it was taken over from. */
  carried_from: id.nullable(),
  evidence: z.array(evidence),
  steps: z.array(runStep),
});
export type StoryWire = z.infer<typeof story>;

export const attempt = z.object({
  /** The iteration, from 1. */
  n: z.int(),
  /** Tries of one iteration, from 1; all but the last are void. */
  try: z.int(),
  status: z.enum(['open', 'passed', 'failed', 'void']),
  failure_code: z.string().nullable(),
  agent: z.string().nullable(),
  base_commit: z.string(),
  candidate_commit: z.string().nullable(),
  commit: z.string().nullable(),
  /** The agent's own summary. */
  summary: z.string(),
  /** The sum over its steps; null: none has reported it. */
  usage: usage.nullable(),
  evidence: z.array(evidence),
  steps: z.array(runStep),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
});
export type AttemptWire = z.infer<typeof attempt>;

export const storyList = z.object({ stories: z.array(story) });
export const storyAnswer = z.object({ story });
export const attemptList = z.object({ attempts: z.array(attempt) });
export const attemptAnswer = z.object({ attempt });

export const learningKind = z.enum(['failure', 'note', 'pattern', 'diagnosis', 'guidance', 'conflict']);
export const learningQuery = z.strictObject({
  ...pageQuery,
  story_id: storyId.optional(),
  kind: learningKind.optional(),
});
export const learningPage = z.object({
  learnings: z.array(
    z.object({
      id,
      story_id: z.string().nullable(),
      attempt_n: z.int().nullable(),
      kind: learningKind,
      author: z.enum(['director', 'agent', 'human']),
      text: z.string(),
      at: timestamp,
    }),
  ),
  next_cursor: z.string().nullable(),
});
export type LearningWire = z.infer<typeof learningPage>['learnings'][number];

const text = z.string().min(1).max(20_000);
/** Body of `PATCH …/stories/{story_id}`; an absent field stays. */
export const storyChange = z.strictObject({
  title: z.string().min(1).max(500).optional(),
  description: text.optional(),
  criteria: z.array(text).min(1).max(50).optional(),
  priority: z.int().optional(),
  dependsOn: z.array(storyId).max(100).optional(),
  checks: z
    .array(z.strictObject({ criterion: z.int().min(0).optional(), command: z.string().min(1).max(10_000) }))
    .max(50)
    .optional(),
  allow_test_changes: z.union([z.boolean(), z.array(z.string().min(1).max(1000)).min(1).max(100)]).optional(),
  agent: label.optional(),
  model: label.optional(),
});
