// The task that answers a turn of a PRD chat. runs-13.
import { unavailable } from '../../model/errors.ts';
import { prdCapability, type PrdSession } from '../../model/prd/prd-session.ts';
import { newDraft, type TaskDraft } from '../../model/task/task-draft.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { Wake } from '../../ports/wake.ts';
import { pendingWake } from '../../tasks/routing/pending-wake.ts';
import { routeIdOf } from '../../tasks/routing/route-id.ts';
import { prdTopic, type PrdChatDeps } from './chat-deps.ts';
import { turnDeadlineMs } from './turn/chat-limits.ts';
import type { Assistant } from './choose-assistant.ts';

/** Attempts of a turn: a lost worker costs one. */
const maxTurnAttempts = 2;

export function prdTurnTask(
  { now }: Pick<PrdChatDeps, 'now'>,
  session: PrdSession,
  { prompt, codebaseId, targetAgent }: Assistant & { readonly prompt: string },
): TaskDraft {
  return newDraft({
    title: `PRD: ${session.title === '' ? session.id : session.title}`.slice(0, 200).toWellFormed(),
    // Texts are cut to their limits, which may fall into a pair of surrogates.
    prompt: prompt.toWellFormed(),
    codebaseId,
    agentType: 'plan',
    targetAgent,
    requiredCapabilities: [prdCapability],
    conversationId: session.id,
    deadlineAt: new Date(now() + turnDeadlineMs).toISOString(),
    maxAttempts: maxTurnAttempts,
    topic: prdTopic,
  });
}

export interface SubmittedTurn {
  readonly taskId: string;
  /** To be announced after the commit. */
  readonly wake: Wake;
}

/** Creates the task in this transaction. @throws DomainError unavailable when its codebase was removed meanwhile */
export async function submitTurnTask(
  deps: Pick<PrdChatDeps, 'makeId'>,
  rows: Rows,
  { draft, tenantId, createdBy }: { readonly draft: TaskDraft; readonly tenantId: string; readonly createdBy: string },
): Promise<SubmittedTurn> {
  const taskId = deps.makeId();
  const refused = await rows.taskMoves.submit([
    {
      id: taskId,
      attemptId: deps.makeId(),
      draft,
      maxAttempts: draft.maxAttempts ?? maxTurnAttempts,
      routeId: routeIdOf(draft),
      createdBy,
      idempotency: undefined,
    },
  ]);
  if (refused.size > 0)
    throw unavailable('codebase_removed', 'The codebase of this session was just removed. Try again.', 1);
  return { taskId, wake: pendingWake(tenantId, { ...draft, id: taskId }) };
}
