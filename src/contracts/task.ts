// Wire shapes of tasks: the task itself, its creation, lists, answers. choices-3.
import { z } from 'zod';
import { stepSummary } from './step.ts';
import { givenTime, id, label, metadata, pageQuery, timestamp } from './common.ts';

export const taskStatus = z.enum(['pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled']);

export const waitingReasonCode = z.enum([
  'no_codebase',
  'no_worker_for_codebase',
  'no_worker_with_capability',
  'no_such_agent',
  'no_such_worker',
  'worker_offline',
  'workers_busy',
  'held_back',
  'refused_by_worker',
  'claimable',
]);

export const taskError = z.object({
  code: z.string().min(1).max(100),
  message: z.string().max(20_000),
  /** When the limit of a model ends, for `rate_limited`, if the provider named a time. */
  retry_at: timestamp.optional(),
});

/** Usage of a run, as far as the agent reported it. Tokens are counts, cost is in US dollars, time is wall clock. */
export const usage = z.object({
  input_tokens: z.int().min(0).optional(),
  output_tokens: z.int().min(0).optional(),
  cached_tokens: z.int().min(0).optional(),
  cost_usd: z.number().min(0).optional(),
  duration_ms: z.int().min(0).optional(),
  /** The source of the cost: the agent's report, the worker's table of prices, or none (there is no cost). */
  cost_source: z.enum(['agent', 'table', 'none']).optional(),
});

/** One part of a message: text, a file by bytes (base64) or address, or data. */
export const part = z.union([
  z.strictObject({ text: z.string(), metadata: metadata.optional() }),
  z.strictObject({ data: z.unknown(), metadata: metadata.optional() }),
  z.strictObject({
    file: z.strictObject({
      name: z.string().optional(),
      mime_type: z.string().optional(),
      bytes: z.string().optional(),
      uri: z.string().optional(),
    }),
    metadata: metadata.optional(),
  }),
]);
export type PartWire = z.infer<typeof part>;

/** `permission`: the agent asks to be allowed something. */
export const questionKind = z.enum(['question', 'permission']);

/** One turn of the conversation with a task's agent. */
export const taskMessage = z.object({
  message_id: z.string(),
  role: z.enum(['user', 'agent']),
  parts: z.array(part),
  at: timestamp,
});

/** A question of an agent, while its task needs input. */
export const taskQuestion = z.object({
  /** Id of the question's message in the exchange. */
  question_id: z.string(),
  kind: questionKind,
  text: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  /** Details for a person to decide by, in the agent's own form. */
  context: metadata.nullable(),
  asked_at: timestamp,
});

/** A task without what is read beside its row: as workers and tools get it. */
export const taskCore = z.object({
  id,
  title: z.string(),
  prompt: z.string(),
  status: taskStatus,
  waiting_reason: waitingReasonCode.optional(),
  agent_type: z.string().nullable(),
  model: z.string().nullable(),
  priority: z.int(),
  codebase_id: z.string().nullable(),
  worker_id: id.nullable(),
  target_agent: z.string().nullable(),
  target_worker_id: id.nullable(),
  required_capabilities: z.array(z.string()),
  conversation_id: z.string().nullable(),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  run_id: id,
  attempt: z.int(),
  max_attempts: z.int(),
  deadline_at: timestamp.nullable(),
  webhook_url: z.string().nullable(),
  result: z.string().nullable(),
  error: taskError.nullable(),
  usage: usage.nullable(),
  retry_of: id.nullable(),
  metadata,
  /** The step of a run that the task carries out; absent for other tasks. */
  step: stepSummary.optional(),
});
export type TaskCoreWire = z.infer<typeof taskCore>;

/** A task as REST answers it. ui-6.2. */
export const task = taskCore.extend({
  /** While the task needs input. */
  question: taskQuestion.nullable(),
  last_event_at: timestamp,
  /** The last line of its output, at most 200 characters, without control characters. */
  last_output: z.object({ at: timestamp, text: z.string() }).nullable(),
  /** While it runs. */
  lease_expires_at: timestamp.nullable(),
  /** Since when its agent has confirmed a pause, while it runs. */
  paused_at: timestamp.nullable(),
  /** The size of its newest diff. */
  changes: z.object({ files: z.int(), added: z.int(), removed: z.int() }).nullable(),
  /** The task whose review it carries out. */
  follows: id.nullable(),
  /** The trace of the call that created it, in hexadecimal; absent where that was not traced. */
  trace_id: z.string().optional(),
});
export type TaskWire = z.infer<typeof task>;

/** Fields that every way to create a task accepts. choices-3. */
export const routingFields = {
  priority: z.int().min(0).max(100).default(0),
  agent_type: label.optional(),
  model: label.optional(),
  required_capabilities: z.array(label).max(32).default([]),
  target_agent: label.optional(),
  target_worker_id: id.optional(),
  deadline_at: givenTime.optional(),
  max_attempts: z.int().min(1).max(20).optional(),
  conversation_id: z.string().min(1).max(200).optional(),
  metadata: metadata.default({}),
  webhook_url: z.url().max(2000).optional(),
};

const titleAndPrompt = { title: z.string().min(1).max(200), prompt: z.string().min(1).max(200_000) };

/** Body of `POST /v1/agent/codebases/{id}/tasks`. core-2.5. */
export const newCodebaseTask = z.strictObject({ ...titleAndPrompt, ...routingFields });

/** Body of `POST /v1/agent/tasks`. core-2.5. */
export const newTask = z.strictObject({
  ...titleAndPrompt,
  codebase_id: z.string().min(1).max(200).optional(),
  ...routingFields,
});

