// The toolset messaging: say something to an agent, wait for the answer or not, read what was said. document 2 §4.2.
import { z } from 'zod';
import { label } from '../../../contracts/common.ts';
import {
  awaitReply,
  conversationMessages,
  sendMessage,
  type Reply,
  type TalkMessage,
} from '../../../domain/conversations/talk.ts';
import type { FollowDeps } from '../../../domain/events/follow.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { Task } from '../../../domain/model/task/task.ts';
import { isTerminal } from '../../../domain/model/task/task-state.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { viewOfNew } from '../../../domain/tasks/read.ts';
import { messageWire } from '../../routes/monitor/monitor-wire.ts';
import { cursorOf, pageOf } from '../../pipeline/page.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { anyId, listArguments, nextCursor, status } from '../tools/shapes.ts';
import { routingOf, taskArguments } from '../tools/task-arguments.ts';
import { adds, looks, tool, type Tool, type ToolFacts } from '../tools/tool.ts';

interface MessagingDeps extends TaskDeps, FollowDeps {
  readonly now: () => number;
}

const message = z.string().min(1).max(200_000);
const conversation = anyId
  .optional()
  .describe('go on with a conversation; a task of it that asks gets this as its answer');
const codebase = anyId.optional().describe('default: the active codebase, else global');
const talks = { ...adds, openWorldHint: true };

/** What every message may say. */
const saying = { message, conversation_id: conversation, codebase_id: codebase, ...taskArguments };
const target = label.optional().describe('only workers of this name, or with this agent');
/** What is answered at once. */
const laterAnswer = { task_id: z.string(), run_id: z.string(), status, conversation_id: z.string() };
type Saying = z.output<z.ZodObject<typeof saying>>;
const taskLink = ({ task_id }: { task_id: string }): { uri: string; name: string }[] => [
  { uri: `coord://tasks/${task_id}`, name: 'the task' },
];

/** Clients give up on a call after a minute. */
const mostWaitSeconds = 50;
const usualWaitSeconds = 10;
/** How often who waits is told that it goes on. */
const tellMs = 5_000;

export function messagingTools(deps: MessagingDeps): Tool[] {
  return [sendTool(deps), sendAsyncTool(deps), sendToAgentTool(deps), getMessagesTool(deps)];
}

function sendTool(deps: MessagingDeps): Tool {
  return tool({
    name: 'send_message',
    title: 'Send a message',
    description:
      'Say something to whichever agent is free, and wait a while for its response. When none came in time, the task goes ' +
      'on: look at it with get_task, or read get_messages. Without wait_seconds a message that nobody can take yet ' +
      'returns at once.',
    toolset: 'messaging',
    keywords: 'chat ask talk say question answer reply conversation wait',
    permission: 'tasks:write',
    hints: talks,
    input: z.strictObject({
      ...saying,
      target_agent: target,
      wait_seconds: z.int().min(0).max(mostWaitSeconds).optional().describe(`default ${usualWaitSeconds}`),
    }),
    output: z.looseObject({
      conversation_id: z.string(),
      task_id: z.string(),
      status,
      response: z.string().optional().describe('what came out, or what the agent asks'),
      waiting_reason: z.string().nullable(),
    }),
    example: { message: 'Which tests are slow?', wait_seconds: 0 },
    createsTask: true,
    waits: true,
    untrusted: true,
    links: taskLink,
    run: async (caller, args, facts) => {
      // Refused before there is a task: after that nobody would know of it.
      if (args.wait_seconds !== 0) facts.long.staysOpen();
      const said = { ...messageIn(args, facts), targetAgent: args.target_agent };
      const { task, conversationId, replayed } = await sendMessage(deps, caller, said);
      if (replayed) facts.replays();
      const { waitingReason } = await viewOfNew(deps, caller, task);
      const nobody = waitingReason !== null && waitingReason !== 'workers_busy' && waitingReason !== 'claimable';
      const seconds = args.wait_seconds ?? (nobody ? 0 : usualWaitSeconds);
      const reply = await waited(deps, caller, task.id, seconds, facts);
      const { status: reached, response, error } = reply;
      return {
        conversation_id: conversationId,
        task_id: task.id,
        status: reached,
        ...(response === undefined ? {} : { response }),
        ...(error === undefined ? {} : { error }),
        waiting_reason: reached === 'pending' ? waitingReason : null,
      };
    },
  });
}

