// Wire shapes of the automation routes: tasks for no-code platforms and scripts. core-2.4, core-4.6.
import { z } from 'zod';
import { codebaseId } from './codebase.ts';
import { givenTime, id, pageQuery, timestamp } from './common.ts';
import { routingFields, taskError, waitingReasonCode } from './task.ts';

/** core-2.4; the queue's `pending` is called `queued` here. choices-2. */
export const automationStatus = z.enum(['queued', 'running', 'needs_input', 'completed', 'failed', 'cancelled']);
export type AutomationStatus = z.infer<typeof automationStatus>;

export const automationAgentType = z.enum(['build', 'plan', 'general', 'explore']);

/**
 * Body of `POST /v1/automation/tasks`. core-2.4, choices-3.
 * @param models the catalogue, as `provider:model`
 */
export function newAutomationTask(models: readonly [string, ...string[]]) {
  return z.strictObject({
    ...routingFields,
    title: z.string().min(1).max(200),
    description: z.string().min(1).max(20_000),
    agent_type: automationAgentType.optional(),
    model: z.enum(models).optional(),
    codebase_id: z.string().min(1).max(200).optional(),
  });
}

export const automationCreated = z.object({
  task_id: id,
  run_id: id,
  status: automationStatus,
  title: z.string(),
  created_at: timestamp,
});

export const automationTask = z.object({
  ...automationCreated.shape,
  /** The reason why a queued task does not run yet. */
  waiting_reason: waitingReasonCode.optional(),
  agent_type: z.string().nullable(),
  model: z.string().nullable(),
  priority: z.int(),
  codebase_id: z.string().nullable(),
  started_at: timestamp.nullable(),
  /** The result, or the question if the task needs input; null before. */
  result_summary: z.string().nullable(),
  /** Whole seconds from the start of the run to its end; null before. */
  runtime_seconds: z.int().min(0).nullable(),
  completed_at: timestamp.nullable(),
  error: taskError.nullable(),
});
export type AutomationTaskWire = z.infer<typeof automationTask>;

export const automationQuery = z.strictObject({
  ...pageQuery,
  status: automationStatus.optional(),
  codebase_id: codebaseId.optional(),
  agent_type: automationAgentType.optional(),
  q: z.string().min(1).max(200).optional(),
  created_after: givenTime.optional(),
});
export const automationPage = z.object({ tasks: z.array(automationTask), next_cursor: z.string().nullable() });
export const automationInput = z.strictObject({ message: z.string().min(1).max(200_000) });
export const automationCancelled = z.object({ task_id: id, status: z.literal('cancelled') });

/** The principal of the credential. choices-3 "Automation list". */
export const automationMe = z.object({
  subject: z.string(),
  name: z.string(),
  tenant_id: z.string(),
  roles: z.array(z.string()),
  /** Restrictions on top of the roles; null: none. */
  scopes: z.array(z.string()).nullable(),
  credential: z.string(),
});

/** The models that a task may name, as `provider:model`. */
export const automationModels = z.object({ models: z.array(z.object({ id: z.string() })) });
