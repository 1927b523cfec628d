// Verbs of a conversation: a message becomes a task, its answer is awaited, what was said is read. document 2 §4.2.
import type { MakeId } from '../../lib/uuid7.ts';
import { settle } from '../events/settle.ts';
import type { FollowDeps } from '../events/follow.ts';
import type { Caller } from '../model/access/caller.ts';
import { globalCodebaseId } from '../model/codebase.ts';
import type { ConversationMessage } from '../model/conversation.ts';
import { notFound } from '../model/errors.ts';
import { positionText } from '../model/task/log-position.ts';
import type { Task, TaskDraft, TaskError } from '../model/task/task.ts';
import type { TaskStatus } from '../model/task/task-state.ts';
import type { IdempotencyKey } from '../ports/store/queue.ts';
import type { Store } from '../ports/store/store.ts';
import { messageTask } from '../tasks/exchange/answer.ts';
import { viewAsking } from '../tasks/exchange/asking.ts';
import type { TaskDeps } from '../tasks/deps.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';
import { existing, type ViewDeps } from '../tasks/read.ts';
import { keyReused, submitTask } from '../tasks/submit.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { gatherSaid, placeOf } from './said.ts';

export interface TalkMessage {
  readonly text: string;
  /** A2A's context id is the same thing: both doors add to one conversation. */
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

export interface Sent {
  readonly task: Task;
  readonly conversationId: string;
  /** True: an earlier request with the same idempotency key said it. */
  readonly replayed: boolean;
  /** True: the message now answered the question of a task that was there already. */
  readonly answered: boolean;
}

/** As on every other way to create a task. */
const maxTextLength = 200_000;
const maxConversationIdLength = 200;

/**
 * Says something: a new task of the conversation, or the answer to what a task of the caller's in it asks.
 * @throws DomainError as `submitTask` and `messageTask`; invalid for a text that says nothing or is too long
 */
export async function sendMessage(deps: TaskDeps, caller: Caller, message: TalkMessage): Promise<Sent> {
  checkMessage(message);
  const { text, idempotency } = message;
  // First: what is said again answers no question that came meanwhile.
  const earlier = idempotency && (await earlierTask(deps, caller, idempotency));
  if (earlier !== undefined) {
    return { task: earlier, conversationId: conversationOf(earlier), replayed: true, answered: false };
  }
  const asking = await askingTask(deps, caller, message);
  if (asking !== undefined) {
    const { task, replayed } = await messageTask(deps, caller, asking.id, { parts: [{ text }], text, idempotency });
    return { task, conversationId: conversationOf(task), replayed, answered: !replayed };
  }
  const draft = await draftOf(deps, caller, message);
  const { task, replayed } = await submitTask(deps, caller, draft, idempotency);
  return { task, conversationId: conversationOf(task), replayed, answered: false };
}

export interface Reply {
  readonly status: TaskStatus;
  /** What came out, or what the agent asks; undefined when neither came in time. */
  readonly response?: string;
  readonly error?: TaskError;
}

/**
 * Waits until a task is finished or asks something, at most so long. Leaving never touches the task.
 * @throws DomainError not_found, unavailable
 */
export async function awaitReply(
  deps: FollowDeps & ViewDeps,
  caller: Caller,
  taskId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<Reply> {
  if (waitMs > 0) await settle(deps, caller, taskId, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]));
  const { task, question } = await viewAsking(deps, caller, taskId);
  const response = task.status === 'completed' ? task.result : question;
  return {
    status: task.status,
    ...(response === null ? {} : { response }),
    ...(task.error === null ? {} : { error: task.error }),
  };
}

/**
 * The newest messages of a conversation, in the order in which they were said.
 * @param page.before a cursor of ours: what was said before it
 * @returns `next`: the cursor of what was said before these; null at the beginning
 * @throws DomainError not_found when no task of the tenant belongs to it, invalid for a wrong cursor
 */
export async function conversationMessages(
  deps: { readonly store: Store },
  caller: Caller,
  conversationId: string,
  page: { limit: number; before?: string | undefined },
): Promise<{ messages: ConversationMessage[]; next: string | null }> {
  const before = placeOf(page.before);
  const { messages, next } = await deps.store.within(caller, async (rows) => {
    if (!(await rows.messages.hasConversation(conversationId))) throw notFound('conversation');
    return gatherSaid(rows, { conversationId }, { limit: page.limit, before });
  });
  return { messages: messages.toReversed(), next: next === null ? null : positionText(next) };
}

function checkMessage({ text, conversationId }: TalkMessage): void {
  if (text.trim() === '' || text.includes('\0')) throw invalidField('/message', 'must say something, in text');
  if (text.length > maxTextLength) throw invalidField('/message', `may have at most ${maxTextLength} characters`);
  if (conversationId === undefined) return;
  if (conversationId === '' || conversationId.length > maxConversationIdLength || conversationId.includes('\0')) {
    throw invalidField('/conversation_id', `must have 1–${maxConversationIdLength} characters`);
  }
}

/** The task of an earlier call under this key. @throws DomainError key_reused, not_found */
function earlierTask(
  deps: { readonly store: Store },
  { tenantId, subject }: Caller,
  key: IdempotencyKey,
): Promise<Task | undefined> {
  return deps.store.within({ tenantId }, async (rows) => {
    const heard = await rows.repeats.ofKey(subject, key);
    if (heard.verdict === 'key_reused') throw keyReused();
    return heard.verdict === 'repeated' ? existing(rows, heard.taskId) : undefined;
  });
}

/**
 * The newest task of the conversation that the caller asked for and that asks back. A new task would know nothing of the
 * question, and tools have no other way to answer one.
 */
async function askingTask(
  deps: { readonly store: Store },
  caller: Caller,
  { conversationId, targetAgent }: TalkMessage,
): Promise<Task | undefined> {
  if (conversationId === undefined) return undefined;
  const filter = { conversationId, status: 'needs_input' as const };
  const asking = await deps.store.within({ tenantId: caller.tenantId }, (rows) =>
    rows.tasks.list(filter, { limit: 20, before: undefined }),
  );
  return asking.find(
    (task) => task.createdBy === caller.subject && (targetAgent === undefined || task.targetAgent === targetAgent),
  );
}

async function draftOf(
  deps: { readonly store: Store; readonly makeId: MakeId },
  caller: Caller,
  message: TalkMessage,
): Promise<TaskDraft> {
  const line = /\S.*/.exec(message.text)?.[0].trim() ?? message.text;
  return {
    title: cutText(line, 200),
    prompt: message.text,
    codebaseId: message.codebaseId ?? (await activeCodebaseId(deps, caller)) ?? globalCodebaseId,
    requiredCapabilities: message.requiredCapabilities ?? [],
    targetAgent: message.targetAgent ?? null,
    targetWorkerId: message.targetWorkerId ?? null,
    agentType: null,
    model: message.model ?? null,
    priority: message.priority ?? 0,
    conversationId: message.conversationId ?? deps.makeId(),
    deadlineAt: message.deadlineAt ?? null,
    maxAttempts: message.maxAttempts ?? null,
    webhookUrl: message.webhookUrl ?? null,
    retryOf: null,
    metadata: message.metadata ?? {},
    message: null,
  };
}

function activeCodebaseId(deps: { readonly store: Store }, caller: Caller): Promise<string | undefined> {
  return deps.store.within({ tenantId: caller.tenantId }, (rows) => rows.activeCodebases.find(caller.subject));
}

/** A task of no conversation is its own, as A2A's context id has it. */
function conversationOf(task: Task): string {
  return task.conversationId ?? task.id;
}
