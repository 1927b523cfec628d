// The verb send message of PRD chats: one turn of a person, answered by a task or by the interviewer. runs-13.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import type { PrdSession, PrdTurn } from '../../model/prd/prd-session.ts';
import type { Rows } from '../../ports/store/store.ts';
import { prdTurnTask, submitTurnTask, type SubmittedTurn } from './turn-task.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { chooseAssistant, type Assistant } from './choose-assistant.ts';
import { editDocument } from './edit-document.ts';
import { turnRunning } from './edit-version.ts';
import { interview } from './interview.ts';
import { requireSession } from './sessions.ts';
import { turnPrompt } from './turn-prompt.ts';
import { writeVersion } from './write-version.ts';

export interface PrdMessage {
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
}

/**
 * Adds a message. @returns the number of the turn that answers it, which may still be under way
 * @throws DomainError not_found, forbidden, conflict (`turn_running`)
 */
export async function sendPrdMessage(
  deps: PrdChatDeps,
  caller: Caller,
  id: string,
  message: PrdMessage,
): Promise<number> {
  const { codebaseId } = await deps.store.within({ tenantId: caller.tenantId }, (rows) => requireSession(rows, id));
  const assistant = await chooseAssistant(deps, caller, codebaseId);
  const { n, submitted } = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireSession(rows, id)).createdBy,
    async change(rows) {
      const session = await rows.prdSessions.lock(id);
      if (session === undefined) throw notFound('prd_session');
      if (session.status === 'answering') throw turnRunning();
      await rows.prdSessions.addTurn(id, userTurn(session, message));
      return assistant === undefined
        ? { n: await answerByInterview(rows, session), submitted: undefined }
        : askAssistant(deps, caller, rows, { session, assistant });
    },
  });
  if (submitted !== undefined) deps.wake.announce(submitted.wake);
  return n;
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

const emptyTurn = {
  attachments: [],
  taskId: null,
  questions: [],
  madeVersion: null,
  isRepair: false,
  warnings: [],
};

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
  const draft = prdTurnTask(session, { prompt, ...assistant });
  const submitted = await submitTurnTask(deps, rows, { draft, tenantId: caller.tenantId, createdBy: caller.subject });
  const n = await rows.prdSessions.addTurn(session.id, {
    ...emptyTurn,
    role: 'assistant',
    text: '',
    taskId: submitted.taskId,
    status: 'answering',
    source: 'agent',
    baseVersion: session.version,
  });
  await rows.prdSessions.update(session.id, { status: 'answering' });
  return { n, submitted };
}

const noModel = 'no_model: set MODEL_PROVIDER_ENDPOINT or start a worker with an agent';

/** The interviewer writes the draft anew from all answers, unless a person has changed the document since. */
async function answerByInterview(rows: Rows, session: PrdSession): Promise<number> {
  const answer = interview(await rows.prdSessions.turns(session.id));
  const n = await rows.prdSessions.addTurn(session.id, {
    ...emptyTurn,
    role: 'assistant',
    text: answer.reply,
    questions: answer.questions,
    status: 'answered',
    source: 'interview',
    baseVersion: session.version,
    warnings: [noModel],
  });
  const current = await rows.prdSessions.version(session.id, session.version);
  const isOwn = current === undefined || current.author === 'assistant';
  const edited = editDocument(current?.document ?? null, answer.operations);
  if (isOwn && answer.operations.length > 0 && 'document' in edited) {
    const written = await writeVersion(rows, session, {
      document: edited.document,
      author: 'assistant',
      turn: n,
      operations: answer.operations,
      openQuestions: answer.questions.length,
      hasJudge: false,
    });
    if ('version' in written) await rows.prdSessions.updateTurn(session.id, n, { madeVersion: written.version });
  }
  await rows.prdSessions.update(session.id, { status: 'idle' });
  return n;
}