/** One value or several. In a query a list is repeated or separated by commas. */
const oneOrMore = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).min(1).max(200)]);

/** The filters of lists and counts of tasks. ui-6.1. */
export const taskFilterFields = {
  status: oneOrMore(taskStatus).optional(),
  ids: oneOrMore(id).optional(),
  codebase_id: z.string().min(1).max(200).optional(),
  worker_id: id.optional(),
  agent_type: label.optional(),
  target_agent: label.optional(),
  conversation_id: z.string().min(1).max(200).optional(),
  created_by: z.string().min(1).max(300).optional(),
  error_code: z.string().min(1).max(100).optional(),
  retry_of: id.optional(),
  follows: id.optional(),
  q: z.string().min(1).max(200).optional(),
  created_after: givenTime.optional(),
  created_before: givenTime.optional(),
  /** Ended tasks: from this time on, and before it. */
  ended_after: givenTime.optional(),
  ended_before: givenTime.optional(),
  deadline_before: givenTime.optional(),
  /** Running tasks without an event since this time. */
  silent_since: givenTime.optional(),
  paused: z.boolean().optional(),
  attempt_min: z.int().min(0).max(1000).optional(),
  /** True: steps of runs are listed too. */
  steps: z.boolean().default(false),
  /** The steps of this run alone. */
  ralph_run_id: id.optional(),
};

/** The same filters in a body: a list may be separated by commas there too. */
export const taskFilter = z.strictObject({
  ...taskFilterFields,
  status: oneOrMore(z.string().min(1).max(200)).optional(),
  ids: oneOrMore(z.string().min(1).max(8000)).optional(),
});
export type TaskFilterWire = z.output<typeof taskFilter>;

/** A page of rare tasks may be short and still have a `next_cursor`: tasks are searched in steps. */
export const taskQuery = z.strictObject({
  ...pageQuery,
  ...taskFilterFields,
  sort: z.enum(['created', 'updated', 'priority']).default('created'),
});

export const taskAnswer = z.object({ task });
export const taskPage = z.object({ tasks: z.array(task), next_cursor: z.string().nullable() });
/** Exactly one of `message` and `option`. */
export const taskInput = z.strictObject({
  message: z.string().min(1).max(200_000).optional(),
  /** The value of one of the question's options. */
  option: label.optional(),
  /** The question that is answered; refused with `question_changed` when the task asks another one. */
  question_id: z.string().min(1).max(200).optional(),
});

/** Fields of a pending task that its owner may change; null: it has no deadline any more. */
export const taskChange = z
  .strictObject({
    priority: z.int().min(0).max(100).optional(),
    deadline_at: givenTime.nullable().optional(),
    title: z.string().min(1).max(200).optional(),
  })
  .meta({ minProperties: 1 });

/** A creation that is not sent yet. ui-6.7. */
export const taskDraft = z.strictObject({
  title: z.string().max(200).optional(),
  prompt: z.string().max(200_000).optional(),
  codebase_id: z.string().min(1).max(200).optional(),
  ...routingFields,
});

/** A condition that a worker does not meet, in the order in which they are looked at. */
export const obstacleCode = z.enum([
  'not_targeted',
  'no_codebase',
  'no_capability',
  'offline_since',
  'slots_full',
  'held_back_until',
]);

/** Why a task waits. ui-6.7. */
export const taskWhy = z.object({
  /** Null: the task does not wait. */
  reason: waitingReasonCode.nullable(),
  /** Pending tasks of its codebase that a common worker takes first; counted up to 10,000. */
  ahead: z.int(),
  /** At most 200 workers: first those that can take it, then those that lack least. */
  workers: z.array(
    z.object({
      worker_id: id,
      name: z.string(),
      can: z.boolean(),
      because: obstacleCode.nullable(),
      /** The last heartbeat for `offline_since`, the end of the hold for `held_back_until`. */
      at: timestamp.nullable(),
    }),
  ),
  /** One sentence, with the command. */
  remedy: z.string(),
});
export type TaskWhyWire = z.infer<typeof taskWhy>;

export const bulkAction = z.enum(['cancel', 'retry', 'priority']);

/** Exactly one of `ids` and `filter`; `priority` belongs to the action of that name. ui-6.10. */
export const bulkRequest = z.strictObject({
  action: bulkAction,
  ids: z.array(id).min(1).max(2000).optional(),
  filter: taskFilter.optional(),
  priority: z.int().min(0).max(100).optional(),
  /** True: nothing is changed, and the answer is the same. */
  dry_run: z.boolean().default(false),
  /** The cursor of an earlier answer with a filter. */
  cursor: z.string().min(1).max(500).optional(),
});

export const bulkAnswer = z.object({
  matched: z.int(),
  results: z.array(
    z.object({
      id,
      ok: z.boolean(),
      /** The code of the error where `ok` is false. */
      code: z.string().optional(),
      /** The new task of a retry. */
      task_id: id.optional(),
    }),
  ),
  /** Further tasks match the filter. */
  next_cursor: z.string().nullable(),
});
export type BulkAnswerWire = z.infer<typeof bulkAnswer>;

export const cancelRequest = z.strictObject({ reason: z.string().max(2000).optional() });

export const trigger = z.strictObject({
  prompt: z.string().min(1).max(200_000),
  agent: label.optional(),
  title: z.string().min(1).max(200).optional(),
  ...routingFields,
});
export const triggered = z.object({ task_id: id, run_id: id, session_id: z.string(), status: taskStatus });
