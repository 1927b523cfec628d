// Verbs that create, read, list and delete PRD chats. runs-13.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import type { PrdDocument, PrdSession, PrdTurn, PrdVersion } from '../../model/prd/prd-session.ts';
import type { PrdFinding } from '../../model/prd/prd.ts';
import { isTerminal } from '../../model/task/task-state.ts';
import { assertRunsEnabled } from '../../model/run/runs-enabled.ts';
import type { Page } from '../../ports/store/page.ts';
import { announceChange } from '../../tasks/announce.ts';
import { invalidPrd } from '../parse-prd.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { chooseAssistant } from './choose-assistant.ts';
import { assertCodebase, lockSession, requireSession } from './require-session.ts';
import { writeVersion } from './write-version.ts';

export interface NewSession {
  readonly codebaseId: string | null;
  readonly title: string;
  /** The first version. */
  readonly document?: { readonly content: PrdDocument; readonly author: 'user' | 'import' } | undefined;
}

export interface CreatedSession {
  readonly session: PrdSession;
  readonly warnings: readonly PrdFinding[];
}

/** @throws DomainError invalid (`invalid_prd`), not_found (codebase), conflict (`ralph_disabled`) */
export async function createPrdSession(deps: PrdChatDeps, caller: Caller, given: NewSession): Promise<CreatedSession> {
  assertRunsEnabled(deps);
  const id = deps.makeId();
  const hasJudge = (await chooseAssistant(deps, caller, given.codebaseId)) !== undefined;
  return deps.store.within(caller, async (rows) => {
    await assertCodebase(rows, given.codebaseId);
    const { codebaseId, title } = given;
    await rows.prdSessions.create({ id, listedId: id, codebaseId, title, createdBy: caller.subject });
    const session = await requireSession(rows, id);
    if (given.document === undefined) return { session, warnings: [] };
    const written = await writeVersion(rows, session, {
      document: given.document.content,
      author: given.document.author,
      turn: null,
      operations: [],
      openQuestions: 0,
      hasJudge,
    });
    if ('errors' in written) throw invalidPrd(written.errors);
    return { session: await requireSession(rows, id), warnings: written.warnings };
  });
}

/** @throws DomainError not_found */
export function getPrdSession(deps: Pick<PrdChatDeps, 'store'>, caller: Caller, id: string): Promise<PrdSession> {
  return deps.store.within(caller, (rows) => requireSession(rows, id));
}

/** Newest first. */
export async function listPrdSessions(
  deps: Pick<PrdChatDeps, 'store'>,
  caller: Caller,
  { codebaseId, ...page }: Page & { readonly codebaseId: string | undefined },
): Promise<{ readonly sessions: readonly PrdSession[]; readonly next: string | null }> {
  const found = await deps.store.within(caller, (rows) =>
    rows.prdSessions.list(codebaseId, { ...page, limit: page.limit + 1 }),
  );
  const listed = found.slice(0, page.limit);
  const next = found.length > page.limit ? (listed.at(-1)?.listedId ?? null) : null;
  return { sessions: listed.map(({ session }) => session), next };
}

/** Oldest first. @throws DomainError not_found */
export function listPrdTurns(
  deps: Pick<PrdChatDeps, 'store'>,
  caller: Caller,
  id: string,
): Promise<readonly PrdTurn[]> {
  return deps.store.within(caller, async (rows) => {
    await requireSession(rows, id);
    return rows.prdSessions.turns(id);
  });
}

/** Newest first. @throws DomainError not_found */
export function listPrdVersions(
  deps: Pick<PrdChatDeps, 'store'>,
  caller: Caller,
  id: string,
): Promise<readonly PrdVersion[]> {
  return deps.store.within(caller, async (rows) => {
    await requireSession(rows, id);
    return rows.prdSessions.versions(id);
  });
}

/** @param version undefined: the newest @throws DomainError not_found */
export function getPrdVersion(
  deps: Pick<PrdChatDeps, 'store'>,
  caller: Caller,
  id: string,
  version?: number,
): Promise<PrdVersion> {
  return deps.store.within(caller, async (rows) => {
    const session = await requireSession(rows, id);
    const found = await rows.prdSessions.version(id, version ?? session.version);
    if (found === undefined) throw notFound('prd_version');
    return found;
  });
}

/**
 * Deletes a session with its turns and versions, and cancels the task of an answer under way. Runs that started from the
 * session stay.
 * @throws DomainError not_found, forbidden
 */
export async function deletePrdSession(deps: PrdChatDeps, caller: Caller, id: string): Promise<void> {
  const cancelled = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireSession(rows, id)).createdBy,
    async change(rows) {
      await lockSession(rows, id);
      const turns = await rows.prdSessions.turns(id);
      const running = turns.find(({ status }) => status === 'answering')?.taskId ?? null;
      const task = running === null ? undefined : await rows.tasks.find(running);
      const isLive = task !== undefined && !isTerminal(task.status);
      if (isLive) await rows.taskMoves.end(task.id, 'cancelled', null, 'its PRD chat was deleted');
      await rows.prdSessions.delete(id);
      return isLive ? task : undefined;
    },
  });
  if (cancelled === undefined) return;
  const wasOn = cancelled.status === 'running' ? cancelled.workerId : null;
  announceChange(deps.wake, caller.tenantId, { id: cancelled.id, status: 'cancelled' }, { wasOn });
}
