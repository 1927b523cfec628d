// The arguments that every tool that creates a task has: the same routing fields as in every other interface.
// choices-3.
import { z } from 'zod';
import { routingFields } from '../../../contracts/task.ts';
import type { NewMessage } from '../../../domain/conversations/send-message.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';
import { anyId } from './tool-schemas.ts';

export const taskArguments = {
  priority: routingFields.priority.describe('higher is more urgent'),
  model: routingFields.model.describe('provider:model'),
  required_capabilities: routingFields.required_capabilities,
  target_worker_id: anyId.optional(),
  deadline_at: routingFields.deadline_at.describe('the task fails when unfinished by then'),
  max_attempts: routingFields.max_attempts,
  metadata: routingFields.metadata.describe('at most 16 KiB'),
  webhook_url: routingFields.webhook_url.describe('notified when the task ends'),
};
type TaskArguments = z.output<z.ZodObject<typeof taskArguments>>;

/** @throws DomainError not_found for a malformed id */
export function workerIdFromArgument(given: string | undefined): string | undefined {
  return given === undefined ? undefined : parseEntityId('worker', given);
}

/** The routing of a message in the domain's form. @throws DomainError not_found for a malformed worker id */
export function routingFromArguments(args: TaskArguments): Omit<NewMessage, 'text'> {
  return {
    priority: args.priority,
    model: args.model,
    requiredCapabilities: args.required_capabilities,
    targetWorkerId: workerIdFromArgument(args.target_worker_id),
    deadlineAt: args.deadline_at,
    maxAttempts: args.max_attempts,
    metadata: args.metadata,
    webhookUrl: args.webhook_url,
  };
}
