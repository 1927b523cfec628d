// Builds a task draft from a message: the prompt from its parts, the routing from its metadata. choices-6.
import type { z } from 'zod';
import { messageRouting } from '../../../contracts/a2a/a2a.ts';
import { partText } from '../../../contracts/a2a/part-text.ts';
import { globalCodebaseId } from '../../../domain/model/codebase.ts';
import type { Part } from '../../../domain/model/task/task.ts';
import { newDraft, type TaskDraft } from '../../../domain/model/task/task-draft.ts';
import { invalidInput, type SchemaCompiler } from '../../pipeline/schema.ts';
import type { ReceivedMessage } from './sdk-objects.ts';

export type Routing = z.output<typeof messageRouting>;

/** The limit of a prompt in every operation that creates a task. Characters. */
const maxPromptLength = 200_000;
const maxTitleLength = 200;

/**
 * The prompt: the texts and data of the parts, and one line about each file.
 * @throws DomainError invalid when it is empty or too long
 */
export function promptFromParts(parts: readonly Part[]): string {
  const prompt = parts.map(partText).join('\n').trim();
  if (prompt === '') throw invalidInput([{ path: '/params/message/parts', message: 'must have some content' }]);
  if (prompt.length > maxPromptLength) {
    const message = `may have at most ${maxPromptLength} characters of text and data; send more as a file`;
    throw invalidInput([{ path: '/params/message/parts', message }]);
  }
  return prompt;
}

/** The first line that is not blank; a count of the parts for messages without text. */
export function titleFromParts(parts: readonly Part[]): string {
  let line: string | undefined;
  for (const part of parts) {
    line ??= 'text' in part ? /\S.*/.exec(part.text)?.[0].trim() : undefined;
  }
  const title = line ?? `A message with ${parts.length === 1 ? 'one part' : `${parts.length} parts`}`;
  if (title.length <= maxTitleLength) return title;
  // Never cuts a surrogate pair in half.
  return `${title.slice(0, maxTitleLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const routingKeys = Object.keys(messageRouting.shape);

/** Metadata without the routing keys; the same object when it has none. */
function withoutRouting(metadata: Record<string, unknown>): Record<string, unknown> {
  if (!routingKeys.some((key) => Object.hasOwn(metadata, key))) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !routingKeys.includes(key)));
}

/** Reads the routing from the metadata of the message and of the request; the message's keys win. */
export function createRoutingReader(
  schemas: SchemaCompiler,
): (messageMetadata: Record<string, unknown>, requestMetadata: Record<string, unknown>) => Routing {
  const parse = schemas.large(messageRouting, '/params/message/metadata');
  return (messageMetadata, requestMetadata) => {
    // A copy, because the parser fills in defaults and the metadata is stored as it was sent.
    const routing: Record<string, unknown> = {};
    for (const key of routingKeys) {
      if (Object.hasOwn(messageMetadata, key)) routing[key] = messageMetadata[key];
      else if (Object.hasOwn(requestMetadata, key)) routing[key] = requestMetadata[key];
    }
    return parse(routing);
  };
}

/**
 * The draft of the task that a message requests.
 * @param contextId the conversation of the task
 * @param requestMetadata metadata of the send's params; all but the routing keys is stored with the task
 * @throws DomainError invalid as `promptFromParts`
 */
export function draftFromMessage(
  message: ReceivedMessage,
  contextId: string,
  requestMetadata: Record<string, unknown>,
  routing: Routing,
): TaskDraft {
  return newDraft({
    title: titleFromParts(message.parts),
    prompt: promptFromParts(message.parts),
    codebaseId: routing.codebase_id ?? globalCodebaseId,
    requiredCapabilities: routing.required_capabilities,
    targetAgent: routing.target_agent,
    targetWorkerId: routing.target_worker_id,
    agentType: routing.agent_type,
    model: routing.model,
    priority: routing.priority,
    conversationId: contextId,
    deadlineAt: routing.deadline_at,
    maxAttempts: routing.max_attempts,
    webhookUrl: routing.webhook_url,
    metadata: withoutRouting(requestMetadata),
    message,
  });
}
