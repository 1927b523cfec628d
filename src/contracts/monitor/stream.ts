// Wire shapes of the monitor's stream: its frames by `event`, and what a caller may ask for. ui-6.17.4, core-4.5.
import { z } from 'zod';
import { id, timestamp } from '../common.ts';
import { runStatus } from '../ralph/run.ts';
import { taskStatus } from '../task.ts';
import { workerStatus } from '../worker.ts';
import { attentionKind } from './attention.ts';

/** A change of status of a task. */
const streamStatus = z.object({
  task_id: id,
  conversation_id: z.string().nullable(),
  codebase_id: z.string().nullable(),
  title: z.string(),
  status: taskStatus,
  /** Attempts begun so far, as the task counts them now. */
  attempt: z.int(),
  /** Names the question that `text` asks; null for other statuses. */
  question_id: z.string().nullable(),
  seq: z.int(),
  at: timestamp,
  /** The prompt of a new task, the question, or the result; null if there is no text. */
  text: z.string().nullable(),
  /** True if `text` is cut off. */
  truncated: z.boolean(),
});

const streamMessage = z.object({
  task_id: id,
  conversation_id: z.string().nullable(),
  title: z.string(),
  role: z.enum(['user', 'agent']),
  seq: z.int(),
  at: timestamp,
  text: z.string().nullable(),
  truncated: z.boolean(),
});

/** A worker registered, stopped its heartbeats, resumed them, or left. */
const streamWorker = z.object({ worker_id: id, name: z.string(), status: workerStatus, at: timestamp });

/** A run was created, or its status changed. */
const streamRun = z.object({ run_id: id, project: z.string(), status: runStatus, at: timestamp });

/** Something began or ceased to wait for a person. */
const streamAttention = z.object({
  kind: attentionKind,
  /** Names the thing that waits. */
  id: z.string(),
  state: z.enum(['open', 'closed']),
  at: timestamp,
});

/** Frames of the stream, by `event`; `Last-Event-ID` resumes after a frame's `id`. */
export const streamFrameByType = {
  status: streamStatus,
  message: streamMessage,
  worker: streamWorker,
  run: streamRun,
  attention: streamAttention,
} as const;

const oneType = Object.keys(streamFrameByType).join('|');

export const monitorStreamQuery = z.strictObject({
  /** Types of frames, separated by commas. Absent: all. */
  types: z
    .string()
    .max(200)
    .regex(new RegExp(`^(${oneType})(,(${oneType}))*$`))
    .optional(),
  /** `mine`: only frames of what the caller created. */
  only: z.literal('mine').optional(),
});
