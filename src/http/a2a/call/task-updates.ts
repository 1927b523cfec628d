// A task's log as the protocol's updates. Each event is one frame:
//   status      → status-update; its message is the question, the result, or why it failed
//   output      → status-update `working` with what was printed as a message of the agent
//   progress    → status-update `working`, its words as a message of the agent
//   message     → status-update with the message, of the agent or of a caller who added to the exchange
//   checkpoint  → status-update `working`, without its content: that is the agent's own memory
//   intervention → status-update, in its metadata what people told the agent and whether it got there
//   artifact    → artifact-update with append and lastChunk
// The metadata of a status-update says in `event` which of these it is.
import type { Message, StreamResponse } from '@a2a-js/sdk';
import type { Task } from '../../../domain/model/task/task.ts';
import type { ArtifactData, StatusData, TaskEvent } from '../../../domain/model/task/task-event.ts';
import type { TaskStatus } from '../../../domain/model/task/task-state.ts';
import type { TaskDetails } from '../../../domain/tasks/task-details.ts';
import { unreachable } from '../../../lib/net/unreachable.ts';
import {
  artifactToSdk,
  contextIdOf,
  messageToSdk,
  outcomeId,
  outcomeText,
  agentTextToSdk,
  stateByStatus,
  statusMessage,
  taskToSdk,
  type BuildArtifactUrl,
} from './sdk-objects.ts';

type TaskRef = Pick<Task, 'id' | 'conversationId'>;

/** The frame that a stream begins with: all that was before it. Its further params are those of `taskObject`. */
export function taskSnapshotFrame(
  details: TaskDetails,
  historyLength: number | undefined,
  artifactUrlOf: BuildArtifactUrl,
): StreamResponse {
  return { payload: { $case: 'task', value: taskToSdk(details, historyLength, artifactUrlOf) } };
}

/** The frame that ends a stream of a task which rests already. */
export function closingFrame(details: Pick<TaskDetails, 'task' | 'messages'>): StreamResponse {
  const { task } = details;
  const at = task.completedAt ?? task.updatedAt;
  return statusUpdate(task, task.status, at, statusMessage(details), { event: 'status' });
}

/** The status of a task after an event, as far as the event says. */
export function statusAfter(before: TaskStatus, event: TaskEvent): TaskStatus {
  switch (event.type) {
    case 'status':
      return event.data.status;
    case 'message':
      // Whoever adds to the exchange changes nothing by it; only a running agent speaks.
      return event.data.role === 'user' ? before : 'running';
    case 'output':
    case 'progress':
    case 'checkpoint':
      return 'running';
    case 'artifact':
    case 'intervention':
      // A cancelled run may leave some for a while.
      return before;
    default:
      return unreachable(event);
  }
}

/**
 * One event as one frame.
 * @param status of the task after it
 */
export function eventToFrame(task: TaskRef, event: TaskEvent, status: TaskStatus): StreamResponse {
  const at = (message: Message | undefined, metadata: Record<string, unknown>): StreamResponse =>
    statusUpdate(task, status, event.at, message, { event: event.type, ...metadata });
  const agentMessage = (text: string): Message => agentTextToSdk(task, `${task.id}.${event.seq}`, text);
  switch (event.type) {
    case 'status': {
      const { run_id, worker_id, attempt, reason, error: why, usage } = event.data;
      return at(statusEventMessage(task, event.data), { run_id, worker_id, attempt, reason, error: why, usage });
    }
    case 'output':
      return at(agentMessage(event.data.text), { stream: event.data.stream });
    case 'progress': {
      const { percent, message } = event.data;
      return at(message === undefined ? undefined : agentMessage(message), percent === undefined ? {} : { percent });
    }
    case 'message': {
      const { message_id: messageId, role, parts } = event.data;
      return at(messageToSdk(task, { messageId, role, parts, metadata: {}, at: event.at }), {});
    }
    case 'checkpoint':
      return at(undefined, {});
    case 'intervention': {
      const { action, status: interventionStatus, reason } = event.data;
      return at(undefined, { action, intervention_status: interventionStatus, reason });
    }
    case 'artifact':
      return artifactUpdate(task, event.data);
    default:
      return unreachable(event);
  }
}

function statusEventMessage(task: TaskRef, data: StatusData): Message | undefined {
  if (data.question !== undefined) {
    return agentTextToSdk(task, data.question_id ?? outcomeId(data.run_id ?? task.id), data.question);
  }
  const text = outcomeText({ status: data.status, result: data.result ?? null, error: data.error ?? null });
  return text === undefined ? undefined : agentTextToSdk(task, outcomeId(data.run_id ?? task.id), text);
}

function statusUpdate(
  task: TaskRef,
  status: TaskStatus,
  timestamp: string,
  message: Message | undefined,
  metadata: Record<string, unknown>,
): StreamResponse {
  const value = {
    taskId: task.id,
    contextId: contextIdOf(task),
    status: { state: stateByStatus[status], message, timestamp },
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, fact]) => fact !== undefined)),
  };
  return { payload: { $case: 'statusUpdate', value } };
}

function artifactUpdate(task: TaskRef, chunk: ArtifactData): StreamResponse {
  const { artifact_id: id, name, mime_type: mimeType, append, last_chunk, ...content } = chunk;
  const value = {
    taskId: task.id,
    contextId: contextIdOf(task),
    artifact: artifactToSdk({ id, name, mimeType, ...content }),
    append: append ?? false,
    lastChunk: last_chunk ?? false,
    metadata: undefined,
  };
  return { payload: { $case: 'artifactUpdate', value } };
}
