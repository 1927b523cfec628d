// Verbs that read tasks with all that belongs to them: the exchange from its first word on, and the artifacts.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import type { Part, Task, TaskMessage } from '../model/task/task.ts';
import type { Rows, StatusPlace, TaskFilter } from '../ports/store/store.ts';
import { artifactIn, type Artifact } from './artifacts.ts';
import { outlookFor, viewOf, withReason, type TaskView, type ViewDeps } from './read.ts';

/** A task as it stood after `task.lastSeq`: the log's later events are not in it. */
export interface WholeTask extends TaskView {
  /** The exchange, its first message included. */
  readonly messages: readonly TaskMessage[];
  readonly artifacts: readonly Artifact[];
}

/** @throws DomainError not_found, for another tenant's too */
export async function getWhole(deps: ViewDeps, caller: Caller, taskId: string): Promise<WholeTask> {
  const { task, ...content } = await deps.store.within(caller, async (rows) => {
    const found = await rows.tasks.findWithMessages(taskId);
    if (found === undefined) throw notFound('task');
    const messages = exchangeOf(found.task, found.messages);
    return { task: found.task, messages, artifacts: await artifactsOf(rows, found.task) };
  });
  return { ...(await viewOf(deps, caller, task)), ...content };
}

/** A list of whole tasks stops where its content would not fit into memory many times over; the next page goes on. */
const pageWeight = 16 * 1024 * 1024;
/** `total` is exact up to here: counting on would read every task of a large tenant. */
const countedAtMost = 100_000;

export interface WholePage {
  readonly tasks: readonly WholeTask[];
  /** The place behind which the next page goes on; null at the end. */
  readonly next: StatusPlace | null;
  readonly total: number;
}

/**
 * By the time of their status, the newest first.
 * @param page.after the place behind which the page begins
 * @param wanted what to read beside the tasks themselves; what is not wanted is empty
 */
export async function listWhole(
  deps: ViewDeps,
  caller: Caller,
  filter: TaskFilter,
  page: { limit: number; after: StatusPlace | undefined },
  wanted: { messages: boolean; artifacts: boolean },
): Promise<WholePage> {
  const { found, next, total } = await deps.store.within(caller, async (rows) => {
    const listed = await rows.tasks.listByStatusTime(filter, { ...page, limit: page.limit + 1 });
    const counted = await rows.tasks.count(filter, countedAtMost);
    const contents: WholeContent[] = [];
    let weight = 0;
    let last: StatusPlace | null = null;
    for (const { task, place } of listed.slice(0, page.limit)) {
      const content = await contentOf(rows, task, wanted);
      contents.push(content);
      last = place;
      weight += weightOf(content);
      if (weight > pageWeight) break;
    }
    return { found: contents, next: listed.length > contents.length ? last : null, total: counted };
  });
  const outlook = await outlookFor(
    deps,
    caller,
    found.map(({ task }) => task),
  );
  return { tasks: found.map((content) => ({ ...content, ...withReason(content.task, outlook) })), next, total };
}

type WholeContent = Omit<WholeTask, 'waitingReason'>;

async function contentOf(
  rows: Rows,
  task: Task,
  wanted: { messages: boolean; artifacts: boolean },
): Promise<WholeContent> {
  // A question is part of how a task stands: whoever lists tasks is to see what they ask.
  const asks = task.status === 'needs_input';
  const messages = wanted.messages || asks ? exchangeOf(task, await rows.tasks.messages(task.id)) : [];
  return { task, messages, artifacts: wanted.artifacts ? await artifactsOf(rows, task) : [] };
}

/** Bytes of artifacts that come with their task; what does not fit beside the others is named without its content. */
const contentBytes = 32 * 1024 * 1024;

/** Artifacts that the log begins anew after `lastSeq` are left out: they follow as events. */
export async function artifactsOf(rows: Rows, task: Task): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  let room = contentBytes;
  for (const summary of await rows.tasks.artifacts(task.id)) {
    if (summary.firstSeq > task.lastSeq) continue;
    if (summary.size > room) {
      artifacts.push({ summary, elsewhere: true });
      continue;
    }
    room -= summary.size;
    artifacts.push(await artifactIn(rows, task.id, summary, task.lastSeq));
  }
  return artifacts;
}

/**
 * The exchange from its first word on: the prompt stands for a first message that was not kept, because it was no more
 * than the prompt. A kept one was written with the task itself, at the same time.
 */
export function exchangeOf(task: Task, kept: readonly TaskMessage[]): TaskMessage[] {
  if (kept[0]?.at === task.createdAt) return [...kept];
  const prompt: TaskMessage = {
    messageId: `${task.id}.prompt`,
    role: 'user',
    parts: [{ text: task.prompt }],
    metadata: {},
    at: task.createdAt,
  };
  return [prompt, ...kept];
}

function weightOf(whole: WholeContent): number {
  const said = whole.messages.flatMap(({ parts }) => parts).reduce((sum, part) => sum + partWeight(part), 0);
  return said + whole.artifacts.reduce((sum, { summary }) => sum + summary.size, 0);
}

function partWeight(part: Part): number {
  if ('text' in part) return part.text.length;
  if ('file' in part) return part.file.bytes?.length ?? 0;
  return JSON.stringify(part.data ?? null).length;
}
