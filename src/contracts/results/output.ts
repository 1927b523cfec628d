// Wire shapes of what attempts leave: printed output, the attempts themselves, changes by file. ui-6.4, ui-6.5.
import { z } from 'zod';
import { id, pageQuery, timestamp } from '../common.ts';
import { taskError, taskStatus, usage } from '../task.ts';

const seq = z.int().min(0);

/** Pieces after, before, at the end or around a line: one of them at most. `q` finds lines instead. */
export const outputQuery = z.strictObject({
  after: seq.optional(),
  before: seq.optional(),
  tail: z.int().min(1).max(2000).optional(),
  line: z.int().min(1).optional(),
  q: z.string().min(1).max(200).optional(),
  run_id: id.optional(),
  limit: z.int().min(1).max(2000).default(200),
});

/** The agent's output in order. `first_line` is the line in which its first piece begins. */
const outputPage = z.object({
  task_id: id,
  output: z.array(z.object({ seq: z.int(), stream: z.enum(['stdout', 'stderr', 'agent']), text: z.string() })),
  next: z.int(),
  first_line: z.int(),
});

/** Lines that hold the text; `next` is the `after` that continues the search, null at its end. */
const outputHits = z.object({
  task_id: id,
  hits: z.array(z.object({ seq: z.int(), line: z.int(), text: z.string() })),
  next: z.int().nullable(),
  first_line: z.int(),
});

export const outputAnswer = z.union([outputPage, outputHits, z.string()]);

export const artifactQuery = z.strictObject({ ...pageQuery, run_id: id.optional() });

/** One claim of a task. `outcome` is the status that ended it, or `lease_lost`; null while it runs. */
const attempt = z.object({
  run_id: id,
  attempt: z.int(),
  worker_id: id,
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  outcome: z.union([taskStatus, z.literal('lease_lost')]).nullable(),
  error: taskError.nullable(),
  usage: usage.nullable(),
});
export type TaskAttemptWire = z.infer<typeof attempt>;
export const taskAttemptList = z.object({ attempts: z.array(attempt) });

export const changesQuery = z.strictObject({ run_id: id.optional() });
export const fileChangeQuery = changesQuery.extend({ path: z.string().min(1).max(4096) });

/** The files of a diff; equal changes have an equal hash. */
export const changeList = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      old_path: z.string().optional(),
      status: z.enum(['added', 'modified', 'deleted', 'renamed']),
      added: z.int(),
      removed: z.int(),
      hash: z.string(),
    }),
  ),
});
