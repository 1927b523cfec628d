// Wire shapes of interventions: messages and commands for a running agent, and their state. choices-3.
import { z } from 'zod';
import { id, label, pageQuery, timestamp } from './common.ts';

export const interventionAction = z.enum(['message', 'pause', 'resume', 'cancel']);
const interventionStatus = z.enum(['queued', 'sent', 'delivered', 'failed', 'applied']);

export const intervention = z.object({
  id,
  task_id: id,
  action: interventionAction,
  message: z.string().nullable(),
  /** `delivered` only after the worker has confirmed it. */
  status: interventionStatus,
  /** Stable code of the failure. */
  reason: z.string().nullable(),
  worker_id: id.nullable(),
  created_by: z.string(),
  created_at: timestamp,
  sent_at: timestamp.nullable(),
  settled_at: timestamp.nullable(),
});
export type InterventionWire = z.infer<typeof intervention>;

/** Body of `POST /v1/monitor/intervene`: exactly one of `agent_id` and `task_id`; `message` is the text of a message. */
export const interveneRequest = z.strictObject({
  /** A worker's id or name, or an agent's name; it must run exactly one task. */
  agent_id: label.optional(),
  task_id: id.optional(),
  action: interventionAction,
  message: z.string().min(1).max(200_000).optional(),
});

export const interventionAnswer = z.object({ intervention });
export const interventionPage = z.object({
  interventions: z.array(intervention),
  next_cursor: z.string().nullable(),
});
export const interventionQuery = z.strictObject({
  ...pageQuery,
  task_id: id.optional(),
  status: interventionStatus.optional(),
});
