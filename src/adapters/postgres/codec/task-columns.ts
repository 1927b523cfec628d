// The columns of table tasks that carry a task: the only list of them. The codecs' types and the SQL of queue_submit are
// made from it, so a field that is forgotten anywhere is an error of the compiler or of test/adapters/postgres/codec.
import type { Task } from '../../../domain/model/task/task.ts';

type SqlType = 'uuid' | 'text' | 'text[]' | 'smallint' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' | 'jsonb';

/** Field of `Task`, column, SQL type; for a column that a submit sets also its value, an expression over the submit's row. */
type TaskColumn =
  readonly [keyof Task, column: string, SqlType] | readonly [keyof Task, column: string, SqlType, value: string];

export const taskColumns = [
  ['id', 'id', 'uuid', 'id'],
  ['title', 'title', 'text', 'coalesce(title, prompt)'],
  ['prompt', 'prompt', 'text', 'prompt'],
  ['status', 'status', 'text'],
  ['agentType', 'agent_type', 'text', 'agent_type'],
  ['model', 'model', 'text', 'model'],
  ['priority', 'priority', 'smallint', 'coalesce(priority, 0)'],
  ['codebaseId', 'codebase_id', 'text', 'codebase_id'],
  ['workerId', 'worker_id', 'uuid'],
  ['targetAgent', 'target_agent', 'text', 'target_agent'],
  ['targetWorkerId', 'target_worker_id', 'uuid', 'target_worker_id'],
  ['requiredCapabilities', 'required_capabilities', 'text[]', `coalesce(required_capabilities, '{}')`],
  ['conversationId', 'conversation_id', 'text', 'conversation_id'],
  ['createdBy', 'created_by', 'text', 'created_by'],
  ['createdAt', 'created_at', 'timestamptz'],
  ['updatedAt', 'updated_at', 'timestamptz'],
  ['startedAt', 'started_at', 'timestamptz'],
  ['completedAt', 'completed_at', 'timestamptz'],
  ['deadlineAt', 'deadline_at', 'timestamptz', 'deadline_at'],
  ['attemptId', 'run_id', 'uuid', 'run_id'],
  ['attempt', 'attempt', 'integer'],
  ['maxAttempts', 'max_attempts', 'integer', 'max_attempts'],
  ['lastSeq', 'last_seq', 'bigint'],
  ['lastEventAt', 'last_event_at', 'timestamptz'],
  ['outputSeq', 'output_seq', 'bigint'],
  ['leaseExpiresAt', 'lease_expires_at', 'timestamptz'],
  ['pausedAt', 'paused_at', 'timestamptz'],
  ['heldBack', 'held_back', 'boolean'],
  ['webhookUrl', 'webhook_url', 'text', 'webhook_url'],
  ['result', 'result', 'text'],
  ['error', 'error', 'jsonb'],
  ['usage', 'usage', 'jsonb'],
  ['changes', 'changes', 'jsonb'],
  ['retryOf', 'retry_of', 'uuid', 'retry_of'],
  ['follows', 'follows', 'uuid', 'follows'],
  ['metadata', 'metadata', 'jsonb', `coalesce(metadata, '{}')`],
  ['step', 'step', 'jsonb', 'step'],
  ['traceparent', 'traceparent', 'text', 'traceparent'],
] as const satisfies readonly TaskColumn[];

/** Columns that a submit sets beside the fields of a task, and their values. */
export const submitOnlyColumns = [
  ['route_id', 'text', 'route_id'],
  ['topic', 'text', 'topic'],
  ['has_push_configs', 'boolean', 'push is not null'],
  ['step_run_id', 'uuid', "(step->>'run_id')::uuid"],
] as const;

/** Columns of the queue's own state, which no caller sets or reads. */
export const internalColumns = [
  'tenant_id',
  'epoch',
  'lease_token',
  'lease_seen',
  'last_event_n',
  'releases',
  'has_interventions',
  'checkpoint_seq',
  'outbox_seq',
  'artifact_bytes',
  'output_lines',
] as const;

type Column = (typeof taskColumns)[number];
type SubmittedColumn = Extract<Column, readonly [unknown, unknown, unknown, string]>[1];

/** The columns as JSON of the database has them: times are text in any spelling of PostgreSQL's. */
export type TaskColumnsJson = { readonly [C in Column as C[1]]: Task[C[0]] };

/** The members of a submit's row. `push` and `message` become rows of their own, `idempotency` is read separately. */
export type SubmitMember = SubmittedColumn | 'route_id' | 'topic' | 'push' | 'message' | 'idempotency';

const submitted = taskColumns.flatMap(([, column, type, value]) =>
  value === undefined ? [] : [{ column, type, value }],
);

/** Texts for the braces of functions/tasks/queue-submit.sql. */
export const submitSql: Readonly<Record<string, string>> = {
  submit_members: [
    ...submitted.map(({ column, type }) => `${column} ${type}`),
    'route_id text, topic text, push jsonb, message jsonb',
  ].join(', '),
  submit_columns: [...submitted, ...submitOnlyColumns.map(([column]) => ({ column }))]
    .map(({ column }) => column)
    .join(', '),
  submit_values: [...submitted, ...submitOnlyColumns.map(([, , value]) => ({ value }))]
    .map(({ value }) => value)
    .join(', '),
};
