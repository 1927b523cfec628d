// Verbs that read and remove codebases.
import { changeOwned } from '../access/change-owned.ts';
import type { Caller } from '../model/access/caller.ts';
import type { Codebase } from '../model/codebase.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';

/** @throws DomainError not_found */
export async function getCodebase(deps: { store: Store }, caller: Caller, codebaseId: string): Promise<Codebase> {
  return deps.store.within(caller, (rows) => requireCodebase(rows, codebaseId));
}

export async function requireCodebase(rows: Rows, codebaseId: string): Promise<Codebase> {
  const codebase = await rows.codebases.find(codebaseId);
  if (codebase === undefined) throw notFound('codebase');
  return codebase;
}

/** Newest first. */
export async function listCodebases(
  deps: { store: Store },
  caller: Caller,
  page: { limit: number; before: string | undefined; workerId: string | undefined },
): Promise<{ codebases: Codebase[]; next: string | null }> {
  const found = await deps.store.within(caller, (rows) => rows.codebases.list({ ...page, limit: page.limit + 1 }));
  const codebases = found.slice(0, page.limit);
  return { codebases, next: found.length > page.limit ? (codebases.at(-1)?.codebaseId ?? null) : null };
}

/**
 * Removes a codebase from the registry; the files of workers are not touched.
 * @throws DomainError not_found, forbidden (another's, and the caller is no operator), conflict (open tasks)
 */
export async function removeCodebase(
  deps: { readonly store: Store; readonly wake: WakeBus; readonly policy: Policy },
  caller: Caller,
  codebaseId: string,
): Promise<Codebase> {
  const removed = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireCodebase(rows, codebaseId)).createdBy,
    change: async (rows) => {
      const codebase = await requireCodebase(rows, codebaseId);
      for (const status of ['pending', 'running', 'needs_input'] as const) {
        const open = await rows.tasks.list({ codebaseId, status, steps: true }, { limit: 1, before: undefined });
        if (open.length > 0) {
          throw new DomainError(
            'conflict',
            'codebase_in_use',
            'Tasks of this codebase are still open. Cancel them or wait until they finish, then retry.',
          );
        }
      }
      await rows.codebases.remove(codebaseId);
      return codebase;
    },
  });
  deps.wake.announce({ kind: 'workers', tenantId: caller.tenantId });
  return removed;
}
