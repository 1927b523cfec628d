// The verb that answers the open question of a PRD chat by a message to its conversation. runs-6.3.
import { permit } from '../../access/permit.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { PrdQuestion } from '../../model/prd/prd-session.ts';
import type { IdempotencyKey } from '../../ports/store/queue.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { sendPrdMessage, type SentPrdMessage } from './send-message.ts';

/** The message was sent, or the open questions, and nothing changed. */
export type PrdMessageReply = { readonly sent: SentPrdMessage } | { readonly text: string };

/**
 * Sends the text to the PRD chat of this conversation if its newest turn asks exactly one question; such questions take any
 * text. With several the reply lists them.
 * @returns undefined when no PRD chat of this conversation has an open question: the message is an ordinary one
 * @throws DomainError forbidden, conflict (`turn_running`, `ralph_disabled`), key_reused
 */
export async function answerPrdByMessage(
  deps: PrdChatDeps,
  caller: Caller,
  conversationId: string | undefined,
  { text, idempotency }: { readonly text: string; readonly idempotency: IdempotencyKey | undefined },
): Promise<PrdMessageReply | undefined> {
  if (conversationId === undefined || conversationId.includes('\0')) return undefined;
  const { open, isRepeated } = await deps.store.within({ tenantId: caller.tenantId }, async (rows) => {
    const session = await rows.prdSessions.find(conversationId);
    const turns = session === undefined ? [] : await rows.prdSessions.turns(session.id);
    const repeat = idempotency === undefined ? undefined : await rows.repeats.findByKey(caller.subject, idempotency);
    const sent = repeat?.verdict === 'repeated' ? await rows.prdSessions.findByMessage(repeat.taskId) : undefined;
    return { open: turns.at(-1)?.questions ?? [], isRepeated: sent !== undefined };
  });
  if (open.length === 0 && !isRepeated) return undefined;
  await permit(deps.policy, caller, 'ralph:write');
  if (open.length > 1 && !isRepeated) return { text: listQuestions(open) };
  const message = { text, attachments: [] };
  return { sent: await sendPrdMessage(deps, caller, { sessionId: conversationId, message, idempotency }) };
}

function listQuestions(questions: readonly PrdQuestion[]): string {
  const lines = questions.map(
    ({ text, options }) => `- ${text}\n  Options: ${options.map((each) => `${each.key}) ${each.text}`).join(', ')}`,
  );
  return ['Nothing was changed. The PRD chat asks:', ...lines, 'Answer them together with prd_chat.'].join('\n');
}
