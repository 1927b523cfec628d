// The toolset messaging: send a message to an agent, with or without waiting, and read a conversation. tools-4.2.
import { z } from 'zod';
import { label } from '../../../contracts/common.ts';
import { runStatus } from '../../../contracts/ralph/run.ts';
import {
  awaitReply,
  listConversationMessages,
  sendMessage,
  type Reply,
  type NewMessage,
} from '../../../domain/conversations/send-message.ts';
import type { FollowDeps } from '../../../domain/events/follow.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { Task } from '../../../domain/model/task/task.ts';
import {
  answerRunByMessage,
  type RunMessageDeps,
  type RunReply,
} from '../../../domain/runs/change/answer-by-message.ts';
import { answerPrdByMessage, type PrdMessageReply } from '../../../domain/prd/chat/answer-by-message.ts';
import { answerToMessage } from '../../../domain/prd/chat/answer-to-message.ts';
import type { PrdChatDeps } from '../../../domain/prd/chat/chat-deps.ts';
import { isTerminal } from '../../../domain/model/task/task-state.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { buildNewTaskView } from '../../../domain/tasks/read.ts';
import { conversationMessageToWire } from '../../routes/monitor/monitor-wire.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { anyId, listArguments, nextCursor, status } from '../tools/tool-schemas.ts';
import { routingFromArguments, taskArguments } from '../tools/task-arguments.ts';
import { additive, readOnly, tool, type Tool, type ToolInvocation } from '../tools/tool.ts';

interface MessagingDeps extends TaskDeps, FollowDeps {
  readonly now: () => number;
  /** Answer the question of a run. */
  readonly runs: RunMessageDeps;
  /** Answer the question of a PRD chat. */
  readonly chat: PrdChatDeps;
}

const message = z.string().min(1).max(200_000);
const conversation = anyId.optional().describe('continues a conversation; answers the question of a task in it');
const codebase = anyId.optional().describe('default: the active codebase, else global');
const messagingHints = { ...additive, openWorldHint: true };

/** The arguments of every tool that sends a message. */
const messageFields = { message, conversation_id: conversation, codebase_id: codebase, ...taskArguments };
const target = label.optional().describe('only workers of this name, or with this agent');
/** The result of a send that does not wait. */
const asyncAnswer = { task_id: z.string(), run_id: z.string(), status, conversation_id: z.string() };
type MessageFields = z.output<z.ZodObject<typeof messageFields>>;
const taskLink = ({ task_id }: { task_id: string }): { uri: string; name: string }[] => [
  { uri: `coord://tasks/${task_id}`, name: 'the task' },
];

/** Clients time out after a minute. */
const maxWaitSeconds = 50;
const defaultWaitSeconds = 10;
/** The interval of progress reports during a wait. */
const progressIntervalMs = 5_000;

export function messagingTools(deps: MessagingDeps): Tool[] {
  return [sendTool(deps), sendAsyncTool(deps), sendToAgentTool(deps), getMessagesTool(deps)];
}

function sendTool(deps: MessagingDeps): Tool {
  return tool({
    name: 'send_message',
    title: 'Send a message',
    description:
      'Send a message to any free agent, and wait a while for its response. Without a response in time the task ' +
      'continues: read it with get_task or get_messages. Without wait_seconds, a message that no agent can take yet ' +
      'returns at once.',
    toolset: 'messaging',
    keywords: 'chat ask talk say question answer reply conversation wait',
    permission: 'tasks:write',
    hints: messagingHints,
    input: z.strictObject({
      ...messageFields,
      target_agent: target,
      wait_seconds: z.int().min(0).max(maxWaitSeconds).optional().describe(`default ${defaultWaitSeconds}`),
    }),
    output: z.looseObject({
      conversation_id: z.string(),
      task_id: z.string().optional().describe('absent where the message went to an autonomous run or a PRD chat'),
      run_id: z.string().optional(),
      status: z.union([status, runStatus]),
      response: z.string().optional().describe('the result, or the question of the agent'),
      waiting_reason: z.string().nullable(),
    }),
    example: { message: 'Which tests are slow?', wait_seconds: 0 },
    createsTask: true,
    longRunning: true,
    untrusted: true,
    links: (sent) => (sent.task_id === undefined ? [] : taskLink({ task_id: sent.task_id })),
    run: async (caller, args, invocation) => {
      const reply = await answerRunByMessage(deps.runs, caller, args.conversation_id, args.message);
      if (reply !== undefined) return runReplyToWire(reply, args.conversation_id);
      const answer = { text: args.message, idempotency: invocation.idempotency };
      const prdReply = await answerPrdByMessage(deps.chat, caller, args.conversation_id, answer);
      if (prdReply !== undefined) return prdReplyToWire(deps, caller, prdReply, args, invocation);
      // Before the task is created: after a rejection the caller could not know of it.
      if (args.wait_seconds !== 0) invocation.longCall.countAsStream();
      const outgoing = { ...messageFromArguments(args, invocation), targetAgent: args.target_agent };
      const { task, conversationId, replayed } = await sendMessage(deps, caller, outgoing);
      if (replayed) invocation.markReplayed();
      const { waitingReason } = await buildNewTaskView(deps, caller, task);
      const isUnclaimable = waitingReason !== null && waitingReason !== 'workers_busy' && waitingReason !== 'claimable';
      const seconds = args.wait_seconds ?? (isUnclaimable ? 0 : defaultWaitSeconds);
      const waited = await waitForReply(deps, caller, task.id, seconds, invocation);
      const { status: currentStatus, response, error } = waited;
      return {
        conversation_id: conversationId,
        task_id: task.id,
        status: currentStatus,
        response,
        error,
        waiting_reason: currentStatus === 'pending' ? waitingReason : null,
      };
    },
  });
}

