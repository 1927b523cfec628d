// Conversions of tasks to and from their wire shapes. They hold no rules.
import type { z } from 'zod';
import { stepDescriptor } from '../../../contracts/step.ts';
import type { newTask, TaskCoreWire, TaskWire } from '../../../contracts/task.ts';
import type { AssignmentWire, SentInterventionWire, WorkerTask } from '../../../contracts/worker.ts';
import type { SentIntervention } from '../../../domain/model/intervention.ts';
import type { TaskQuestion } from '../../../domain/model/task/task-question.ts';
import type { TaskStep } from '../../../domain/model/task/task-step.ts';
import type { WaitingReason } from '../../../domain/model/task/route.ts';
import type { AssignedCodebase, Assignment, Task, TaskMessage } from '../../../domain/model/task/task.ts';
import { newDraft, type TaskDraft } from '../../../domain/model/task/task-draft.ts';
import type { TaskEvent } from '../../../domain/model/task/task-event.ts';
import type { ActiveTaskView } from '../../../domain/tasks/exchange/task-activity.ts';
import { parseTraceparent } from '../../../lib/trace/traceparent.ts';

/** A task as REST answers it. */
export function taskToWire({ task, waitingReason, question, lastOutput }: ActiveTaskView): TaskWire {
  return {
    ...taskCoreToWire(task, waitingReason),
    question: question === null ? null : questionToWire(question),
    last_event_at: task.lastEventAt,
    last_output: lastOutput,
    lease_expires_at: task.leaseExpiresAt,
    paused_at: task.pausedAt,
    changes: task.changes,
    follows: task.follows,
    trace_id: parseTraceparent(task.traceparent ?? undefined)?.traceId,
  };
}

function questionToWire({ questionId, kind, text, options, context, askedAt }: TaskQuestion): TaskWire['question'] {
  return { question_id: questionId, kind, text, options: [...options], context, asked_at: askedAt };
}

/** A task as workers and tools get it. */
export function taskCoreToWire(task: Task, waitingReason: WaitingReason | null): TaskCoreWire {
  return {
    id: task.id,
    title: task.title,
    prompt: task.prompt,
    status: task.status,
    waiting_reason: waitingReason ?? undefined,
    agent_type: task.agentType,
    model: task.model,
    priority: task.priority,
    codebase_id: task.codebaseId,
    worker_id: task.workerId,
    target_agent: task.targetAgent,
    target_worker_id: task.targetWorkerId,
    required_capabilities: [...task.requiredCapabilities],
    conversation_id: task.conversationId,
    created_by: task.createdBy,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    started_at: task.startedAt,
    completed_at: task.completedAt,
    run_id: task.attemptId,
    attempt: task.attempt,
    max_attempts: task.maxAttempts,
    deadline_at: task.deadlineAt,
    webhook_url: task.webhookUrl,
    result: task.result,
    error: task.error,
    usage: task.usage,
    retry_of: task.retryOf,
    metadata: task.metadata,
    step: task.step === null ? undefined : stepSummaryOf(task.step),
  };
}

function stepSummaryOf({ run_id, story_id, n, kind }: TaskStep): TaskCoreWire['step'] {
  return { run_id, story_id, n, kind };
}

function messageToWire(message: TaskMessage): WorkerTask['messages'][number] {
  return { message_id: message.messageId, role: message.role, parts: [...message.parts], at: message.at };
}

/** An intervention as sent to its worker. */
export function sentInterventionToWire({
  taskId,
  messageId,
  message,
  ...rest
}: SentIntervention): SentInterventionWire {
  return {
    ...rest,
    task_id: taskId,
    message,
    message_id: messageId,
  };
}

function assignedCodebaseToWire({ codebaseId, path, workspaceMode }: AssignedCodebase): AssignmentWire['codebase'] {
  return { codebase_id: codebaseId, path, workspace_mode: workspaceMode };
}

/** A task as sent to its worker. */
export function assignmentToWire(assignment: Assignment): AssignmentWire {
  return {
    task: {
      ...taskCoreToWire(assignment.task, null),
      // The row has the whole descriptor, which this schema accepted before it was stored.
      step: assignment.task.step === null ? undefined : stepDescriptor.parse(assignment.task.step),
      messages: assignment.messages.map(messageToWire),
      checkpoint: assignment.checkpoint ?? undefined,
      traceparent: assignment.task.traceparent ?? undefined,
    },
    lease_token: assignment.leaseToken,
    lease_expires_at: assignment.leaseExpiresAt,
    codebase: assignment.codebase === null ? undefined : assignedCodebaseToWire(assignment.codebase),
    interventions:
      assignment.interventions.length === 0 ? undefined : assignment.interventions.map(sentInterventionToWire),
  };
}

/** Event data already has its wire names; only the order of fields is set. */
export function eventToWire(event: TaskEvent): Record<string, unknown> {
  return { seq: event.seq, type: event.type, at: event.at, data: event.data };
}

type NewTaskBody = Omit<z.output<typeof newTask>, 'codebase_id'>;

/** The draft of a task from a REST body. */
export function draftFromBody(body: NewTaskBody, codebaseId: string | null): TaskDraft {
  return newDraft({
    title: body.title,
    prompt: body.prompt,
    codebaseId,
    requiredCapabilities: body.required_capabilities,
    targetAgent: body.target_agent,
    targetWorkerId: body.target_worker_id,
    agentType: body.agent_type,
    model: body.model,
    priority: body.priority,
    conversationId: body.conversation_id,
    deadlineAt: body.deadline_at,
    maxAttempts: body.max_attempts,
    webhookUrl: body.webhook_url,
    metadata: body.metadata,
  });
}

/** The sequence number in `Last-Event-ID`. Any other value is treated as a number beyond the end, which leads to a resync. */
export function parseLastEventId(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  return /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.MAX_SAFE_INTEGER;
}
