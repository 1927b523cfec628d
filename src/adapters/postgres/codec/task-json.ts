// Conversions from JSON of the database to tasks, messages and events of the domain.
// The columns are typed and only this program writes them, so the shapes are trusted; all such casts are in this file.
import type { InterventionAction, SentIntervention } from '../../../domain/model/intervention.ts';
import type { WorkspaceMode } from '../../../domain/model/codebase.ts';
import type { Assignment, Part, Task, TaskMessage } from '../../../domain/model/task/task.ts';
import type { TaskEvent, TaskEventBody } from '../../../domain/model/task/task-event.ts';
import type { TaskColumnsJson } from './task-columns.ts';

/** `to_jsonb(tasks)`, as far as it is read. */
export type TaskJson = TaskColumnsJson;

export interface MessageJson {
  readonly message_id: string;
  readonly role: 'user' | 'agent';
  readonly parts: Part[];
  readonly metadata: Record<string, unknown>;
  readonly at: string;
}

export interface AssignmentJson {
  readonly task: TaskJson;
  readonly messages: MessageJson[];
  readonly interventions?: readonly SentInterventionJson[] | null;
  readonly codebase: {
    readonly codebase_id: string;
    readonly path: string;
    readonly workspace_mode: WorkspaceMode;
  } | null;
  readonly checkpoint: { readonly data: unknown; readonly at: string } | null;
  readonly lease_token: string;
  readonly lease_expires_at: string;
}

/** ISO 8601 UTC with milliseconds. choices-3. */
export function isoTime(time: string | Date): string {
  return (typeof time === 'string' ? new Date(time) : time).toISOString();
}

function isoTimeOrNull(time: string | null): string | null {
  return time === null ? null : isoTime(time);
}

export function taskFromRow(row: TaskJson): Task {
  return {
    id: row.id,
    title: row.title,
    prompt: row.prompt,
    status: row.status,
    agentType: row.agent_type,
    model: row.model,
    priority: row.priority,
    codebaseId: row.codebase_id,
    workerId: row.worker_id,
    targetAgent: row.target_agent,
    targetWorkerId: row.target_worker_id,
    requiredCapabilities: row.required_capabilities,
    conversationId: row.conversation_id,
    createdBy: row.created_by,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    startedAt: isoTimeOrNull(row.started_at),
    completedAt: isoTimeOrNull(row.completed_at),
    deadlineAt: isoTimeOrNull(row.deadline_at),
    attemptId: row.run_id,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    lastSeq: row.last_seq,
    lastEventAt: isoTime(row.last_event_at),
    outputSeq: row.output_seq,
    leaseExpiresAt: isoTimeOrNull(row.lease_expires_at),
    pausedAt: isoTimeOrNull(row.paused_at),
    heldBack: row.held_back,
    webhookUrl: row.webhook_url,
    result: row.result,
    error: row.error,
    usage: row.usage,
    changes: row.changes,
    retryOf: row.retry_of,
    follows: row.follows,
    metadata: row.metadata,
    step: row.step,
    traceparent: row.traceparent,
  };
}

export function messageFromRow(row: MessageJson): TaskMessage {
  return {
    messageId: row.message_id,
    role: row.role,
    parts: row.parts,
    metadata: row.metadata,
    at: isoTime(row.at),
  };
}

export function assignmentFromRow(row: AssignmentJson): Assignment {
  return {
    task: taskFromRow(row.task),
    messages: row.messages.map(messageFromRow),
    interventions: (row.interventions ?? []).map(sentInterventionFromRow),
    codebase:
      row.codebase === null
        ? null
        : {
            codebaseId: row.codebase.codebase_id,
            path: row.codebase.path,
            workspaceMode: row.codebase.workspace_mode,
          },
    checkpoint: row.checkpoint === null ? null : { data: row.checkpoint.data, at: isoTime(row.checkpoint.at) },
    leaseToken: row.lease_token,
    leaseExpiresAt: isoTime(row.lease_expires_at),
  };
}

/** An item of the result of functions/interventions/interventions-send.sql. */
export interface SentInterventionJson {
  readonly id: string;
  readonly task_id: string;
  readonly action: InterventionAction;
  readonly message?: string;
  readonly message_id?: string;
}

export function sentInterventionFromRow(row: SentInterventionJson): SentIntervention {
  return { id: row.id, taskId: row.task_id, action: row.action, message: row.message, messageId: row.message_id };
}

/** A row of task_events. Only the queue's functions write them, so `data` always matches `type`. */
export type EventRow = TaskEventBody & { readonly seq: string; readonly at: Date };

export function eventFromRow(row: EventRow): TaskEvent {
  return { ...row, seq: Number(row.seq), at: isoTime(row.at) };
}
