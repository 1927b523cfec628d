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
import type { WholeTask } from '../../../domain/tasks/whole.ts';
import { unreachable } from '../../../lib/net/unreachable.ts';
import {
  artifactObject,
  contextIdOf,
  messageObject,
  outcomeId,
  outcomeText,
  saidObject,
  stateByStatus,
  statusMessage,
  taskObject,
  type ArtifactAddress,
} from './objects.ts';

type TaskName = Pick<Task, 'id' | 'conversationId'>;

/** The frame that a stream begins with: all that was before it. Its further params are those of `taskObject`. */
export function snapshot(
  whole: WholeTask,
  historyLength: number | undefined,
  addressOf: ArtifactAddress,
): StreamResponse {
  return { payload: { $case: 'task', value: taskObject(whole, historyLength, addressOf) } };
}

/** The frame that ends a stream of a task which rests already. */
export function closing(whole: Pick<WholeTask, 'task' | 'messages'>): StreamResponse {
  const { task } = whole;
  const at = task.completedAt ?? task.updatedAt;
  return statusUpdate(task, task.status, at, statusMessage(whole), { event: 'status' });
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
export function update(task: TaskName, event: TaskEvent, status: TaskStatus): StreamResponse {
  const at = (message: Message | undefined, metadata: Record<string, unknown>): StreamResponse =>
    statusUpdate(task, status, event.at, message, { event: event.type, ...metadata });
  const said = (text: string): Message => saidObject(task, `${task.id}.${event.seq}`, text);
  switch (event.type) {
    case 'status': {
      const { run_id, worker_id, attempt, reason, error: why, usage } = event.data;
      return at(statusWords(task, event.data), { run_id, worker_id, attempt, reason, error: why, usage });
    }
    case 'output':
      return at(said(event.data.text), { stream: event.data.stream });
    case 'progress': {
      const { percent, message } = event.data;
      return at(message === undefined ? undefined : said(message), percent === undefined ? {} : { percent });
    }
    case 'message': {
      const { message_id: messageId, role, parts } = event.data;
      return at(messageObject(task, { messageId, role, parts, metadata: {}, at: event.at }), {});
    }
    case 'checkpoint':
      return at(undefined, {});
    case 'intervention': {
      const { action, status: told, reason } = event.data;
      return at(undefined, { action, intervention_status: told, reason });
    }
    case 'artifact':
      return artifactUpdate(task, event.data);
    default:
      return unreachable(event);
  }
}

function statusWords(task: TaskName, data: StatusData): Message | undefined {
  if (data.question !== undefined) {
    return saidObject(task, data.question_id ?? outcomeId(data.run_id ?? task.id), data.question);
  }
  const text = outcomeText({ status: data.status, result: data.result ?? null, error: data.error ?? null });
  return text === undefined ? undefined : saidObject(task, outcomeId(data.run_id ?? task.id), text);
}

function statusUpdate(
  task: TaskName,
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

function artifactUpdate(task: TaskName, chunk: ArtifactData): StreamResponse {
  const { artifact_id: id, name, mime_type: mimeType, append, last_chunk, ...content } = chunk;
  const value = {
    taskId: task.id,
    contextId: contextIdOf(task),
    artifact: artifactObject({ id, name, mimeType, ...content }),
    append: append ?? false,
    lastChunk: last_chunk ?? false,
    metadata: undefined,
  };
  return { payload: { $case: 'artifactUpdate', value } };
}
