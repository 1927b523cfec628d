// Translates a task's log to the protocol's updates. Each event is one frame:
//   status       → status-update; its message is the question, the result, or the error
//   output       → status-update `working` with the printed text as a message of the agent
//   progress     → status-update `working` with the text as a message of the agent
//   message      → status-update with the message, from the agent or from a caller
//   checkpoint   → status-update `working` without its content, which is internal to the agent
//   intervention → status-update with the intervention and its delivery status in the metadata
//   artifact     → artifact-update with append and lastChunk
// The member `event` in a status-update's metadata has the type of the event.
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

/** The first frame of a stream: the task before its next event. Further params as for `taskToSdk`. */
export function taskSnapshotFrame(
  details: TaskDetails,
  historyLength: number | undefined,
  artifactUrlOf: BuildArtifactUrl,
): StreamResponse {
  return { payload: { $case: 'task', value: taskToSdk(details, historyLength, artifactUrlOf) } };
}

/** The last frame of a stream whose task is already at rest. */
export function closingFrame(details: Pick<TaskDetails, 'task' | 'messages'>): StreamResponse {
  const { task } = details;
  const at = task.completedAt ?? task.updatedAt;
  return statusUpdate(task, task.status, at, statusMessage(details), { event: 'status' });
}

/** The status of a task after an event, as far as the event determines it. */
export function statusAfter(before: TaskStatus, event: TaskEvent): TaskStatus {
  switch (event.type) {
    case 'status':
      return event.data.status;
    case 'message':
      // A caller's message does not change the status; an agent's message means that it is running.
      return event.data.role === 'user' ? before : 'running';
    case 'output':
    case 'progress':
    case 'checkpoint':
      return 'running';
    case 'artifact':
    case 'intervention':
      // A cancelled attempt may still report some of these for a while.
      return before;
    default:
      return unreachable(event);
  }
}

/**
 * @param status the status of the task after the event
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
