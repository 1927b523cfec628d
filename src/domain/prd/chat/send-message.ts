// The verb send message of PRD chats: one turn of a person, answered by a task or by the interviewer. runs-13.
import { describeActor } from '../../access/acting-owner.ts';
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import type { PrdSession, PrdTurn } from '../../model/prd/prd-session.ts';
import { assertRunsEnabled } from '../../model/run/runs-enabled.ts';
import type { IdempotencyKey } from '../../ports/store/queue.ts';
import type { Rows } from '../../ports/store/store.ts';
import { keyReused } from '../../tasks/submit.ts';
import { answerByInterview } from './answer-by-interview.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { chooseAssistant, type Assistant } from './choose-assistant.ts';
import { emptyTurn } from './turn/empty-turn.ts';
import { assertCodebase, lockSession, turnRunning } from './require-session.ts';
import { turnPrompt } from './turn/turn-prompt.ts';
import { prdTurnTask, submitTurnTask, type SubmittedTurn } from './turn-task.ts';

export interface PrdMessage {
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
}

export interface PrdMessageRequest {
  readonly sessionId: string;
  readonly message: PrdMessage;
  readonly idempotency?: IdempotencyKey | undefined;
  /** Creates the session with the message where there is none; undefined: a missing session is an error. */
  readonly create?: { readonly codebaseId: string | null } | undefined;
}

/** The turn that answers a message, which may still be under way. */
export interface SentPrdMessage {
  readonly sessionId: string;
  readonly n: number;
  /** True: an earlier request with the same idempotency key sent the message. */
  readonly replayed: boolean;
}

type Sent = SentPrdMessage & { readonly submitted?: SubmittedTurn | undefined };

/**
 * Adds a message and begins the turn that answers it.
 * @throws DomainError not_found (session, codebase), forbidden, conflict (`turn_running`, `ralph_disabled`), key_reused
 */
export async function sendPrdMessage(
  deps: PrdChatDeps,
  caller: Caller,
  request: PrdMessageRequest,
): Promise<SentPrdMessage> {
  assertRunsEnabled(deps);
  const { sessionId, create } = request;
  const find = async (rows: Rows): Promise<{ codebaseId: string | null; createdBy: string }> => {
    const session = await rows.prdSessions.find(sessionId);
    if (session !== undefined) return session;
    if (create === undefined) throw notFound('prd_session');
    return { codebaseId: create.codebaseId, createdBy: caller.subject };
  };
  const { codebaseId } = await deps.store.within({ tenantId: caller.tenantId }, find);
  const assistant = await chooseAssistant(deps, caller, codebaseId);
  const { submitted, ...sent } = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await find(rows)).createdBy,
    change: (rows) => addMessage(deps, caller, rows, { request, assistant }),
  });
  if (submitted !== undefined) deps.wake.announce(submitted.wake);
  return sent;
}

async function addMessage(
  deps: PrdChatDeps,
  caller: Caller,
  rows: Rows,
  { request, assistant }: { readonly request: PrdMessageRequest; readonly assistant: Assistant | undefined },
): Promise<Sent> {
  const { sessionId, message, idempotency, create } = request;
  const messageId = deps.makeId();
  if (idempotency !== undefined) {
    const repeat = await rows.repeats.claimKey(messageId, caller.subject, idempotency);
    if (repeat.verdict === 'key_reused') throw keyReused();
    if (repeat.verdict === 'repeated') return replay(rows, repeat.taskId);
  }
  if (create !== undefined) await createIfMissing(deps, caller, rows, { sessionId, codebaseId: create.codebaseId });
  const session = await lockSession(rows, sessionId);
  if (session.status === 'answering') throw await turnRunning(rows, session.id);
  await rows.prdSessions.addTurn(sessionId, userTurn(session, message), messageId);
  if (assistant === undefined) return { sessionId, n: await answerByInterview(rows, session), replayed: false };
  return { sessionId, replayed: false, ...(await askAssistant(deps, caller, rows, { session, assistant })) };
}

/** The answer follows its message. */
async function replay(rows: Rows, messageId: string): Promise<Sent> {
  const found = await rows.prdSessions.findByMessage(messageId);
  // The session was deleted since.
  if (found === undefined) throw notFound('prd_session');
  return { sessionId: found.sessionId, n: found.n + 1, replayed: true };
}

async function createIfMissing(
  deps: PrdChatDeps,
  caller: Caller,
  rows: Rows,
  { sessionId, codebaseId }: { readonly sessionId: string; readonly codebaseId: string | null },
): Promise<void> {
  if ((await rows.prdSessions.find(sessionId)) !== undefined) return;
  await assertCodebase(rows, codebaseId);
  const createdBy = caller.subject;
  await rows.prdSessions.create({ id: sessionId, listedId: deps.makeId(), codebaseId, title: '', createdBy });
}

function userTurn(session: PrdSession, { text, attachments }: PrdMessage): Omit<PrdTurn, 'n' | 'at'> {
  return {
    ...emptyTurn,
    role: 'user',
    text,
    attachments,
    status: 'answered',
    source: 'user',
    baseVersion: session.version,
  };
}

async function askAssistant(
  deps: PrdChatDeps,
  caller: Caller,
  rows: Rows,
  { session, assistant }: { readonly session: PrdSession; readonly assistant: Assistant },
): Promise<{ readonly n: number; readonly submitted: SubmittedTurn }> {
  const turns = await rows.prdSessions.turns(session.id);
  const version = await rows.prdSessions.version(session.id, session.version);
  const findings = (version?.warnings ?? []).map(({ path, message }) => `${path}: ${message}`);
  const prompt = turnPrompt({ turns, document: version?.document ?? null, findings });
  const draft = prdTurnTask(deps, session, { prompt, ...assistant });
  const submitted = await submitTurnTask(deps, rows, { draft, tenantId: caller.tenantId, createdBy: caller.subject });
  const n = await rows.prdSessions.addTurn(session.id, {
    ...emptyTurn,
    role: 'assistant',
    text: '',
    taskId: submitted.taskId,
    status: 'answering',
    source: 'agent',
    baseVersion: session.version,
    actsAs: await describeActor(rows, caller),
  });
  await rows.prdSessions.update(session.id, { status: 'answering' });
  return { n, submitted };
}
