// Waits for the answer of a turn, for callers that want it in the answer to their call.
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import type { PrdTurn } from '../../model/prd/prd-session.ts';
import type { FollowDeps } from '../../events/follow.ts';
import { waitUntilAtRest } from '../../events/wait-until-at-rest.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { finishPrdTurn } from './finish-turn.ts';

/**
 * Resolves with the turn when it has its answer, or as it is when `signal` aborts. Aborting affects nothing.
 * @throws DomainError not_found, unavailable
 */
export async function waitForPrdTurn(
  deps: PrdChatDeps & FollowDeps,
  caller: Caller,
  { sessionId, n }: { readonly sessionId: string; readonly n: number },
  signal: AbortSignal,
): Promise<PrdTurn> {
  for (;;) {
    const turns = await deps.store.within(caller, (rows) => rows.prdSessions.turns(sessionId));
    const turn = turns.find((each) => each.n === n);
    if (turn === undefined) throw notFound('prd_session');
    if (turn.status !== 'answering' || turn.taskId === null || signal.aborted) return turn;
    await waitUntilAtRest(deps, caller, turn.taskId, signal);
    // The topic would apply the answer too, a moment later.
    if (!signal.aborted) await finishPrdTurn(deps, { tenantId: caller.tenantId, taskId: turn.taskId });
  }
}
