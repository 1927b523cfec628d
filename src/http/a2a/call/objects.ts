// Nouns of the domain ↔ the SDK's protocol objects, which the SDK itself writes in either version of the protocol.
// Pure, and total in both directions.
import { Role, TaskState, type Artifact, type Message, type Part, type Task as TaskObject } from '@a2a-js/sdk';
import type { Task, TaskMessage } from '../../../domain/model/task/task.ts';
import type * as model from '../../../domain/model/task/task.ts';
import type { TaskStatus } from '../../../domain/model/task/task-state.ts';
import type { Artifact as TaskArtifact } from '../../../domain/tasks/artifacts.ts';
import type { WholeTask } from '../../../domain/tasks/whole.ts';

/** document 1 §3.2, choices §2. */
export const stateByStatus: Record<TaskStatus, TaskState> = {
  pending: TaskState.TASK_STATE_SUBMITTED,
  running: TaskState.TASK_STATE_WORKING,
  needs_input: TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
};

const statuses = ['pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled'] as const;

/** Undefined for states that no task of ours is ever in. */
export function statusOf(state: TaskState): TaskStatus | undefined {
  return statuses.find((status) => stateByStatus[status] === state);
}

/** A task that belongs to no conversation is one of its own. */
export function contextIdOf(task: Pick<Task, 'id' | 'conversationId'>): string {
  return task.conversationId ?? task.id;
}

export function partObject(part: model.Part): Part {
  const { kept, metadata } = keptOf(part.metadata);
  const named = { metadata, filename: textIn(kept, 'filename'), mediaType: textIn(kept, 'mediaType') };
  if ('text' in part) return { content: { $case: 'text', value: part.text }, ...named };
  if ('data' in part) return { content: { $case: 'data', value: part.data ?? null }, ...named };
  const { name, mime_type: mediaType, bytes, uri } = part.file;
  const file = { metadata, filename: name ?? '', mediaType: mediaType ?? '' };
  if (bytes !== undefined) return { content: { $case: 'raw', value: Buffer.from(bytes, 'base64') }, ...file };
  return { content: { $case: 'url', value: uri ?? '' }, ...file };
}

export function partOf(part: Part): model.Part {
  const { content, metadata: given, filename, mediaType } = part;
  if (content?.$case === 'raw' || content?.$case === 'url') {
    const metadata = given === undefined ? {} : { metadata: given };
    const named = nameOf(part);
    if (content.$case === 'raw') return { file: { ...named, bytes: content.value.toString('base64') }, ...metadata };
    return { file: { ...named, uri: content.value }, ...metadata };
  }
  // Texts and data have no name or type of their own in the domain.
  const kept = {
    ...(filename === '' ? {} : { filename }),
    ...(mediaType === '' ? {} : { mediaType }),
  };
  const named = filename !== '' || mediaType !== '';
  const metadata =
    given === undefined && !named ? {} : { metadata: named ? { ...given, [keptKey]: kept } : { ...given } };
  if (content?.$case === 'text') return { text: content.value, ...metadata };
  return { data: content?.value ?? null, ...metadata };
}

/** What only this protocol knows of a part, apart from its metadata. */
function keptOf(given: Record<string, unknown> | undefined): {
  kept: unknown;
  metadata: Record<string, unknown> | undefined;
} {
  if (given === undefined || !(keptKey in given)) return { kept: undefined, metadata: given };
  const { [keptKey]: kept, ...metadata } = given;
  return { kept, metadata: Object.keys(metadata).length === 0 ? undefined : metadata };
}

function textIn(kept: unknown, key: string): string {
  const text: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, key) : undefined;
  return typeof text === 'string' ? text : '';
}

function nameOf(part: Part): { name?: string; mime_type?: string } {
  return {
    ...(part.filename === '' ? {} : { name: part.filename }),
    ...(part.mediaType === '' ? {} : { mime_type: part.mediaType }),
  };
}

/** Where a message or a part keeps what only this protocol knows of it. */
const keptKey = 'urn:switchyard:a2a';

/** A message as the domain takes it from a caller. */
export type AskedMessage = NonNullable<model.TaskDraft['message']>;

/** A message as a caller sent it. */
export function messageOf(message: Message): AskedMessage {
  const { extensions, referenceTaskIds } = message;
  const kept = extensions.length + referenceTaskIds.length > 0 ? { [keptKey]: { extensions, referenceTaskIds } } : {};
  return {
    messageId: message.messageId,
    parts: message.parts.map(partOf),
    metadata: { ...message.metadata, ...kept },
  };
}

export function messageObject(task: Pick<Task, 'id' | 'conversationId'>, message: TaskMessage): Message {
  const { [keptKey]: kept, ...metadata } = message.metadata;
  return {
    messageId: message.messageId,
    contextId: contextIdOf(task),
    taskId: task.id,
    role: message.role === 'user' ? Role.ROLE_USER : Role.ROLE_AGENT,
    parts: message.parts.map(partObject),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    extensions: textsIn(kept, 'extensions'),
    referenceTaskIds: textsIn(kept, 'referenceTaskIds'),
  };
}

