// Conversions of PRD chats to their wire shapes. They hold no rules.
import type { z } from 'zod';
import type {
  prdSession,
  prdTurn,
  prdTurnAnswer,
  prdVersion,
  prdVersionSummary,
} from '../../../contracts/ralph/prd-chat.ts';
import type { PrdSession, PrdTurn, PrdVersion } from '../../../domain/model/prd/prd-session.ts';
import type { PrdAnswer } from '../../../domain/prd/chat/answer-to-message.ts';
import type { FollowedPrdEvent } from '../../../domain/prd/chat/follow-session.ts';
import type { SseFrame } from '../../pipeline/operation.ts';

export function prdSessionToWire(session: PrdSession): z.infer<typeof prdSession> {
  return {
    id: session.id,
    conversation_id: session.id,
    codebase_id: session.codebaseId,
    title: session.title,
    status: session.status,
    version: session.version,
    ready: session.ready,
    run_ids: [...session.runIds],
    messages: session.messages,
    created_by: session.createdBy,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
  };
}

export function prdTurnToWire(turn: PrdTurn): z.infer<typeof prdTurn> {
  return {
    n: turn.n,
    role: turn.role,
    text: turn.text,
    attachments: [...turn.attachments],
    task_id: turn.taskId,
    questions: turn.questions.map(({ options, ...question }) => ({ ...question, options: [...options] })),
    status: turn.status,
    source: turn.source,
    base_version: turn.baseVersion,
    version: turn.madeVersion,
    warnings: [...turn.warnings],
    at: turn.at,
  };
}

export function prdVersionSummaryToWire(version: PrdVersion): z.infer<typeof prdVersionSummary> {
  return {
    version: version.version,
    author: version.author,
    turn: version.turn,
    ops: version.operations.map((operation) => ({ ...operation })),
    lint: [...version.warnings],
    at: version.at,
  };
}

export function prdVersionToWire(version: PrdVersion): z.infer<typeof prdVersion> {
  return { ...prdVersionSummaryToWire(version), prd: { ...version.document } };
}

export function prdAnswerToWire({ turn, session, version }: PrdAnswer): z.input<typeof prdTurnAnswer> {
  return {
    turn: prdTurnToWire(turn),
    prd: version === undefined ? null : { ...version.document },
    version: session.version,
    ready: session.ready,
    warnings: [...turn.warnings],
  };
}

/** The id of an event is its turn and its number in it: `2.17`. */
export async function* prdChatFrames(
  events: AsyncIterable<FollowedPrdEvent>,
): AsyncGenerator<SseFrame, void, undefined> {
  for await (const { type, turn, seq, data } of events) yield { id: `${turn}.${seq}`, event: type, data };
}

/** @returns the start for anything that is no id of an event */
export function parsePrdEventId(text: string | undefined): { readonly turn: number; readonly seq: number } {
  const [, turn, seq] = /^(\d{1,9})(?:\.(\d{1,15}))?$/.exec(text ?? '') ?? [];
  return { turn: Number(turn ?? 0), seq: turn === undefined || seq === undefined ? -1 : Number(seq) };
}
