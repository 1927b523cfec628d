// Wire shapes of A2A v1.0 requests, in the JSON form of its proto file. Unknown members are accepted, because the
// protocol grows. a2a v1.0.1 proto, choices-6.
import { z } from 'zod';
import { metadata } from '../common.ts';
import { routingFields } from '../task.ts';

/** Exactly one of the four contents; the route checks this, because its error message is clearer than a schema's. */
export const partV1 = z.object({
  text: z.string().optional(),
  raw: z.string().optional(),
  url: z.string().min(1).max(4096).optional(),
  data: z.unknown().optional(),
  metadata: metadata.optional(),
  filename: z.string().optional(),
  mediaType: z.string().optional(),
});

/** A message from a caller: its role is always the user. */
const message = z.object({
  messageId: z.string().min(1),
  role: z.literal('ROLE_USER'),
  parts: z.array(partV1).min(1),
  contextId: z.string().max(200).optional(),
  taskId: z.string().optional(),
  referenceTaskIds: z.array(z.string()).optional(),
  extensions: z.array(z.string()).optional(),
  metadata: metadata.optional(),
});

const historyLength = z.int().min(0).optional();

/** The target of a task's notifications, and how they authenticate. */
export const pushConfigV1 = {
  id: z.string().max(200).optional(),
  url: z.string().min(1).max(2000),
  token: z.string().max(4096).optional(),
  /** Without a scheme: none. choices-6 */
  authentication: z.object({ scheme: z.string().optional(), credentials: z.string().optional() }).optional(),
};

export const sendMessageRequest = z.object({
  message,
  configuration: z
    .object({
      acceptedOutputModes: z.array(z.string()).optional(),
      historyLength,
      returnImmediately: z.boolean().optional(),
      taskPushNotificationConfig: z.object({ ...pushConfigV1, taskId: z.string().optional() }).optional(),
    })
    .optional(),
  metadata: metadata.optional(),
});

export const getTaskRequest = z.object({ id: z.string(), historyLength });
export const taskRequest = z.object({ id: z.string(), metadata: metadata.optional() });

export const taskState = z.enum([
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
]);

export const listTasksRequest = z.object({
  contextId: z.string().max(200).optional(),
  status: taskState.optional(),
  pageSize: z.int().min(1).max(100).optional(),
  pageToken: z.string().max(500).optional(),
  historyLength,
  statusTimestampAfter: routingFields.deadline_at,
  includeArtifacts: z.boolean().optional(),
});

export const createPushRequest = z.object({ ...pushConfigV1, taskId: z.string() });
export const pushRequest = z.object({ taskId: z.string(), id: z.string() });
export const listPushRequest = z.object({
  taskId: z.string(),
  pageSize: z.int().min(0).optional(),
  pageToken: z.string().max(500).optional(),
});

/** The members of a v1.0 card, pure or hybrid. */
export const agentCardV1 = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(
    z.object({ url: z.url(), protocolBinding: z.enum(['JSONRPC', 'HTTP+JSON']), protocolVersion: z.string() }),
  ),
  capabilities: z.object({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    extendedAgentCard: z.boolean(),
  }),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(z.object({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) })),
  securityRequirements: z.array(z.object({ schemes: z.record(z.string(), z.unknown()) })),
});
