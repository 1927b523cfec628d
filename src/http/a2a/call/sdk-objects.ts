// Translates domain objects to the SDK's protocol objects and back. The SDK serialises them in either version of the
// protocol. Pure, and total in both directions.
import { Role, TaskState, type Artifact, type Message, type Part, type Task as TaskObject } from '@a2a-js/sdk';
import type { Part as TaskPart, Task, TaskMessage } from '../../../domain/model/task/task.ts';
import type { TaskDraft } from '../../../domain/model/task/task-draft.ts';
import type { TaskStatus } from '../../../domain/model/task/task-state.ts';
import type { Artifact as TaskArtifact } from '../../../domain/tasks/artifacts.ts';
import type { TaskDetails } from '../../../domain/tasks/task-details.ts';

/** core-3.2, choices-2. */
export const stateByStatus: Record<TaskStatus, TaskState> = {
  pending: TaskState.TASK_STATE_SUBMITTED,
  running: TaskState.TASK_STATE_WORKING,
  needs_input: TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
};

const statuses = ['pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled'] as const;

/** Undefined for states that this service does not use. */
export function statusFromSdk(state: TaskState): TaskStatus | undefined {
  return statuses.find((status) => stateByStatus[status] === state);
}

/** A task without a conversation is a context of its own. */
export function contextIdOf(task: Pick<Task, 'id' | 'conversationId'>): string {
  return task.conversationId ?? task.id;
}

export function partToSdk(part: TaskPart): Part {
  const { a2aMetadata, metadata } = splitA2aMetadata(part.metadata);
  const named = {
    metadata,
    filename: readText(a2aMetadata, 'filename'),
    mediaType: readText(a2aMetadata, 'mediaType'),
  };
  if ('text' in part) return { content: { $case: 'text', value: part.text }, ...named };
  if ('data' in part) return { content: { $case: 'data', value: part.data ?? null }, ...named };
  const { name, mime_type: mediaType, bytes, uri } = part.file;
  const file = { metadata, filename: name ?? '', mediaType: mediaType ?? '' };
  if (bytes !== undefined) return { content: { $case: 'raw', value: Buffer.from(bytes, 'base64') }, ...file };
  return { content: { $case: 'url', value: uri ?? '' }, ...file };
}

export function partFromSdk(part: Part): TaskPart {
  const { content, metadata: given, filename, mediaType } = part;
  if (content?.$case === 'raw' || content?.$case === 'url') {
    const metadata = given === undefined ? {} : { metadata: given };
    const named = fileNameOf(part);
    if (content.$case === 'raw') return { file: { ...named, bytes: content.value.toString('base64') }, ...metadata };
    return { file: { ...named, uri: content.value }, ...metadata };
  }
  // In the domain, texts and data have no file name and no media type.
  const a2aMetadata = {
    ...(filename === '' ? {} : { filename }),
    ...(mediaType === '' ? {} : { mediaType }),
  };
  const named = filename !== '' || mediaType !== '';
  const metadata =
    given === undefined && !named
      ? {}
      : { metadata: named ? { ...given, [a2aMetadataKey]: a2aMetadata } : { ...given } };
  if (content?.$case === 'text') return { text: content.value, ...metadata };
  return { data: content?.value ?? null, ...metadata };
}

/** Splits metadata into the members that only this protocol has and the caller's own. */
function splitA2aMetadata(given: Record<string, unknown> | undefined): {
  a2aMetadata: unknown;
  metadata: Record<string, unknown> | undefined;
} {
  if (given === undefined || !(a2aMetadataKey in given)) return { a2aMetadata: undefined, metadata: given };
  const { [a2aMetadataKey]: a2aMetadata, ...metadata } = given;
  return { a2aMetadata, metadata: Object.keys(metadata).length === 0 ? undefined : metadata };
}

function readText(a2aMetadata: unknown, key: string): string {
  const text: unknown =
    typeof a2aMetadata === 'object' && a2aMetadata !== null ? Reflect.get(a2aMetadata, key) : undefined;
  return typeof text === 'string' ? text : '';
}

function fileNameOf(part: Part): { name?: string; mime_type?: string } {
  return {
    ...(part.filename === '' ? {} : { name: part.filename }),
    ...(part.mediaType === '' ? {} : { mime_type: part.mediaType }),
  };
}

/** The metadata key under which members of a message or part are stored that only this protocol has. */
const a2aMetadataKey = 'urn:switchyard:a2a';

/** A caller's message in the domain's form. */
export type ReceivedMessage = NonNullable<TaskDraft['message']>;

export function messageFromSdk(message: Message): ReceivedMessage {
  const { extensions, referenceTaskIds } = message;
  const a2aMetadata =
    extensions.length + referenceTaskIds.length > 0 ? { [a2aMetadataKey]: { extensions, referenceTaskIds } } : {};
  return {
    messageId: message.messageId,
    parts: message.parts.map(partFromSdk),
    metadata: { ...message.metadata, ...a2aMetadata },
  };
}

