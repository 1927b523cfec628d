// What every tool that makes a task takes beside its own arguments, as every other way to make one does. choices-3.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import { routingFields } from '../../../contracts/task.ts';
import type { NewMessage } from '../../../domain/conversations/send-message.ts';
import { notFound } from '../../../domain/model/errors.ts';
import { anyId } from './tool-schemas.ts';

export const taskArguments = {
  priority: routingFields.priority.describe('higher is more urgent'),
  model: routingFields.model.describe('provider:model'),
  required_capabilities: routingFields.required_capabilities,
  target_worker_id: anyId.optional(),
  deadline_at: routingFields.deadline_at.describe('fails when not done by then'),
  max_attempts: routingFields.max_attempts,
  metadata: routingFields.metadata.describe('at most 16 KiB'),
  webhook_url: routingFields.webhook_url.describe('told when it ends'),
};
type TaskArguments = z.output<z.ZodObject<typeof taskArguments>>;

/** @throws DomainError not_found for what is no id of ours */
export function workerIdFromArgument(given: string | undefined): string | undefined {
  if (given !== undefined && !id.safeParse(given).success) throw notFound('worker');
  return given;
}

/** The same of a message, in the domain's words. @throws DomainError not_found for a worker's id that is none of ours */
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
