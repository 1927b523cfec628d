// The answer to a message of a PRD chat, for callers that wait for it.
import type { FollowDeps } from '../../events/follow.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { PrdSession, PrdTurn, PrdVersion } from '../../model/prd/prd-session.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import type { SentPrdMessage } from './send-message.ts';
import { requireSession } from './require-session.ts';
import { waitForPrdTurn } from './wait-for-turn.ts';

export interface PrdAnswer {
  /** It may still be under way. */
  readonly turn: PrdTurn;
  readonly session: PrdSession;
  /** The version that the turn made; undefined: none. */
  readonly version: PrdVersion | undefined;
}

/**
 * Waits for the turn's answer, no longer than `answerWaitMs` and until `signal` aborts; neither ends the turn.
 * @throws DomainError not_found, unavailable
 */
export async function answerToMessage(
  deps: PrdChatDeps & FollowDeps,
  caller: Caller,
  { sessionId, n }: SentPrdMessage,
  signal: AbortSignal,
): Promise<PrdAnswer> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(deps.answerWaitMs)]);
  const turn = await waitForPrdTurn(deps, caller, { sessionId, n }, patience);
  return deps.store.within({ tenantId: caller.tenantId }, async (rows) => {
    const session = await requireSession(rows, sessionId);
    const version = turn.madeVersion === null ? undefined : await rows.prdSessions.version(sessionId, turn.madeVersion);
    return { turn, session, version };
  });
}
