// Answers a message without any agent: the interviewer asks, and writes the draft anew from all answers. runs-13.
import type { PrdSession } from '../../model/prd/prd-session.ts';
import type { Rows } from '../../ports/store/store.ts';
import { editDocument } from './turn/edit-document.ts';
import { emptyTurn } from './turn/empty-turn.ts';
import { interview } from './turn/interview.ts';
import { readinessOf, writeVersion } from './write-version.ts';

const noModel = 'no_model: set MODEL_PROVIDER_ENDPOINT or start a worker with an agent';

/**
 * A document that a person has changed since the last draft stays as it is.
 * @param session locked by this transaction
 * @returns the number of the turn
 */
export async function answerByInterview(rows: Rows, session: PrdSession): Promise<number> {
  const { reply, questions, operations } = interview(await rows.prdSessions.turns(session.id));
  const n = await rows.prdSessions.addTurn(session.id, {
    ...emptyTurn,
    role: 'assistant',
    text: reply,
    questions,
    status: 'answered',
    source: 'interview',
    baseVersion: session.version,
    warnings: [noModel],
  });
  const current = await rows.prdSessions.version(session.id, session.version);
  const judged = { openQuestions: questions.length, hasJudge: false };
  const isOwn = current === undefined || current.author === 'assistant';
  const edited = isOwn && operations.length > 0 ? editDocument(current?.document ?? null, operations) : undefined;
  if (edited !== undefined && 'document' in edited) {
    const draft = { document: edited.document, author: 'assistant' as const, turn: n, operations, ...judged };
    const written = await writeVersion(rows, session, draft);
    if ('version' in written) await rows.prdSessions.updateTurn(session.id, n, { madeVersion: written.version });
    await rows.prdSessions.update(session.id, { status: 'idle' });
    return n;
  }
  await rows.prdSessions.update(session.id, { status: 'idle', ready: readinessOf(current?.document, judged) });
  return n;
}
