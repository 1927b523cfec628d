// Verbs of a conversation: send a message as a task, await its answer, read the messages. tools-4.2.
import type { MakeId } from '../../lib/uuid7.ts';
import { waitUntilAtRest } from '../events/wait-until-at-rest.ts';
import type { FollowDeps } from '../events/follow.ts';
import type { Caller } from '../model/access/caller.ts';
import { globalCodebaseId } from '../model/codebase.ts';
import type { ConversationMessage } from '../model/conversation.ts';
import { notFound } from '../model/errors.ts';
import { formatPosition } from '../model/task/log-position.ts';
import type { Task, TaskError } from '../model/task/task.ts';
import { newDraft, type TaskDraft } from '../model/task/task-draft.ts';
import type { TaskStatus } from '../model/task/task-state.ts';
import type { IdempotencyKey } from '../ports/store/queue.ts';
import type { Store } from '../ports/store/store.ts';
import { messageTask } from '../tasks/exchange/answer.ts';
import { viewTaskWithQuestion } from '../tasks/exchange/task-questions.ts';
import type { TaskDeps } from '../tasks/deps.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';
import { requireTask, type ViewDeps } from '../tasks/read.ts';
import { keyReused, submitTask } from '../tasks/submit.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { collectMessages, parseCursor } from './message-pages.ts';

export interface NewMessage {
  readonly text: string;
  /** Equal to A2A's context id: both protocols add to one conversation. */
  readonly conversationId?: string | undefined;
  /** Absent: the caller's active codebase, else `global`. */
  readonly codebaseId?: string | undefined;
  readonly priority?: number | undefined;
  readonly model?: string | undefined;
  readonly targetAgent?: string | undefined;
  readonly targetWorkerId?: string | undefined;
  readonly requiredCapabilities?: readonly string[] | undefined;
  readonly deadlineAt?: string | undefined;
  readonly maxAttempts?: number | undefined;
  readonly webhookUrl?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
  readonly idempotency?: IdempotencyKey | undefined;
}

export interface SentMessage {
  readonly task: Task;
  readonly conversationId: string;
  /** True: an earlier request with the same idempotency key sent the message. */
  readonly replayed: boolean;
  /** True: the message answered the question of an existing task. */
  readonly answered: boolean;
}

/** The limit of every route that creates a task. */
const maxTextLength = 200_000;
const maxConversationIdLength = 200;

/**
 * Sends a message: as a new task of the conversation, or as the answer to a question of the caller's task in it.
 * @throws DomainError as `submitTask` and `messageTask`; invalid for an empty or too long text
 */
export async function sendMessage(deps: TaskDeps, caller: Caller, message: NewMessage): Promise<SentMessage> {
  checkMessage(message);
  const { text, idempotency } = message;
  // First: a repeated message must not answer a question that was asked meanwhile.
  const earlier = idempotency && (await findEarlierTask(deps, caller, idempotency));
  if (earlier !== undefined) {
    return { task: earlier, conversationId: conversationIdOf(earlier), replayed: true, answered: false };
  }
  const questioningTask = await findQuestioningTask(deps, caller, message);
  if (questioningTask !== undefined) {
    const { task, replayed } = await messageTask(deps, caller, questioningTask.id, {
      parts: [{ text }],
      text,
      idempotency,
    });
    return { task, conversationId: conversationIdOf(task), replayed, answered: !replayed };
  }
  const draft = await messageToDraft(deps, caller, message);
  const { task, replayed } = await submitTask(deps, caller, draft, idempotency);
  return { task, conversationId: conversationIdOf(task), replayed, answered: false };
}

export interface Reply {
  readonly status: TaskStatus;
  /** The result, or the agent's question; undefined when neither was there in time. */
  readonly response?: string;
  readonly error?: TaskError;
}

/**
 * Waits until a task is finished or asks something, for a limited time. Leaving never affects the task.
 * @throws DomainError not_found, unavailable
 */
