// Conversions of tasks to and from the wire shapes of automation: names and states, no rules. choices-2.
import type { AutomationStatus, AutomationTaskWire } from '../../../contracts/automation.ts';
import type { Task } from '../../../domain/model/task/task.ts';
import { isTerminal, type TaskStatus } from '../../../domain/model/task/task-state.ts';
import type { TaskViewWithQuestion } from '../../../domain/tasks/exchange/task-questions.ts';
import { cutText } from '../../../lib/text/cut-text.ts';

const automationStatusByTaskStatus: Record<TaskStatus, AutomationStatus> = {
  pending: 'queued',
  running: 'running',
  needs_input: 'needs_input',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

const taskStatusByAutomationStatus: Record<AutomationStatus, TaskStatus> = {
  queued: 'pending',
  running: 'running',
  needs_input: 'needs_input',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Characters of a result in its summary; the task and the webhook have the full result. */
const summaryLength = 10_000;

export function statusToAutomation(status: TaskStatus): AutomationStatus {
  return automationStatusByTaskStatus[status];
}

/** The task state of an automation status. */
export function statusFromAutomation(status: AutomationStatus): TaskStatus {
  return taskStatusByAutomationStatus[status];
}

export function automationTaskToWire({ task, waitingReason, question }: TaskViewWithQuestion): AutomationTaskWire {
  const summary = summaryOf(task, question);
  return {
    task_id: task.id,
    run_id: task.attemptId,
    status: automationStatusByTaskStatus[task.status],
    title: task.title,
    created_at: task.createdAt,
    waiting_reason: waitingReason ?? undefined,
    agent_type: task.agentType,
    model: task.model,
    priority: task.priority,
    codebase_id: task.codebaseId,
    started_at: task.startedAt,
    result_summary: summary === null ? null : cutText(summary, summaryLength),
    runtime_seconds: runtimeSeconds(task),
    completed_at: task.completedAt,
    error: task.error,
  };
}

/** A finished task always has a summary, possibly empty; a task that needs input has its question. core-2.4, choices-5. */
function summaryOf(task: Task, question: string | null): string | null {
  if (!isTerminal(task.status)) return question;
  return task.result ?? task.error?.message ?? '';
}

/** 0 for a finished task that never started; null for a task that is not finished. */
function runtimeSeconds(task: Task): number | null {
  if (task.completedAt === null) return null;
  if (task.startedAt === null) return 0;
  return Math.max(0, Math.round((Date.parse(task.completedAt) - Date.parse(task.startedAt)) / 1000));
}
