// Reads the session that a verb of PRD chats needs, or throws why it cannot go on.
import { globalCodebaseId } from '../../model/codebase.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { PrdSession } from '../../model/prd/prd-session.ts';
import type { Rows } from '../../ports/store/store.ts';

/** @throws DomainError not_found */
export async function requireSession(rows: Rows, id: string): Promise<PrdSession> {
  const session = await rows.prdSessions.find(id);
  if (session === undefined) throw notFound('prd_session');
  return session;
}

/** Locks the session until the transaction ends. @throws DomainError not_found */
export async function lockSession(rows: Rows, id: string): Promise<PrdSession> {
  const session = await rows.prdSessions.lock(id);
  if (session === undefined) throw notFound('prd_session');
  return session;
}

/** @throws DomainError not_found */
export async function assertCodebase(rows: Rows, codebaseId: string | null): Promise<void> {
  if (codebaseId === null || codebaseId === globalCodebaseId) return;
  if ((await rows.codebases.find(codebaseId)) === undefined) throw notFound('codebase');
}

/** The error for a change while an assistant is at work. */
export async function turnRunning(rows: Rows, sessionId: string): Promise<DomainError> {
  const turns = await rows.prdSessions.turns(sessionId);
  const taskId = turns.findLast(({ status }) => status === 'answering')?.taskId ?? undefined;
  const about = taskId === undefined ? '' : ` Task ${taskId} writes it.`;
  const message = `The assistant is answering a message of this session.${about} Wait for its answer, then try again.`;
  return new DomainError('conflict', 'turn_running', message, { taskId });
}