function runReplyToWire({ run, text }: RunReply, conversationId = '') {
  return {
    conversation_id: conversationId,
    run_id: run.id,
    status: run.status,
    response: text,
    waiting_reason: run.waitingReason,
  };
}

async function prdReplyToWire(
  deps: MessagingDeps,
  caller: Caller,
  reply: PrdMessageReply,
  args: { readonly conversation_id?: string | undefined; readonly wait_seconds?: number | undefined },
  { markReplayed, reporter, longCall }: ToolInvocation,
) {
  const place = { conversation_id: args.conversation_id ?? '', waiting_reason: null };
  if ('text' in reply) return { ...place, status: 'needs_input' as const, response: reply.text };
  if (reply.sent.replayed) markReplayed();
  const answerWaitMs = (args.wait_seconds ?? defaultWaitSeconds) * 1000;
  const wait = { ...deps, ...deps.chat, answerWaitMs };
  const { turn } = await longCall.awaitExternal(() => answerToMessage(wait, caller, reply.sent, reporter.signal));
  const states = { answering: 'running', answered: 'completed', failed: 'failed' } as const;
  const response = turn.status === 'failed' ? turn.warnings.join(' ') : turn.text;
  return {
    ...place,
    ...(turn.taskId === null ? {} : { task_id: turn.taskId }),
    status: states[turn.status],
    ...(turn.status === 'answering' ? {} : { response }),
  };
}

/** Waits in steps, to report progress. Ends when the client disconnects; the task continues. */
async function waitForReply(
  deps: MessagingDeps,
  caller: Caller,
  taskId: string,
  seconds: number,
  { reporter, longCall }: ToolInvocation,
): Promise<Reply> {
  let remainingMs = seconds * 1000;
  let steps = 0;
  if (remainingMs > 0) reporter.report(steps, 'The message is sent; waiting for an agent.');
  for (;;) {
    const waitMs = Math.min(remainingMs, progressIntervalMs);
    const poll = (): Promise<Reply> => awaitReply(deps, caller, taskId, { waitMs, signal: reporter.signal });
    const reply = waitMs > 0 ? await longCall.awaitExternal(poll) : await poll();
    remainingMs -= waitMs;
    steps += 1;
    if (remainingMs <= 0 || reporter.signal.aborted || isTerminal(reply.status) || reply.status === 'needs_input')
      return reply;
    reporter.report(steps, `Still waiting; the task is ${reply.status}.`);
  }
}

/** A message in the domain's form. */
function messageFromArguments(args: MessageFields, { idempotency, codebaseId }: ToolInvocation): NewMessage {
  return {
    ...routingFromArguments(args),
    text: args.message,
    conversationId: args.conversation_id,
    codebaseId: args.codebase_id ?? codebaseId,
    idempotency,
  };
}

async function sendWithoutWaiting(
  deps: MessagingDeps,
  caller: Caller,
  outgoing: NewMessage,
  { markReplayed }: ToolInvocation,
): Promise<{ answer: z.output<z.ZodObject<typeof asyncAnswer>>; task: Task; waitingReason: string | null }> {
  const { task, conversationId, replayed } = await sendMessage(deps, caller, outgoing);
  if (replayed) markReplayed();
  const { waitingReason } = await buildNewTaskView(deps, caller, task);
  const answer = { task_id: task.id, run_id: task.attemptId, status: task.status, conversation_id: conversationId };
  return { answer, task, waitingReason };
}

