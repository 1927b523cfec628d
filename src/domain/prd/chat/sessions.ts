// Verbs that create, read, list and delete PRD chats. runs-13.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { PrdDocument, PrdSession, PrdTurn, PrdVersion } from '../../model/prd/prd-session.ts';
import type { PrdFinding } from '../../model/prd/prd.ts';
import type { Page } from '../../ports/store/page.ts';
import type { Rows } from '../../ports/store/store.ts';
import { invalidPrd } from '../parse-prd.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { chooseAssistant } from './choose-assistant.ts';
import { writeVersion } from './write-version.ts';

export interface NewSession {
  /** Undefined: a new one is made. */
  readonly id?: string | undefined;
  readonly codebaseId: string | null;
  readonly title: string;
  /** The first version. */
  readonly document?: { readonly content: PrdDocument; readonly author: 'user' | 'import' } | undefined;
}

export interface CreatedSession {
  readonly session: PrdSession;
  readonly warnings: readonly PrdFinding[];
}

/** @throws DomainError invalid (`invalid_prd`), not_found (codebase), conflict (`session_exists`) */
export async function createPrdSession(deps: PrdChatDeps, caller: Caller, given: NewSession): Promise<CreatedSession> {
  const id = given.id ?? deps.makeId();
  const hasJudge = (await chooseAssistant(deps, caller, given.codebaseId)) !== undefined;
  return deps.store.within(caller, async (rows) => {
    if (given.codebaseId !== null && given.codebaseId !== 'global') await requireCodebaseOf(rows, given.codebaseId);
    const { codebaseId, title } = given;
    const created = await rows.prdSessions.create({
      id,
      listedId: deps.makeId(),
      codebaseId,
      title,
      createdBy: caller.subject,
    });
    if (!created) throw new DomainError('conflict', 'session_exists', `There is a PRD session ${id} already.`);
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

async function requireCodebaseOf(rows: Rows, codebaseId: string): Promise<void> {
  if ((await rows.codebases.find(codebaseId)) === undefined) throw notFound('codebase');
}

/** @throws DomainError not_found */
export async function requireSession(rows: Rows, id: string): Promise<PrdSession> {
  const session = await rows.prdSessions.find(id);
  if (session === undefined) throw notFound('prd_session');
  return session;
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

/** Deletes a session with its turns and versions; runs that started from it stay. @throws DomainError not_found, forbidden */
export function deletePrdSession(deps: PrdChatDeps, caller: Caller, id: string): Promise<void> {
  return changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireSession(rows, id)).createdBy,
    change: (rows) => rows.prdSessions.delete(id),
  });
}
