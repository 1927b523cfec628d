// Follows a PRD chat: the answers of its turns as events, with the agent's output meanwhile. runs-13.
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { PrdOperation, PrdTurn } from '../../model/prd/prd-session.ts';
import { followTask, type FollowDeps } from '../../events/follow.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { listPrdTurns } from './sessions.ts';
import { waitForPrdTurn } from './wait-for-turn.ts';

/** A position in the events of a session: the turn, and the number within it. */
export interface PrdEventPosition {
  readonly turn: number;
  readonly seq: number;
}

export interface FollowedPrdEvent extends PrdEventPosition {
  readonly type: 'turn' | 'delta' | 'questions' | 'prd' | 'done' | 'failed';
  readonly data: Readonly<Record<string, unknown>>;
}

/** The end of a turn has numbers above those of every task's log. */
const endSeq = 1_000_000_000_000;

/**
 * Events of the answers after a position. It ends when no turn is under way, or when `signal` aborts.
 * @throws DomainError not_found, unavailable
 */
export async function* followPrdSession(
  deps: PrdChatDeps & FollowDeps,
  caller: Caller,
  sessionId: string,
  after: PrdEventPosition,
  signal: AbortSignal,
): AsyncGenerator<FollowedPrdEvent, void, undefined> {
  const turns = await listPrdTurns(deps, caller, sessionId);
  for (const turn of turns) {
    if (turn.role !== 'assistant' || turn.n < after.turn || signal.aborted) continue;
    const seen = turn.n === after.turn ? after.seq : -1;
    yield* followTurn(deps, caller, { sessionId, turn, seen }, signal);
  }
}

async function* followTurn(
  deps: PrdChatDeps & FollowDeps,
  caller: Caller,
  { sessionId, turn, seen }: { readonly sessionId: string; readonly turn: PrdTurn; readonly seen: number },
  signal: AbortSignal,
): AsyncGenerator<FollowedPrdEvent, void, undefined> {
  const { n, taskId } = turn;
  if (seen < 0) yield { turn: n, seq: 0, type: 'turn', data: { n, task_id: taskId, source: turn.source } };
  // The output of a repair repeats the answer: only its end is shown.
  if (taskId !== null && !turn.isRepair && seen < endSeq) yield* deltasOf(deps, caller, { n, taskId, seen }, signal);
  const ended = await waitForPrdTurn(deps, caller, { sessionId, n }, signal);
  if (ended.status === 'answering') return;
  for await (const event of endOf(deps, caller, sessionId, ended)) if (event.seq > seen) yield event;
}

/** The agent's words from its task's log; none once retention has dropped the task. */
async function* deltasOf(
  deps: FollowDeps,
  caller: Caller,
  { n, taskId, seen }: { readonly n: number; readonly taskId: string; readonly seen: number },
  signal: AbortSignal,
): AsyncGenerator<FollowedPrdEvent, void, undefined> {
  const isKept = await deps.store.within(caller, async (rows) => (await rows.tasks.find(taskId)) !== undefined);
  if (!isKept) return;
  for await (const event of followTask(deps, caller, taskId, { after: Math.max(0, seen), signal })) {
    // A question outside of the answer's form ends the turn, and not the task.
    if (event.type === 'status' && event.data.status === 'needs_input') return;
    if (event.type === 'output' && event.data.stream === 'agent')
      yield { turn: n, seq: event.seq, type: 'delta', data: { text: event.data.text } };
  }
}

async function* endOf(
  deps: PrdChatDeps,
  caller: Caller,
  sessionId: string,
  turn: PrdTurn,
): AsyncGenerator<FollowedPrdEvent, void, undefined> {
  const { n, status, text, questions, warnings, madeVersion } = turn;
  if (status === 'failed') {
    yield { turn: n, seq: endSeq + 2, type: 'failed', data: { warnings } };
    return;
  }
  if (questions.length > 0) yield { turn: n, seq: endSeq, type: 'questions', data: { questions } };
  if (madeVersion !== null) {
    const version = await deps.store.within(caller, (rows) => rows.prdSessions.version(sessionId, madeVersion));
    const data = {
      version: madeVersion,
      changes: (version?.operations ?? []).map((operation) => describe(operation)),
      warnings: version?.warnings ?? [],
    };
    yield { turn: n, seq: endSeq + 1, type: 'prd', data };
  }
  yield { turn: n, seq: endSeq + 2, type: 'done', data: { reply: text, warnings } };
}

function describe(operation: PrdOperation): string {
  switch (operation.op) {
    case 'set':
      return `set ${operation.field}`;
    case 'remove_story':
      return `removed ${operation.id}`;
    case 'order':
      return `ordered ${operation.ids.join(', ')}`;
    case 'upsert_story':
      return `wrote ${typeof operation.story['id'] === 'string' ? operation.story['id'] : 'a story'}`;
    default:
      return unreachable(operation);
  }
}
