// The verb read: lists a tenant's own entries, newest first, from the database's copy. core-4.7.
import type { AuditLine } from '../model/audit-line.ts';
import type { Caller } from '../model/access/caller.ts';
import type { Page } from '../ports/store/page.ts';
import type { AuditFilter, Store } from '../ports/store/store.ts';

export interface ReadDeps {
  readonly store: Store;
  /** Settles when every entry of this replica so far is in the copy. */
  readonly settled: () => Promise<void>;
}

export interface AuditPage {
  readonly events: readonly AuditLine[];
  /** Cursor of the older entries; null: there are none. */
  readonly next: string | null;
}

/** @throws DomainError unavailable */
export async function readAudit(deps: ReadDeps, caller: Caller, filter: AuditFilter, page: Page): Promise<AuditPage> {
  if (page.before === undefined) await deps.settled();
  return deps.store.within(caller, (rows) => rows.audit.page(filter, page));
}
