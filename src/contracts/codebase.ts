// Wire shapes of codebases and of the agents' sessions in them. choices-3.
import { z } from 'zod';
import { id, metadata, pageQuery, timestamp } from './common.ts';
import { routingFields } from './task.ts';

/** A generated id, or the word `global` (one per tenant). */
export const codebaseId = z.union([id, z.literal('global')]);
export const workspaceMode = z.enum(['worktree', 'in_place']);
const name = z.string().min(1).max(200);
const path = z.string().min(1).max(4096);

export const codebase = z.object({
  codebase_id: codebaseId,
  name: z.string(),
  path: z.string(),
  description: z.string(),
  worker_id: id.nullable(),
  status: z.enum(['active', 'unbound']),
  workspace_mode: workspaceMode,
  created_by: z.string(),
  created_at: timestamp,
  bindings: z.array(z.object({ worker_id: id, path: z.string() })),
});
export type CodebaseWire = z.infer<typeof codebase>;

/** Body of `POST /v1/agent/codebases`. With `worker_id` it is bound at once, else workers are asked to find the path. */
export const newCodebase = z.strictObject({
  /** A known id, or `global`; any other value is a 404, whatever its form. choices-3. */
  codebase_id: z.string().min(1).max(200).optional(),
  name,
  path,
  description: z.string().max(2000).default(''),
  worker_id: id.optional(),
  workspace_mode: workspaceMode.optional(),
});
export type NewCodebaseWire = z.infer<typeof newCodebase>;

export const codebaseAnswer = z.object({ codebase });
export const registrationPending = z.object({ pending: z.literal(true), task_id: id, message: z.string() });
export const codebasePage = z.object({ codebases: z.array(codebase), next_cursor: z.string().nullable() });
export const codebaseQuery = z.strictObject({ ...pageQuery, worker_id: id.optional() });

export const session = z.object({
  session_id: z.string(),
  codebase_id: codebaseId,
  worker_id: id.nullable(),
  title: z.string(),
  agent: z.string().nullable(),
  started_at: timestamp.nullable(),
  last_activity_at: timestamp,
  message_count: z.int(),
  tool_usage: z.record(z.string(), z.int()),
  metadata,
});
export const sessionMessage = z.object({
  message_id: z.string(),
  role: z.string(),
  summary: z.string(),
  at: timestamp,
  tool_usage: z.record(z.string(), z.int()),
});
export const sessionPage = z.object({ sessions: z.array(session), next_cursor: z.string().nullable() });
export const sessionQuery = z.strictObject({ ...pageQuery, q: z.string().min(1).max(200).optional() });
export const sessionAnswer = z.object({ session });
export const sessionMessagePage = z.object({ messages: z.array(sessionMessage), next_cursor: z.string().nullable() });

const sessionKey = z.string().min(1).max(200);
const toolUsage = z.record(z.string().max(200), z.int().min(0)).default({});
/** Body of `POST …/sessions/sync`: the sessions of the worker's agents. core-2.7. */
export const sessionSync = z.strictObject({
  worker_id: id,
  sessions: z
    .array(
      z.strictObject({
        session_id: sessionKey,
        title: z.string().max(500).default(''),
        agent: z.string().max(200).optional(),
        started_at: timestamp.optional(),
        last_activity_at: timestamp.optional(),
        message_count: z.int().min(0).default(0),
        tool_usage: toolUsage,
        metadata: metadata.default({}),
      }),
    )
    .max(500),
});
export const messageSync = z.strictObject({
  worker_id: id,
  messages: z
    .array(
      z.strictObject({
        message_id: sessionKey,
        role: z.string().min(1).max(50),
        summary: z.string().max(20_000).default(''),
        at: timestamp.optional(),
        tool_usage: toolUsage,
      }),
    )
    .max(1000),
});
export const synced = z.object({ synced: z.int() });
export const resumeRequest = z.strictObject({ prompt: z.string().min(1).max(200_000), ...routingFields });
