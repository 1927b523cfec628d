// Wire shapes of interventions: what a person tells a running agent, and how far it got. choices-3.
import { z } from 'zod';
import { id, label, pageQuery, timestamp } from './common.ts';

export const interventionAction = z.enum(['message', 'pause', 'resume', 'cancel']);
const interventionStatus = z.enum(['queued', 'sent', 'delivered', 'failed', 'applied']);

export const intervention = z.object({
  id,
  task_id: id,
  action: interventionAction,
  message: z.string().nullable(),
  /** `delivered` only when the worker says so. */
  status: interventionStatus,
  /** Why it failed: a stable word. */
  reason: z.string().nullable(),
  worker_id: id.nullable(),
  created_by: z.string(),
  created_at: timestamp,
  sent_at: timestamp.nullable(),
  settled_at: timestamp.nullable(),
});
export type InterventionWire = z.infer<typeof intervention>;

/** Body of `POST /v1/monitor/intervene`: one of `agent_id` and `task_id`; `message` is what a message says. */
export const interveneRequest = z.strictObject({
  /** A worker's id or name, or an agent's name: whoever runs exactly one task now. */
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
