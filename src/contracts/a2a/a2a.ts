// Wire shapes of A2A v0.3 requests: params of each operation, the routing in metadata, and the agent card. Unknown
// members are accepted, because the protocol grows. a2a v0.3.0 schema, choices-6.
import { z } from 'zod';
import { metadata } from '../common.ts';
import { newTask, routingFields } from '../task.ts';

const textPart = z.object({ kind: z.literal('text'), text: z.string(), metadata: metadata.optional() });
const dataPart = z.object({
  kind: z.literal('data'),
  data: z.record(z.string(), z.unknown()),
  metadata: metadata.optional(),
});
/** Exactly one of `bytes` (base64) and `uri`; the route checks this, because its error message is clearer than a schema's. */
const filePart = z.object({
  kind: z.literal('file'),
  file: z.object({
    name: z.string().optional(),
    mimeType: z.string().optional(),
    bytes: z.string().optional(),
    uri: z.string().min(1).max(4096).optional(),
  }),
  metadata: metadata.optional(),
});

export const a2aPart = z.discriminatedUnion('kind', [textPart, filePart, dataPart]);

/** A message from a caller: its role is always `user`. core-2.1. */
const a2aMessage = z.object({
  kind: z.literal('message').optional(),
  messageId: z.string().min(1),
  role: z.literal('user'),
  parts: z.array(a2aPart).min(1),
  contextId: z.string().max(200).optional(),
  taskId: z.string().optional(),
  referenceTaskIds: z.array(z.string()).optional(),
  extensions: z.array(z.string()).optional(),
  metadata: metadata.optional(),
});

const historyLength = z.int().min(0).optional();

/** The target of a task's notifications, and how they authenticate. */
export const pushConfig = z.object({
  id: z.string().max(200).optional(),
  url: z.string().min(1).max(2000),
  token: z.string().max(4096).optional(),
  /** Without a scheme: none. In a proto file an empty list equals an absent one. choices-6 */
  authentication: z.object({ schemes: z.array(z.string()).optional(), credentials: z.string().optional() }).optional(),
});

export const messageSendParams = z.object({
  message: a2aMessage,
  configuration: z
    .object({
      acceptedOutputModes: z.array(z.string()).optional(),
      blocking: z.boolean().optional(),
      historyLength,
      pushNotificationConfig: pushConfig.optional(),
    })
    .optional(),
  metadata: metadata.optional(),
});

export const taskIdParams = z.object({ id: z.string(), metadata: metadata.optional() });
export const taskQueryParams = z.object({ id: z.string(), historyLength, metadata: metadata.optional() });
export const pushSetParams = z.object({ taskId: z.string(), pushNotificationConfig: pushConfig });
export const pushGetParams = z.object({ id: z.string(), pushNotificationConfigId: z.string().optional() });
export const pushDeleteParams = z.object({ id: z.string(), pushNotificationConfigId: z.string() });
/** Params of a method without params: ignored. */
export const noParams = z.object({});

export const a2aTaskState = z.enum([
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'auth-required',
  'unknown',
]);

/** Params of our `tasks/list`: v1.0's filters in camelCase. choices-6. */
export const listTasksParams = z.object({
  contextId: z.string().max(200).optional(),
  status: a2aTaskState.optional(),
  pageSize: z.int().min(1).max(100).default(50),
  pageToken: z.string().max(500).optional(),
  historyLength,
  statusTimestampAfter: routingFields.deadline_at,
  includeArtifacts: z.boolean().default(false),
});
export type ListTasksParams = z.infer<typeof listTasksParams>;

/** Keys of a message's metadata that route its task. choices-6. */
export const messageRouting = z.object({
  codebase_id: newTask.shape.codebase_id,
  priority: routingFields.priority,
  required_capabilities: routingFields.required_capabilities,
  target_agent: routingFields.target_agent,
  target_worker_id: routingFields.target_worker_id,
  conversation_id: routingFields.conversation_id,
  model: routingFields.model,
  agent_type: routingFields.agent_type,
  deadline_at: routingFields.deadline_at,
  max_attempts: routingFields.max_attempts,
  webhook_url: routingFields.webhook_url,
});

/** The members of a v0.3 card, pure or hybrid. core-2.2, a2a v0.3 §5.5. */
export const agentCard = z.object({
  protocolVersion: z.string(),
  name: z.string(),
  description: z.string(),
  url: z.url(),
  preferredTransport: z.literal('JSONRPC'),
  additionalInterfaces: z.array(z.object({ url: z.url(), transport: z.enum(['JSONRPC', 'HTTP+JSON']) })),
  version: z.string(),
  capabilities: z.object({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    stateTransitionHistory: z.boolean(),
  }),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      tags: z.array(z.string()),
      examples: z.array(z.string()).optional(),
    }),
  ),
  securitySchemes: z.record(z.string(), z.object({ type: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  supportsAuthenticatedExtendedCard: z.boolean(),
});
