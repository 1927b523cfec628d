// Applies the answer of a turn's task: reply, questions, a new version; or one repair, or the reason why there is none.
// runs-13. It may be called again for the same task: a turn that is answered stays as it is.
import { mayStillAct } from '../../access/acting-owner.ts';
import type { PrdSession, PrdTurn } from '../../model/prd/prd-session.ts';
import { isTerminal } from '../../model/task/task-state.ts';
import type { Task } from '../../model/task/task.ts';
import type { Rows } from '../../ports/store/store.ts';
import { announceChange } from '../../tasks/announce.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { editDocument } from './turn/edit-document.ts';
import { parseAnswer, type AssistantAnswer } from './turn/parse-answer.ts';
import { repairPrompt } from './turn/turn-prompt.ts';
import { prdTurnTask, submitTurnTask, type SubmittedTurn } from './turn-task.ts';
import { readinessOf, writeVersion } from './write-version.ts';

/** Handles the end of a task that answers a turn. A task of no turn, or of a turn that has its answer, changes nothing. */
export async function finishPrdTurn(
  deps: PrdChatDeps,
  { tenantId, taskId }: { readonly tenantId: string; readonly taskId: string },
): Promise<void> {
  // The policy may be another server: it is asked before the session is locked.
  const mayRepair = await maySenderAct(deps, tenantId, taskId);
  const settled = await deps.store.within({ tenantId }, async (rows) => {
    const sessionId = await rows.prdSessions.findByTask(taskId);
    const session = sessionId === undefined ? undefined : await rows.prdSessions.lock(sessionId);
    if (session === undefined) return undefined;
    const turns = await rows.prdSessions.turns(session.id);
    const turn = turns.find((each) => each.taskId === taskId && each.status === 'answering');
    const task = await rows.tasks.find(taskId);
    if (turn === undefined || task === undefined) return undefined;
    return settle(deps, rows, { tenantId, session, turns, turn, task, mayRepair });
  });
  if (settled?.repair !== undefined) deps.wake.announce(settled.repair.wake);
  if (settled?.cancelled !== undefined)
    announceChange(deps.wake, tenantId, { id: settled.cancelled.id, status: 'cancelled' });
}

/** Whether the sender of the message may still create tasks, such as a repair. */
async function maySenderAct(deps: PrdChatDeps, tenantId: string, taskId: string): Promise<boolean> {
  const { task, turn } = await deps.store.within({ tenantId }, async (rows) => {
    const sessionId = await rows.prdSessions.findByTask(taskId);
    const turns = sessionId === undefined ? [] : await rows.prdSessions.turns(sessionId);
    return { task: await rows.tasks.find(taskId), turn: turns.find((each) => each.taskId === taskId) };
  });
  if (task === undefined || turn === undefined || turn.actsAs === null) return false;
  return mayStillAct(deps, tenantId, task.createdBy, turn.actsAs);
}

/** Announcements for after the commit. */
interface Settled {
  readonly repair?: SubmittedTurn | undefined;
  readonly cancelled?: Task | undefined;
}

interface TurnEnd {
  readonly tenantId: string;
  readonly session: PrdSession;
  readonly turns: readonly PrdTurn[];
  readonly turn: PrdTurn;
  readonly task: Task;
  readonly mayRepair: boolean;
}

async function settle(deps: PrdChatDeps, rows: Rows, end: TurnEnd): Promise<Settled> {
  const { session, turn, task } = end;
  if (task.status === 'needs_input') {
    // A question outside of the answer's form: the person answers it by the next message.
    const question = (await rows.tasks.questions([task.id])).get(task.id)?.text ?? '';
    await rows.taskMoves.end(task.id, 'cancelled', null, 'the question became the reply of its PRD turn');
    await answer(rows, session, turn, { text: question });
    return { cancelled: task };
  }
  if (!isTerminal(task.status)) return {};
  if (task.status !== 'completed') {
    const reason =
      task.error === null
        ? `task_${task.status}: the task was ${task.status}`
        : `${task.error.code}: ${task.error.message}`;
    await rows.prdSessions.updateTurn(session.id, turn.n, { status: 'failed', warnings: [reason] });
    await rows.prdSessions.update(session.id, { status: 'failed' });
    return {};
  }
  const parsed = parseAnswer(task.result ?? '');
  const errors = 'errors' in parsed ? parsed.errors : await applyAnswer(rows, end, parsed);
  return errors.length === 0 ? {} : { repair: await repairOrReject(deps, rows, end, parsed.reply, errors) };
}

/** @returns what is wrong with the operations; nothing was stored then */
async function applyAnswer(rows: Rows, { session, turn }: TurnEnd, given: AssistantAnswer): Promise<readonly string[]> {
  const { reply, questions, operations } = given;
  if (operations.length === 0) {
    await answer(rows, session, turn, { text: reply, questions });
    return [];
  }
  const seen = await rows.prdSessions.version(session.id, turn.baseVersion);
  const edited = editDocument(seen?.document ?? null, operations);
  if ('errors' in edited) return edited.errors.map(({ path, message }) => `${path}: ${message}`);
  const written = await writeVersion(rows, session, {
    document: edited.document,
    author: 'assistant',
    turn: turn.n,
    operations,
    openQuestions: questions.length,
    hasJudge: true,
  });
  if ('errors' in written) return written.errors.map(({ path, message }) => `${path}: ${message}`);
  await answer(rows, session, turn, { text: reply, questions, madeVersion: written.version });
  return [];
}

async function answer(
  rows: Rows,
  session: PrdSession,
  turn: PrdTurn,
  change: Partial<Pick<PrdTurn, 'text' | 'questions' | 'madeVersion' | 'warnings'>>,
): Promise<void> {
  await rows.prdSessions.updateTurn(session.id, turn.n, { ...change, status: 'answered' });
  const current = await rows.prdSessions.version(session.id, change.madeVersion ?? session.version);
  const ready = readinessOf(current?.document, { openQuestions: change.questions?.length ?? 0, hasJudge: true });
  await rows.prdSessions.update(session.id, { status: 'idle', ready });
}

/**
 * The first invalid answer is repaired by the same agent, if the sender may still create tasks; after the second the reply
 * stands and the version stays.
 */
async function repairOrReject(
  deps: PrdChatDeps,
  rows: Rows,
  { tenantId, session, turns, turn, task, mayRepair }: TurnEnd,
  reply: string,
  errors: readonly string[],
): Promise<SubmittedTurn | undefined> {
  if (turn.isRepair || !mayRepair) {
    const disabled = mayRepair ? [] : ['owner_disabled: the sender may create no more tasks, so there was no repair'];
    const warnings = [...disabled, `draft_rejected: ${errors.slice(0, 5).join('; ')}`.slice(0, 2000).toWellFormed()];
    await answer(rows, session, turn, { text: reply, warnings });
    return undefined;
  }
  const seen = await rows.prdSessions.version(session.id, turn.baseVersion);
  const input = {
    turns: turns.filter(({ n }) => n < turn.n),
    document: seen?.document ?? null,
    findings: [],
  };
  const prompt = repairPrompt(input, task.result ?? '', errors);
  const { codebaseId, targetAgent } = task;
  const draft = prdTurnTask(deps, session, { prompt, codebaseId: codebaseId ?? 'global', targetAgent });
  const submitted = await submitTurnTask(deps, rows, { draft, tenantId, createdBy: task.createdBy });
  await rows.prdSessions.updateTurn(session.id, turn.n, { taskId: submitted.taskId, isRepair: true });
  return submitted;
}