/** Waits in steps, so that who waits hears that it goes on. Ends when the client goes; the task stays. */
async function waited(
  deps: MessagingDeps,
  caller: Caller,
  taskId: string,
  seconds: number,
  { live, long }: ToolFacts,
): Promise<Reply> {
  let left = seconds * 1000;
  let steps = 0;
  if (left > 0) live.progress(steps, 'The message is sent; waiting for an agent.');
  for (;;) {
    const waitMs = Math.min(left, tellMs);
    const look = (): Promise<Reply> => awaitReply(deps, caller, taskId, { waitMs, signal: live.signal });
    const reply = waitMs > 0 ? await long.waiting(look) : await look();
    left -= waitMs;
    steps += 1;
    if (left <= 0 || live.signal.aborted || isTerminal(reply.status) || reply.status === 'needs_input') return reply;
    live.progress(steps, `Still waiting; the task is ${reply.status}.`);
  }
}

/** A message in the domain's words. */
function messageIn(args: Saying, { idempotency, codebaseId }: ToolFacts): TalkMessage {
  return {
    ...routingOf(args),
    text: args.message,
    conversationId: args.conversation_id,
    codebaseId: args.codebase_id ?? codebaseId,
    idempotency,
  };
}

/** Sends without waiting; the task, and why it waits. */
async function sendForLater(
  deps: MessagingDeps,
  caller: Caller,
  said: TalkMessage,
  { replays }: ToolFacts,
): Promise<{ answer: z.output<z.ZodObject<typeof laterAnswer>>; task: Task; waitingReason: string | null }> {
  const { task, conversationId, replayed } = await sendMessage(deps, caller, said);
  if (replayed) replays();
  const { waitingReason } = await viewOfNew(deps, caller, task);
  const answer = { task_id: task.id, run_id: task.runId, status: task.status, conversation_id: conversationId };
  return { answer, task, waitingReason };
}

function sendAsyncTool(deps: MessagingDeps): Tool {
  return tool({
    name: 'send_message_async',
    title: 'Send a message without waiting',
    description: 'Say something to whichever agent is free; returns at once with task_id. Follow it with get_task.',
    toolset: 'messaging',
    keywords: 'chat ask talk say background later conversation',
    permission: 'tasks:write',
    hints: talks,
    input: z.strictObject({ ...saying, target_agent: target }),
    output: z.looseObject({ ...laterAnswer, waiting_reason: z.string().nullable() }),
    example: { message: 'Write a summary of the open issues.' },
    createsTask: true,
    links: taskLink,
    run: async (caller, args, facts) => {
      const said = { ...messageIn(args, facts), targetAgent: args.target_agent };
      const { answer, waitingReason } = await sendForLater(deps, caller, said, facts);
      return { ...answer, waiting_reason: waitingReason };
    },
  });
}

function sendToAgentTool(deps: MessagingDeps): Tool {
  return tool({
    name: 'send_to_agent',
    title: 'Send to a named agent',
    description:
      'Say something to one agent by its name; returns at once with task_id. routing.waiting_reason tells why it waits: ' +
      'no_such_agent when nobody of that name is there (it is kept for it until the deadline). See discover_agents.',
    toolset: 'messaging',
    keywords: 'chat ask talk say direct address target name',
    permission: 'tasks:write',
    hints: talks,
    input: z.strictObject({
      agent_name: label,
      ...saying,
      deadline_seconds: z.int().min(1).max(31_536_000).optional().describe('in place of deadline_at'),
    }),
    output: z.looseObject({
      ...laterAnswer,
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
    run: async (caller, args, facts) => {
      const said = {
        ...messageIn(args, facts),
        targetAgent: args.agent_name,
        deadlineAt: deadlineIn(args, deps.now()),
      };
      const { answer, task, waitingReason } = await sendForLater(deps, caller, said, facts);
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

/** @throws DomainError invalid for two of them */
function deadlineIn(
  {
    deadline_at: at,
    deadline_seconds: seconds,
  }: { deadline_at?: string | undefined; deadline_seconds?: number | undefined },
  now: number,
): string | undefined {
  if (seconds === undefined) return at;
  if (at !== undefined)
    throw invalidInput([{ path: '/deadline_seconds', message: 'stands beside deadline_at: give one' }]);
  return new Date(now + seconds * 1000).toISOString();
}

function getMessagesTool(deps: MessagingDeps): Tool {
  return tool({
    name: 'get_messages',
    title: 'Read a conversation',
    description:
      'What was said in a conversation, the newest page in the order in which it was said. Pass next_cursor as cursor for ' +
      'what was said before.',
    toolset: 'messaging',
    keywords: 'chat history conversation messages read thread',
    permission: 'tasks:read',
    hints: looks,
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
      const page = pageOf(args, 'text');
      const { messages, next } = await conversationMessages(deps, caller, args.conversation_id, page);
      return { messages: messages.map(messageWire), next_cursor: cursorOf(next) };
    },
  });
}
