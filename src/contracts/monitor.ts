// Wire shapes of the monitor routes and of the health check. core-2.7, choices-1.
import { z } from 'zod';
import { id, label, pageQuery, timestamp } from './common.ts';
import { taskFilterFields, taskStatus, waitingReasonCode } from './task.ts';
import { workerStatus } from './worker.ts';

/** Response of `GET /v1/monitor/workers`; `codebases` is a count, as in core-2.7. A list like all others: choices-3. */
export const monitorWorkerQuery = z.strictObject(pageQuery);
export const monitorWorkers = z.object({
  workers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: workerStatus,
      last_heartbeat: timestamp,
      codebases: z.int(),
      tasks_completed: z.int(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

/** An agent that messages can be addressed to by name. tools-4.2; `discover_agents` of the tool protocol returns the same. */
export const agent = z.object({
  name: z.string(),
  role: z.enum(['worker', 'agent']),
  description: z.string(),
  url: z.string().optional(),
  capabilities: z.array(z.string()),
  models: z.array(z.string()),
  last_seen: timestamp,
  registered_at: timestamp,
  online: z.boolean(),
  /** True if an online worker would take a task targeted at it. */
  routable: z.boolean(),
  source: z.enum(['worker', 'registered']),
});
export const agentQuery = z.strictObject({
  ...pageQuery,
  capability: label.optional(),
  online_only: z.boolean().default(false),
});
export const agentPage = z.object({ agents: z.array(agent), next_cursor: z.string().nullable() });

/** One message of a conversation; `system` explains a missing answer. */
export const conversationMessage = z.object({
  id: z.string(),
  conversation_id: z.string(),
  task_id: id,
  role: z.enum(['user', 'agent', 'system']),
  agent_name: z.string().nullable(),
  at: timestamp,
  text: z.string(),
});

/** Words to search for, and one conversation. */
const messageFilter = {
  q: z.string().min(1).max(200).optional(),
  conversation_id: z.string().min(1).max(200).optional(),
};

export const messageQuery = z.strictObject({ ...pageQuery, ...messageFilter });
/** Newest first. A page may be shorter than `limit` and still have a `next_cursor`: rare words are searched in steps. */
export const messagePage = z.object({ messages: z.array(conversationMessage), next_cursor: z.string().nullable() });

export const exported = ['messages', 'tasks', 'agents'] as const;
/** `q` and `conversation_id` filter messages and tasks, the other filters of the list of tasks tasks alone. */
export const exportQuery = z.strictObject({
  what: z.enum(exported).default('messages'),
  ...taskFilterFields,
  ...messageFilter,
  /** Most rows. */
  limit: z.int().min(1).max(100_000).default(10_000),
  cursor: pageQuery.cursor,
});
export const exportedTask = z.object({
  id,
  title: z.string(),
  status: taskStatus,
  codebase_id: z.string().nullable(),
  conversation_id: z.string().nullable(),
  target_agent: z.string().nullable(),
  worker_id: id.nullable(),
  priority: z.int(),
  created_by: z.string(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  attempt: z.int(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  prompt: z.string(),
  result: z.string().nullable(),
});
const exportFields = { exported_at: timestamp, next_cursor: z.string().nullable() };
/** The rows, under the name of the requested kind; `next_cursor` if `limit` ended the list. */
export const exportJson = z.union([
  z.strictObject({ ...exportFields, messages: z.array(conversationMessage) }),
  z.strictObject({ ...exportFields, tasks: z.array(exportedTask) }),
  z.strictObject({ ...exportFields, agents: z.array(agent) }),
]);

const countsByStatus = z.object({
  pending: z.int(),
  running: z.int(),
  needs_input: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
});

/** The filters of the list of tasks. ui-6.1. */
export const countQuery = z.strictObject(taskFilterFields);
/** Each status is counted up to 10,000; `capped`: some count is a lower bound. */
export const taskCounts = z.object({ counts: countsByStatus, capped: z.boolean() });

/** The routes of pending tasks: tasks of one route wait for the same workers. ui-6.1. */
export const waiting = z.object({
  routes: z.array(
    z.object({
      codebase_id: z.string().nullable(),
      agent_type: z.string().nullable(),
      /** The agent or worker that the tasks are for. */
      target: z.string().nullable(),
      required_capabilities: z.array(z.string()),
      count: z.int(),
      oldest_at: timestamp,
      waiting_reason: waitingReasonCode,
      /** One sentence, with the command. */
      remedy: z.string(),
    }),
  ),
  /** There are more routes, or more tasks of these. */
  capped: z.boolean(),
});

export const stats = z.object({
  tasks: countsByStatus,
  workers: z.object({ active: z.int(), offline: z.int(), slots: z.int(), busy: z.int() }),
  codebases: z.int(),
  /** Age in seconds of the oldest pending task; null if there is none. */
  oldest_pending_seconds: z.number().nullable(),
});

export const health = z.object({ status: z.enum(['ok', 'degraded']), version: z.string() });