function textsIn(kept: unknown, key: string): string[] {
  const list: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, key) : undefined;
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** Words of the agent that are no message of the exchange: its result, its output, why it failed. */
export function saidObject(task: Pick<Task, 'id' | 'conversationId'>, messageId: string, text: string): Message {
  return messageObject(task, { messageId, role: 'agent', parts: [{ text }], metadata: {}, at: '' });
}

/** An artifact whole, or one chunk of it. */
export interface ArtifactContent {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly text?: string | undefined;
  readonly data?: unknown;
  readonly bytes?: string | undefined;
  readonly uri?: string | undefined;
}

/** v0.3 has no place for a text's media type but metadata, so it always stands there. */
export function artifactObject(artifact: ArtifactContent): Artifact {
  const { text, data, bytes, uri, name, mimeType } = artifact;
  const part =
    text !== undefined
      ? { ...partObject({ text }), mediaType: mimeType }
      : bytes === undefined && uri === undefined
        ? { ...partObject({ data }), mediaType: mimeType }
        : partObject({
            file: {
              name,
              mime_type: mimeType,
              ...(bytes === undefined ? {} : { bytes }),
              ...(uri === undefined ? {} : { uri }),
            },
          });
  return {
    artifactId: artifact.id,
    name,
    description: '',
    parts: [part],
    metadata: { mime_type: mimeType },
    extensions: [],
  };
}

/** Where an artifact is read by itself. */
export type ArtifactAddress = (taskId: string, artifactId: string) => string;

function wholeArtifact(
  taskId: string,
  { summary, elsewhere, ...content }: TaskArtifact,
  addressOf: ArtifactAddress | undefined,
): Artifact[] {
  const { artifactId: id, name, mimeType } = summary;
  if (elsewhere !== true) return [artifactObject({ id, name, mimeType, ...content })];
  return addressOf === undefined ? [] : [artifactObject({ id, name, mimeType, uri: addressOf(taskId, id) })];
}

/** What a finished task has to say, or undefined. */
export function outcomeText(task: Pick<Task, 'status' | 'result' | 'error'>): string | undefined {
  const text = task.status === 'completed' ? task.result : task.status === 'failed' ? task.error?.message : undefined;
  return text === null || text === '' ? undefined : text;
}

/** The message of a task's status: its question, its result, or why it failed. */
export function statusMessage({ task, messages }: Pick<WholeTask, 'task' | 'messages'>): Message | undefined {
  const question = task.status === 'needs_input' ? messages.findLast(({ role }) => role === 'agent') : undefined;
  if (question !== undefined) return messageObject(task, question);
  const text = outcomeText(task);
  return text === undefined ? undefined : saidObject(task, outcomeId(task.runId), text);
}

/** Id of the message that carries a run's outcome: the same in the log, in a snapshot and at every reading. */
export function outcomeId(runId: string): string {
  return `${runId}.outcome`;
}

/**
 * A task as it stands.
 * @param historyLength how many of the newest messages; undefined: all
 * @param addressOf of artifacts that are too large to come along; without it they are left out
 */
export function taskObject(
  whole: WholeTask,
  historyLength: number | undefined,
  addressOf?: ArtifactAddress,
): TaskObject {
  const { task, messages, artifacts } = whole;
  const kept = historyLength === undefined ? messages : messages.slice(Math.max(0, messages.length - historyLength));
  return {
    id: task.id,
    contextId: contextIdOf(task),
    status: {
      state: stateByStatus[task.status],
      message: statusMessage(whole),
      timestamp: task.completedAt ?? task.updatedAt,
    },
    artifacts: artifacts.flatMap((artifact) => wholeArtifact(task.id, artifact, addressOf)),
    history: kept.map((message) => messageObject(task, message)),
    metadata: taskMetadata(whole),
  };
}

/** The caller's own, and beside it where the task goes, why it waits and what it used. choices §6. */
function taskMetadata({ task, waitingReason }: WholeTask): Record<string, unknown> {
  const facts: Record<string, unknown> = { ...task.metadata };
  const tell = (name: string, value: unknown): void => {
    if (value !== null) facts[name] = value;
  };
  tell('codebase_id', task.codebaseId);
  tell('priority', task.priority);
  tell('required_capabilities', task.requiredCapabilities.length === 0 ? null : task.requiredCapabilities);
  tell('target_agent', task.targetAgent);
  tell('target_worker_id', task.targetWorkerId);
  tell('model', task.model);
  tell('agent_type', task.agentType);
  tell('deadline_at', task.deadlineAt);
  tell('waiting_reason', waitingReason);
  tell('usage', task.usage);
  return facts;
}