export async function awaitReply(
  deps: FollowDeps & ViewDeps,
  caller: Caller,
  taskId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<Reply> {
  if (waitMs > 0) await waitUntilAtRest(deps, caller, taskId, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]));
  const { task, question } = await viewTaskWithQuestion(deps, caller, taskId);
  const response = task.status === 'completed' ? task.result : question;
  return {
    status: task.status,
    ...(response === null ? {} : { response }),
    ...(task.error === null ? {} : { error: task.error }),
  };
}

/**
 * The newest messages of a conversation, in the order in which they were sent.
 * @param page.before a cursor of an earlier answer: the messages before it
 * @returns `next`: the cursor of the messages before these; null at the beginning
 * @throws DomainError not_found when no task of the tenant belongs to it, invalid for a malformed cursor
 */
export async function listConversationMessages(
  deps: { readonly store: Store },
  caller: Caller,
  conversationId: string,
  page: { limit: number; before?: string | undefined },
): Promise<{ messages: ConversationMessage[]; next: string | null }> {
  const before = parseCursor(page.before);
  const { messages, next } = await deps.store.within(caller, async (rows) => {
    if (!(await rows.messages.hasConversation(conversationId))) throw notFound('conversation');
    return collectMessages(rows, { conversationId }, { limit: page.limit, before });
  });
  return { messages: messages.toReversed(), next: next === null ? null : formatPosition(next) };
}

function checkMessage({ text, conversationId }: NewMessage): void {
  if (text.trim() === '' || text.includes('\0')) throw invalidField('/message', 'must be text, and not empty');
  if (text.length > maxTextLength) throw invalidField('/message', `may have at most ${maxTextLength} characters`);
  if (conversationId === undefined) return;
  if (conversationId === '' || conversationId.length > maxConversationIdLength || conversationId.includes('\0')) {
    throw invalidField('/conversation_id', `must have 1–${maxConversationIdLength} characters`);
  }
}

/** The task of an earlier call with this key. @throws DomainError key_reused, not_found */
function findEarlierTask(
  deps: { readonly store: Store },
  { tenantId, subject }: Caller,
  key: IdempotencyKey,
): Promise<Task | undefined> {
  return deps.store.within({ tenantId }, async (rows) => {
    const repeat = await rows.repeats.findByKey(subject, key);
    if (repeat.verdict === 'key_reused') throw keyReused();
    return repeat.verdict === 'repeated' ? requireTask(rows, repeat.taskId) : undefined;
  });
}

/**
 * The newest task of the conversation that the caller created and that asks a question. A new task would know nothing
 * of the question, and tools have no other way to answer one.
 */
async function findQuestioningTask(
  deps: { readonly store: Store },
  caller: Caller,
  { conversationId, targetAgent }: NewMessage,
): Promise<Task | undefined> {
  if (conversationId === undefined) return undefined;
  const filter = { conversationId, status: 'needs_input' as const };
  const candidates = await deps.store.within({ tenantId: caller.tenantId }, (rows) =>
    rows.tasks.list(filter, { limit: 20, before: undefined }),
  );
  return candidates.find(
    (task) => task.createdBy === caller.subject && (targetAgent === undefined || task.targetAgent === targetAgent),
  );
}

async function messageToDraft(
  deps: { readonly store: Store; readonly makeId: MakeId },
  caller: Caller,
  message: NewMessage,
): Promise<TaskDraft> {
  const line = /\S.*/.exec(message.text)?.[0].trim() ?? message.text;
  return newDraft({
    ...message,
    title: cutText(line, 200),
    prompt: message.text,
    codebaseId: message.codebaseId ?? (await findActiveCodebaseId(deps, caller)) ?? globalCodebaseId,
    conversationId: message.conversationId ?? deps.makeId(),
  });
}

function findActiveCodebaseId(deps: { readonly store: Store }, caller: Caller): Promise<string | undefined> {
  return deps.store.within({ tenantId: caller.tenantId }, (rows) => rows.activeCodebases.find(caller.subject));
}

/** A task without a conversation is its own conversation, as with A2A's context id. */
function conversationIdOf(task: Task): string {
  return task.conversationId ?? task.id;
}