function sendAsyncTool(deps: MessagingDeps): Tool {
  return tool({
    name: 'send_message_async',
    title: 'Send a message without waiting',
    description: 'Send a message to any free agent; returns at once with task_id. Follow it with get_task.',
    toolset: 'messaging',
    keywords: 'chat ask talk say background later conversation',
    permission: 'tasks:write',
    hints: messagingHints,
    input: z.strictObject({ ...messageFields, target_agent: target }),
    output: z.looseObject({ ...asyncAnswer, waiting_reason: z.string().nullable() }),
    example: { message: 'Write a summary of the open issues.' },
    createsTask: true,
    links: taskLink,
    run: async (caller, args, invocation) => {
      const outgoing = { ...messageFromArguments(args, invocation), targetAgent: args.target_agent };
      const { answer, waitingReason } = await sendWithoutWaiting(deps, caller, outgoing, invocation);
      return { ...answer, waiting_reason: waitingReason };
    },
  });
}

function sendToAgentTool(deps: MessagingDeps): Tool {
  return tool({
    name: 'send_to_agent',
    title: 'Send to a named agent',
    description:
      'Send a message to one agent by name; returns at once with task_id. routing.waiting_reason says why it waits: ' +
      'no_such_agent when no agent has that name (the message waits for one until the deadline). See discover_agents.',
    toolset: 'messaging',
    keywords: 'chat ask talk say direct address target name',
    permission: 'tasks:write',
    hints: messagingHints,
    input: z.strictObject({
      agent_name: label,
      ...messageFields,
      deadline_seconds: z.int().min(1).max(31_536_000).optional().describe('instead of deadline_at'),
    }),
    output: z.looseObject({
      ...asyncAnswer,
      routing: z.looseObject({
        target_agent: z.string().nullable(),
        required_capabilities: z.array(z.string()),
        deadline_at: z.string().nullable(),
        waiting_reason: z.string().nullable(),
      }),
    }),
    example: { agent_name: 'reviewer', message: 'Please review the last commit.' },
    createsTask: true,
    links: taskLink,
    run: async (caller, args, invocation) => {
      const outgoing = {
        ...messageFromArguments(args, invocation),
        targetAgent: args.agent_name,
        deadlineAt: resolveDeadline(args, deps.now()),
      };
      const { answer, task, waitingReason } = await sendWithoutWaiting(deps, caller, outgoing, invocation);
      return {
        ...answer,
        routing: {
          target_agent: task.targetAgent,
          required_capabilities: [...task.requiredCapabilities],
          deadline_at: task.deadlineAt,
          waiting_reason: waitingReason,
        },
      };
    },
  });
}

/** @throws DomainError invalid when both arguments are given */
function resolveDeadline(
  {
    deadline_at: at,
    deadline_seconds: seconds,
  }: { deadline_at?: string | undefined; deadline_seconds?: number | undefined },
  now: number,
): string | undefined {
  if (seconds === undefined) return at;
  if (at !== undefined)
    throw invalidInput([{ path: '/deadline_seconds', message: 'cannot be combined with deadline_at: give one' }]);
  return new Date(now + seconds * 1000).toISOString();
}

function getMessagesTool(deps: MessagingDeps): Tool {
  return tool({
    name: 'get_messages',
    title: 'Read a conversation',
    description:
      'Read the messages of a conversation: the newest page, oldest message first. Pass next_cursor as cursor for the ' +
      'messages before it.',
    toolset: 'messaging',
    keywords: 'chat history conversation messages read thread',
    permission: 'tasks:read',
    hints: readOnly,
    input: z.strictObject({ conversation_id: anyId, ...listArguments }),
    output: z.looseObject({
      messages: z.array(
        z.looseObject({
          id: z.string(),
          role: z.enum(['user', 'agent', 'system']),
          agent_name: z.string().nullable(),
          text: z.string(),
          at: z.string(),
        }),
      ),
      next_cursor: nextCursor,
    }),
    example: { conversation_id: '019ac5a0-0000-7000-8000-000000000003' },
    untrusted: true,
    run: async (caller, args) => {
      const page = parsePage(args, 'text');
      const { messages, next } = await listConversationMessages(deps, caller, args.conversation_id, page);
      return { messages: messages.map(conversationMessageToWire), next_cursor: encodeCursor(next) };
    },
  });
}
