// Wire shapes of A2A responses on REST, in each of the three versions: v0.3's JSON, the JSON of v0.3's proto file, and
// v1.0. A member that a version omits when it is empty is optional here. a2a v0.3.0 schema and proto, v1.0.1 proto.
import { z } from 'zod';
import { a2aPart, a2aTaskState, agentCard, pushConfig } from './a2a.ts';
import { agentCardV1, partV1, pushConfigV1 as pushFieldsV1, taskState } from './a2a-v1.ts';
import { metadata, timestamp } from '../common.ts';

/** Members that messages have in every version. */
const messageFields = {
  messageId: z.string(),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  extensions: z.array(z.string()).optional(),
  metadata: metadata.optional(),
};
const artifactFields = {
  artifactId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  extensions: z.array(z.string()).optional(),
  metadata: metadata.optional(),
};

const message03 = z.object({
  ...messageFields,
  kind: z.literal('message'),
  role: z.enum(['user', 'agent']),
  parts: z.array(a2aPart),
  referenceTaskIds: z.array(z.string()).optional(),
});
const task03 = z.object({
  kind: z.literal('task'),
  id: z.string(),
  contextId: z.string(),
  status: z.object({ state: a2aTaskState, message: message03.optional(), timestamp: timestamp.optional() }),
  history: z.array(message03).optional(),
  artifacts: z.array(z.object({ ...artifactFields, parts: z.array(a2aPart) })).optional(),
  metadata: metadata.optional(),
});
const push03 = z.object({ taskId: z.string(), pushNotificationConfig: pushConfig });

const partProto = z.object({
  text: z.string().optional(),
  file: z
    .object({
      fileWithBytes: z.string().optional(),
      fileWithUri: z.string().optional(),
      mimeType: z.string().optional(),
    })
    .optional(),
  data: z.object({ data: z.record(z.string(), z.unknown()) }).optional(),
});
const roleProto = z.enum(['ROLE_USER', 'ROLE_AGENT']);
const messageProto = z.object({ ...messageFields, role: roleProto, content: z.array(partProto) });
const taskProto = z.object({
  id: z.string(),
  contextId: z.string(),
  status: z.object({
    // The proto file of v0.3 spells it with two l.
    state: z.enum([...taskState.exclude(['TASK_STATE_CANCELED']).options, 'TASK_STATE_CANCELLED']),
    message: messageProto.optional(),
    timestamp: timestamp.optional(),
  }),
  history: z.array(messageProto).optional(),
  artifacts: z.array(z.object({ ...artifactFields, parts: z.array(partProto) })).optional(),
  metadata: metadata.optional(),
});
const pushProto = z.object({ name: z.string(), pushNotificationConfig: pushConfig });
const cardProto = agentCard.extend({
  capabilities: agentCard.shape.capabilities.omit({ stateTransitionHistory: true }),
  securitySchemes: z.record(z.string(), z.record(z.string(), z.unknown())),
  security: agentCardV1.shape.securityRequirements,
});

const message10 = z.object({
  ...messageFields,
  role: roleProto,
  parts: z.array(partV1),
  referenceTaskIds: z.array(z.string()).optional(),
});
const task10 = z.object({
  id: z.string(),
  contextId: z.string(),
  status: z.object({ state: taskState, message: message10.optional(), timestamp: timestamp.optional() }),
  history: z.array(message10).optional(),
  artifacts: z.array(z.object({ ...artifactFields, parts: z.array(partV1) })).optional(),
  metadata: metadata.optional(),
});
const push10 = z.object({ ...pushFieldsV1, taskId: z.string() });

const page = { nextPageToken: z.string(), pageSize: z.int(), totalSize: z.int() };
const deleted = z.null();

/** In v0.3's JSON. */
export const answers03 = {
  send: z.union([task03, message03]),
  get: task03,
  list: z.object({ tasks: z.array(task03), ...page }),
  cancel: task03,
  push_set: push03,
  push_get: push03,
  push_list: z.array(push03),
  push_delete: deleted,
  extended_card: agentCard,
};

/** In the JSON of v0.3's proto file. */
export const answersProto = {
  send: z.union([z.object({ task: taskProto }), z.object({ message: messageProto })]),
  get: taskProto,
  list: z.object({ tasks: z.array(taskProto), ...page }),
  cancel: taskProto,
  push_set: pushProto,
  push_get: pushProto,
  push_list: z.object({ configs: z.array(pushProto), nextPageToken: z.string() }),
  push_delete: deleted,
  extended_card: cardProto,
};

/** In v1.0. */
export const answers10 = {
  send: z.union([z.object({ task: task10 }), z.object({ message: message10 })]),
  get: task10,
  list: z.object({ tasks: z.array(task10), ...page }),
  cancel: task10,
  push_set: push10,
  push_get: push10,
  push_list: z.object({ configs: z.array(push10).optional(), nextPageToken: z.string().optional() }),
  push_delete: z.object({}),
  extended_card: agentCardV1,
};

/** An error on REST: v0.3 uses the error object of JSON-RPC, v1.0 a google.rpc.Status. a2a v1.0 §11.6. */
export const restError = z.union([
  z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  z.object({
    error: z.object({
      code: z.int(),
      status: z.string(),
      message: z.string(),
      details: z.array(z.record(z.string(), z.unknown())),
    }),
  }),
]);
