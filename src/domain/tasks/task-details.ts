// Verbs that read tasks with their content: the full exchange and the artifacts.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import type { Part, Task, TaskMessage } from '../model/task/task.ts';
import { taskLimits } from '../model/task/task-limits.ts';
import type { Rows } from '../ports/store/store.ts';
import type { StatusCursor, TaskFilter } from '../ports/tasks/task-lists.ts';
import { readArtifactContent, type Artifact } from './artifacts.ts';
import { readRoutingState, buildTaskView, withWaitingReason, type TaskView, type ViewDeps } from './read.ts';

/** A task as of `task.lastSeq`: later events of the log are not in it. */
export interface TaskDetails extends TaskView {
  /** The exchange, including its first message. */
  readonly messages: readonly TaskMessage[];
  readonly artifacts: readonly Artifact[];
}

/** @throws DomainError not_found, for another tenant's too */
export async function getTaskDetails(deps: ViewDeps, caller: Caller, taskId: string): Promise<TaskDetails> {
  const { task, ...content } = await deps.store.within(caller, async (rows) => {
    const found = await rows.tasks.findWithMessages(taskId);
    if (found === undefined) throw notFound('task');
    const messages = buildMessageHistory(found.task, found.messages);
    return { task: found.task, messages, artifacts: await readInlineArtifacts(rows, found.task) };
  });
  return { ...(await buildTaskView(deps, caller, task)), ...content };
}

/** A page of task details ends early at this size, so that its content fits into memory many times over. */
const maxPageSize = 16 * 1024 * 1024;
/** `total` is exact up to here: counting on would read every task of a large tenant. */
const maxCounted = 100_000;

export interface TaskDetailsPage {
  readonly tasks: readonly TaskDetails[];
  /** The place after which the next page begins; null at the end. */
  readonly next: StatusCursor | null;
  readonly total: number;
}

/**
 * Lists tasks by the time of their status, newest first.
 * @param page.after the place after which the page begins
 * @param wanted the content to read; content that is not wanted is empty
 */
export async function listTaskDetails(
  deps: ViewDeps,
  caller: Caller,
  filter: TaskFilter,
  page: { limit: number; after: StatusCursor | undefined },
  wanted: { messages: boolean; artifacts: boolean },
): Promise<TaskDetailsPage> {
  const { found, next, total } = await deps.store.within(caller, async (rows) => {
    const listed = await rows.tasks.listByStatusTime(filter, { ...page, limit: page.limit + 1 });
    const counted = await rows.tasks.count(filter, maxCounted);
    const contents: TaskContent[] = [];
    let size = 0;
    let last: StatusCursor | null = null;
    for (const { task, cursor } of listed.slice(0, page.limit)) {
      const content = await readContent(rows, task, wanted);
      contents.push(content);
      last = cursor;
      size += contentSizeOf(content);
      if (size > maxPageSize) break;
    }
    return { found: contents, next: listed.length > contents.length ? last : null, total: counted };
  });
  const routing = await readRoutingState(
    deps,
    caller,
    found.map(({ task }) => task),
  );
  return { tasks: found.map((content) => ({ ...content, ...withWaitingReason(content.task, routing) })), next, total };
}

type TaskContent = Omit<TaskDetails, 'waitingReason'>;

async function readContent(
  rows: Rows,
  task: Task,
  wanted: { messages: boolean; artifacts: boolean },
): Promise<TaskContent> {
  // A question is part of a task's state: every list of tasks shows it.
  const hasQuestion = task.status === 'needs_input';
  const messages = wanted.messages || hasQuestion ? buildMessageHistory(task, await rows.tasks.messages(task.id)) : [];
  return { task, messages, artifacts: wanted.artifacts ? await readInlineArtifacts(rows, task) : [] };
}

/** Artifacts that begin after `lastSeq` are left out: they follow as events. */
export async function readInlineArtifacts(rows: Rows, task: Task): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  let bytesLeft: number = taskLimits.inlineArtifactBytes;
  for (const summary of await rows.tasks.artifacts(task.id)) {
    if (summary.firstSeq > task.lastSeq) continue;
    if (summary.size > bytesLeft) {
      artifacts.push({ summary, contentOmitted: true });
      continue;
    }
    bytesLeft -= summary.size;
    artifacts.push(await readArtifactContent(rows, task.id, summary, task.lastSeq));
  }
  return artifacts;
}

/**
 * The exchange from its first message on. The prompt stands in for a first message that was not stored because it was
 * equal to the prompt. A stored first message has the same time as the task, because both were written together.
 */
export function buildMessageHistory(task: Task, stored: readonly TaskMessage[]): TaskMessage[] {
  if (stored[0]?.at === task.createdAt) return [...stored];
  const prompt: TaskMessage = {
    messageId: `${task.id}.prompt`,
    role: 'user',
    parts: [{ text: task.prompt }],
    metadata: {},
    at: task.createdAt,
  };
  return [prompt, ...stored];
}

function contentSizeOf(content: TaskContent): number {
  const messagesSize = content.messages.flatMap(({ parts }) => parts).reduce((sum, part) => sum + partSizeOf(part), 0);
  return messagesSize + content.artifacts.reduce((sum, { summary }) => sum + summary.size, 0);
}

function partSizeOf(part: Part): number {
  if ('text' in part) return part.text.length;
  if ('file' in part) return part.file.bytes?.length ?? 0;
  return JSON.stringify(part.data ?? null).length;
}
