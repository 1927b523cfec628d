// Verbs with which a person changes the document of a PRD chat. runs-13.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { PrdDocument, PrdSession, PrdVersion } from '../../model/prd/prd-session.ts';
import type { Rows } from '../../ports/store/store.ts';
import { invalidPrd } from '../parse-prd.ts';
import type { PrdChatDeps } from './chat-deps.ts';
import { chooseAssistant } from './choose-assistant.ts';
import { lockSession, requireSession, turnRunning } from './require-session.ts';
import { toStoredDocument } from './turn/stored-document.ts';
import { writeVersion } from './write-version.ts';

/**
 * Stores a document as the next version.
 * @param prd an object in either spelling, or its text in YAML or JSON
 * @param baseVersion the version that was edited
 * @throws DomainError invalid (`invalid_prd`), conflict (`version_conflict`, `turn_running`), not_found, forbidden
 */
export function putPrd(
  deps: PrdChatDeps,
  caller: Caller,
  id: string,
  { prd, baseVersion }: { readonly prd: PrdDocument | string; readonly baseVersion: number },
): Promise<PrdVersion> {
  return changeDocument(deps, caller, id, async (_rows, session) => {
    if (session.version !== baseVersion) {
      const message = `The document is at version ${session.version} and not ${baseVersion}. Read it again, then repeat the change.`;
      throw new DomainError('conflict', 'version_conflict', message);
    }
    return toStoredDocument(prd);
  });
}

/** Stores an earlier version as the newest one. @throws as `putPrd` */
export function restorePrdVersion(deps: PrdChatDeps, caller: Caller, id: string, version: number): Promise<PrdVersion> {
  return changeDocument(deps, caller, id, async (rows) => {
    const found = await rows.prdSessions.version(id, version);
    if (found === undefined) throw notFound('prd_version');
    return found.document;
  });
}

async function changeDocument(
  deps: PrdChatDeps,
  caller: Caller,
  id: string,
  documentOf: (rows: Rows, session: PrdSession) => Promise<PrdDocument>,
): Promise<PrdVersion> {
  const { codebaseId } = await deps.store.within({ tenantId: caller.tenantId }, (rows) => requireSession(rows, id));
  const hasJudge = (await chooseAssistant(deps, caller, codebaseId)) !== undefined;
  return changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireSession(rows, id)).createdBy,
    async change(rows) {
      const session = await lockSession(rows, id);
      if (session.status === 'answering') throw await turnRunning(rows, id);
      const document = await documentOf(rows, session);
      const draft = { document, author: 'user' as const, turn: null, operations: [], openQuestions: 0, hasJudge };
      const written = await writeVersion(rows, session, draft);
      if ('errors' in written) throw invalidPrd(written.errors);
      const stored = await rows.prdSessions.version(id, written.version);
      if (stored === undefined) throw notFound('prd_version');
      return stored;
    },
  });
}
