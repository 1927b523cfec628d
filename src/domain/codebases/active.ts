// Verbs of the active codebase, which is the default of a caller's later calls. tools-4.2.
import type { Caller } from '../model/access/caller.ts';
import type { Codebase } from '../model/codebase.ts';
import type { Store } from '../ports/store/store.ts';
import { requireCodebase } from './manage.ts';

/**
 * Stored for the caller's subject in its tenant, for every replica, until it names another or the codebase is removed.
 * @throws DomainError not_found
 */
export async function setActiveCodebase(
  deps: { readonly store: Store },
  caller: Caller,
  codebaseId: string,
): Promise<Codebase> {
  return deps.store.within(caller, async (rows) => {
    const codebase = await requireCodebase(rows, codebaseId);
    await rows.activeCodebases.set(caller.subject, codebaseId);
    return codebase;
  });
}

/** Undefined: the caller has set none, or it was removed. */
export async function getActiveCodebase(
  deps: { readonly store: Store },
  caller: Caller,
): Promise<Codebase | undefined> {
  return deps.store.within(caller, async (rows) => {
    const codebaseId = await rows.activeCodebases.find(caller.subject);
    return codebaseId === undefined ? undefined : rows.codebases.find(codebaseId);
  });
}
