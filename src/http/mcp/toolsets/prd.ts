// The toolset prd: a chat that turns an idea into a PRD. tools-4.2, runs-6.3.
import { z } from 'zod';
import { prdQuestion, prdSession } from '../../../contracts/ralph/prd-chat.ts';
import { answerToMessage, type PrdAnswer } from '../../../domain/prd/chat/answer-to-message.ts';
import type { PrdChatDeps } from '../../../domain/prd/chat/chat-deps.ts';
import { sendPrdMessage } from '../../../domain/prd/chat/send-message.ts';
import { listPrdSessions } from '../../../domain/prd/chat/sessions.ts';
import type { FollowDeps } from '../../../domain/events/follow.ts';
import type { PrdSession } from '../../../domain/model/prd/prd-session.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { prdTurnToWire } from '../../routes/ralph/prd-chat-wire.ts';
import { anyId, listArguments, nextCursor } from '../tools/tool-schemas.ts';
import { additive, readOnly, tool, type Tool } from '../tools/tool.ts';
import { fallbackCodebaseId } from './active-codebase.ts';

export type PrdToolDeps = PrdChatDeps & FollowDeps;

export function prdTools(deps: PrdToolDeps): Tool[] {
  return [chatTool(deps), listTool(deps)];
}

function chatTool(deps: PrdToolDeps): Tool {
  return tool({
    name: 'prd_chat',
    title: 'Chat about a PRD',
    description:
      'Talk with an assistant that turns an idea into a PRD (project, branch, user stories with acceptance criteria). ' +
      'Pass conversation_id to continue. The result has prd when the answer wrote a version of it, and ready when ' +
      'ralph_create_run can take it. status answering: follow task_id with get_task, then call again.',
    toolset: 'prd',
    keywords: 'product requirements document stories plan idea write',
    permission: 'ralph:write',
    alsoRequires: 'tasks:write',
    hints: { ...additive, openWorldHint: true },
    input: z.strictObject({
      message: z.string().min(1).max(200_000),
      conversation_id: anyId.optional(),
      codebase_id: anyId.optional().describe('default: the active codebase'),
    }),
    output: z.looseObject({
      reply: z.string(),
      conversation_id: z.string(),
      status: z.enum(['answered', 'answering', 'failed']),
      turn_id: z.string(),
      task_id: z.string().nullable(),
      questions: z.array(prdQuestion),
      prd: z.record(z.string(), z.unknown()).optional(),
      prd_version: z.int().optional(),
      ready: z.boolean(),
      warnings: z.array(z.string()),
      source: z.enum(['agent', 'interview']),
    }),
    example: { message: 'We need a login page.' },
    createsTask: true,
    longRunning: true,
    untrusted: true,
    links: ({ task_id }) => (task_id === null ? [] : [{ uri: `coord://tasks/${task_id}`, name: 'the task' }]),
    run: async (caller, args, { idempotency, markReplayed, codebaseId: selected, longCall, reporter }) => {
      // Before the message is stored: after a rejection the caller could not know of it.
      longCall.countAsStream();
      const codebaseId = args.codebase_id ?? selected ?? (await fallbackCodebaseId(deps, caller)) ?? null;
      const sent = await sendPrdMessage(deps, caller, {
        sessionId: args.conversation_id ?? deps.makeId(),
        message: { text: args.message, attachments: [] },
        idempotency,
        create: { codebaseId },
      });
      if (sent.replayed) markReplayed();
      reporter.report(0, 'The message is sent; waiting for the assistant.');
      const answer = await longCall.awaitExternal(() => answerToMessage(deps, caller, sent, reporter.signal));
      return answerToTool(answer);
    },
  });
}

function answerToTool({ turn, session, version }: PrdAnswer) {
  return {
    reply: turn.text,
    conversation_id: session.id,
    status: turn.status,
    turn_id: String(turn.n),
    task_id: turn.taskId,
    questions: prdTurnToWire(turn).questions,
    ...(version === undefined ? {} : { prd: { ...version.document } }),
    ...(session.version === 0 ? {} : { prd_version: session.version }),
    ready: session.ready,
    warnings: [...turn.warnings],
    source: turn.source === 'interview' ? ('interview' as const) : ('agent' as const),
  };
}

const listedSession = prdSession
  .pick({
    conversation_id: true,
    title: true,
    codebase_id: true,
    status: true,
    messages: true,
    ready: true,
    run_ids: true,
    created_at: true,
    updated_at: true,
  })
  .extend({ prd_version: z.int() });

function listTool(deps: PrdToolDeps): Tool {
  return tool({
    name: 'prd_list_sessions',
    title: 'List PRD chats',
    description: 'List the chats about PRDs, newest first. Pass next_cursor as cursor for older ones.',
    toolset: 'prd',
    keywords: 'product requirements document conversations history',
    permission: 'ralph:read',
    hints: readOnly,
    input: z.strictObject({ codebase_id: anyId.optional(), ...listArguments }),
    output: z.looseObject({ sessions: z.array(z.looseObject(listedSession.shape)), next_cursor: nextCursor }),
    example: {},
    untrusted: true,
    run: async (caller, args) => {
      const page = { ...parsePage(args, 'uuid'), codebaseId: args.codebase_id };
      const { sessions, next } = await listPrdSessions(deps, caller, page);
      return { sessions: sessions.map(sessionToTool), next_cursor: encodeCursor(next) };
    },
  });
}

function sessionToTool(session: PrdSession): z.input<typeof listedSession> {
  return {
    conversation_id: session.id,
    title: session.title,
    codebase_id: session.codebaseId,
    status: session.status,
    messages: session.messages,
    prd_version: session.version,
    ready: session.ready,
    run_ids: [...session.runIds],
    created_at: session.createdAt,
    updated_at: session.updatedAt,
  };
}
