// Wire shapes of usage and of the queue's history. ui-6.8.
import { z } from 'zod';
import { givenTime, timestamp } from '../common.ts';

/** A time, or a day in UTC: `2026-01-31`. */
const bound = z.union([givenTime, z.iso.date()]);

export const usageGrouping = z.enum([
  'day',
  'model',
  'agent',
  'agent_type',
  'codebase',
  'created_by',
  'worker',
  'ralph_run',
]);

/** Whole days in UTC, both included; the last 30 days by default. */
export const usageQuery = z.strictObject({
  from: bound.optional(),
  to: bound.optional(),
  group_by: usageGrouping.default('day'),
});

/** The tasks of one group that ended in that time. */
export const usageRow = z.object({
  /** A day, an id or a name; null: the tasks have none. */
  key: z.string().nullable(),
  /** The key for people. */
  label: z.string(),
  tasks: z.int(),
  completed: z.int(),
  failed: z.int(),
  /** Tasks that retry another. */
  retried: z.int(),
  /** Completed by their first attempt. */
  first_attempt: z.int(),
  /** From the first claim to the end, within 2.5 %; null: none was claimed. */
  median_seconds: z.number().nullable(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cached_tokens: z.int(),
  /** The sum over the tasks that have a cost; null: none has. */
  cost_usd: z.number().nullable(),
  /** Tasks whose cost is not known. */
  unpriced_tasks: z.int(),
});
export const usageAnswer = z.object({ usage: z.array(usageRow) });

/** `step` in seconds; an answer has at most 500 points. */
export const historyQuery = z.strictObject({
  from: bound.optional(),
  to: bound.optional(),
  step: z.int().min(1).max(31_622_400).optional(),
});

/** Seconds; null: no task counts. */
const percentiles = z.object({ p50: z.number().nullable(), p95: z.number().nullable() });

export const historyPoint = z.object({
  /** When the step begins. */
  at: timestamp,
  /** The most of the samples in the step; 0 without one. */
  queued: z.int(),
  running: z.int(),
  ended: z.object({ completed: z.int(), failed: z.int(), cancelled: z.int() }),
  /** How long the tasks that ended waited until their first claim, and ran from it to their end. */
  wait: percentiles,
  run: percentiles,
});
export const historyAnswer = z.object({ points: z.array(historyPoint) });