export function messageToSdk(task: Pick<Task, 'id' | 'conversationId'>, message: TaskMessage): Message {
  const { [a2aMetadataKey]: a2aMetadata, ...metadata } = message.metadata;
  return {
    messageId: message.messageId,
    contextId: contextIdOf(task),
    taskId: task.id,
    role: message.role === 'user' ? Role.ROLE_USER : Role.ROLE_AGENT,
    parts: message.parts.map(partToSdk),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    extensions: readTexts(a2aMetadata, 'extensions'),
    referenceTaskIds: readTexts(a2aMetadata, 'referenceTaskIds'),
  };
}

function readTexts(a2aMetadata: unknown, key: string): string[] {
  const list: unknown =
    typeof a2aMetadata === 'object' && a2aMetadata !== null ? Reflect.get(a2aMetadata, key) : undefined;
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** A message for text that is not stored as one: the agent's result, its output, the reason of a failure. */
export function agentTextToSdk(task: Pick<Task, 'id' | 'conversationId'>, messageId: string, text: string): Message {
  return messageToSdk(task, { messageId, role: 'agent', parts: [{ text }], metadata: {}, at: '' });
}

/** A complete artifact, or one chunk of it. */
export interface ArtifactContent {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly text?: string | undefined;
  readonly data?: unknown;
  readonly bytes?: string | undefined;
  readonly uri?: string | undefined;
}

/** The media type is always in the metadata too, because a text part of v0.3 has no other member for it. */
export function artifactToSdk(artifact: ArtifactContent): Artifact {
  const { text, data, bytes, uri, name, mimeType } = artifact;
  const part =
    text !== undefined
      ? { ...partToSdk({ text }), mediaType: mimeType }
      : bytes === undefined && uri === undefined
        ? { ...partToSdk({ data }), mediaType: mimeType }
        : partToSdk({
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

/** The address at which an artifact is downloaded by itself. */
export type BuildArtifactUrl = (taskId: string, artifactId: string) => string;

function taskArtifactToSdk(
  taskId: string,
  { summary, contentOmitted, ...content }: TaskArtifact,
  artifactUrlOf: BuildArtifactUrl | undefined,
): Artifact[] {
  const { artifactId: id, name, mimeType } = summary;
  if (contentOmitted !== true) return [artifactToSdk({ id, name, mimeType, ...content })];
  return artifactUrlOf === undefined ? [] : [artifactToSdk({ id, name, mimeType, uri: artifactUrlOf(taskId, id) })];
}

/** The result of a completed task or the error of a failed one; undefined without either. */
export function outcomeText(task: Pick<Task, 'status' | 'result' | 'error'>): string | undefined {
  const text = task.status === 'completed' ? task.result : task.status === 'failed' ? task.error?.message : undefined;
  return text === null || text === '' ? undefined : text;
}

/** The message of a task's status: its question, its result, or its error. */
export function statusMessage({ task, messages }: Pick<TaskDetails, 'task' | 'messages'>): Message | undefined {
  const question = task.status === 'needs_input' ? messages.findLast(({ role }) => role === 'agent') : undefined;
  if (question !== undefined) return messageToSdk(task, question);
  const text = outcomeText(task);
  return text === undefined ? undefined : agentTextToSdk(task, outcomeId(task.attemptId), text);
}

/** Id of the message with an attempt's outcome. It is the same in the log, in snapshots and in every answer. */
export function outcomeId(attemptId: string): string {
  return `${attemptId}.outcome`;
}

/**
 * The current state of a task.
 * @param historyLength how many of the newest messages; undefined for all
 * @param artifactUrlOf the address of an artifact that is too large to be included; without it such artifacts are left
 *   out
 */
export function taskToSdk(
  details: TaskDetails,
  historyLength: number | undefined,
  artifactUrlOf?: BuildArtifactUrl,
): TaskObject {
  const { task, messages, artifacts } = details;
  const recentMessages =
    historyLength === undefined ? messages : messages.slice(Math.max(0, messages.length - historyLength));
  return {
    id: task.id,
    contextId: contextIdOf(task),
    status: {
      state: stateByStatus[task.status],
      message: statusMessage(details),
      timestamp: task.completedAt ?? task.updatedAt,
    },
    artifacts: artifacts.flatMap((artifact) => taskArtifactToSdk(task.id, artifact, artifactUrlOf)),
    history: recentMessages.map((message) => messageToSdk(task, message)),
    metadata: taskMetadata(details),
  };
}

/** The caller's metadata, the task's routing, why it waits, and its usage. choices-6. */
function taskMetadata({ task, waitingReason }: TaskDetails): Record<string, unknown> {
  const metadata: Record<string, unknown> = { ...task.metadata };
  const add = (name: string, value: unknown): void => {
    if (value !== null) metadata[name] = value;
  };
  add('codebase_id', task.codebaseId);
  add('priority', task.priority);
  add('required_capabilities', task.requiredCapabilities.length === 0 ? null : task.requiredCapabilities);
  add('target_agent', task.targetAgent);
  add('target_worker_id', task.targetWorkerId);
  add('model', task.model);
  add('agent_type', task.agentType);
  add('deadline_at', task.deadlineAt);
  add('waiting_reason', waitingReason);
  add('usage', task.usage);
  return metadata;
}
