// Wire shapes of a task's event log. choices-3 and choices-5.
import { z } from 'zod';
import { id, timestamp } from './common.ts';
import { interventionAction } from './intervention.ts';
import { part, taskError, taskStatus, usage } from './task.ts';

const base = { seq: z.int().min(1), at: timestamp };

/** One event of a task's log. `seq` counts from 1 without gaps within its task. */
export const taskEvent = z.discriminatedUnion('type', [
  z.object({
    ...base,
    type: z.literal('status'),
    data: z.object({
      status: taskStatus,
      final: z.boolean(),
      run_id: id.optional(),
      worker_id: id.optional(),
      attempt: z.int().optional(),
      reason: z.string().optional(),
      result: z.string().nullable().optional(),
      error: taskError.nullable().optional(),
      usage: usage.nullable().optional(),
      question: z.string().optional(),
      question_id: z.string().optional(),
    }),
  }),
  z.object({
    ...base,
    type: z.literal('output'),
    data: z.object({ stream: z.enum(['stdout', 'stderr', 'agent']), text: z.string() }),
  }),
  z.object({
    ...base,
    type: z.literal('progress'),
    data: z.object({ percent: z.number().optional(), message: z.string().optional() }),
  }),
  z.object({
    ...base,
    type: z.literal('message'),
    data: z.object({
      message_id: z.string(),
      role: z.enum(['user', 'agent']),
      parts: z.array(part),
      /** The subject that added it after the task was created; absent for an agent. */
      by: z.string().optional(),
    }),
  }),
  z.object({
    ...base,
    type: z.literal('artifact'),
    data: z.object({
      artifact_id: z.string(),
      name: z.string(),
      mime_type: z.string(),
      text: z.string().optional(),
      data: z.unknown().optional(),
      bytes: z.string().optional(),
      uri: z.string().optional(),
      append: z.boolean().optional(),
      last_chunk: z.boolean().optional(),
    }),
  }),
  z.object({ ...base, type: z.literal('checkpoint'), data: z.object({ data: z.unknown() }) }),
  z.object({
    ...base,
    type: z.literal('intervention'),
    data: z.object({
      intervention_id: id,
      action: interventionAction,
      status: z.enum(['delivered', 'failed']),
      reason: z.string().optional(),
    }),
  }),
]);
export type TaskEventWire = z.infer<typeof taskEvent>;

/** A page of a log from its start. */
export const eventsQuery = z.strictObject({
  after: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(200),
});

export const eventTypes = [
  'status',
  'output',
  'progress',
  'message',
  'artifact',
  'checkpoint',
  'intervention',
] as const;
const oneType = eventTypes.join('|');

/** Events after a number, before one, or the last ones: one of them at most. A stream takes `after` alone. */
export const taskEventsQuery = z.strictObject({
  after: z.int().min(0).optional(),
  before: z.int().min(1).optional(),
  tail: z.int().min(1).max(1000).optional(),
  /** Types of events, separated by commas. Absent: all. */
  types: z
    .string()
    .max(200)
    .regex(new RegExp(`^(${oneType})(,(${oneType}))*$`))
    .optional(),
  limit: z.int().min(1).max(1000).default(200),
});

/** `next` is the `after` of the next call. */
export const eventPage = z.object({ events: z.array(taskEvent), next: z.int() });

export const artifactSummary = z.object({
  artifact_id: z.string(),
  name: z.string(),
  mime_type: z.string(),
  size: z.int(),
  created_at: timestamp,
});
export const artifactList = z.object({ artifacts: z.array(artifactSummary), next_cursor: z.string().nullable() });

/** One artifact with its content: exactly one of `text`, `data`, `bytes` (base64), `uri`. */
export const artifact = artifactSummary.extend({
  text: z.string().optional(),
  data: z.unknown().optional(),
  bytes: z.string().optional(),
  uri: z.string().optional(),
});
export const artifactAnswer = z.object({ artifact });
