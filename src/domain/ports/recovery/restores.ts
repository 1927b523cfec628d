// The port of restores: what this database was restored from, and whether its sends wait for a person.
import type { AuditIntent } from '../../model/audit-entry.ts';
import type { ChainHead } from '../../model/audit-line.ts';

export interface Restore {
  readonly restoreId: string;
  /** The id of the archive or of the base backup. */
  readonly backupId: string;
  readonly kind: 'archive' | 'base';
  /** The moment that the restored rows are of. ISO 8601, as all times here. */
  readonly backupAt: string;
  readonly restoredAt: string;
  readonly asClone: boolean;
  /** The end of the audit chain that was written then; undefined: there was none. */
  readonly chain: ChainHead | undefined;
  /** False: it was interrupted, and the service must not start. */
  readonly isSettled: boolean;
  /** Whether a chain of the audit was opened since, which follows the one of the backup. */
  readonly isFollowed: boolean;
  /** Undefined: sends wait. */
  readonly releasedAt: string | undefined;
}

export interface Restores {
  /** The last one; undefined: this database was never restored. @throws DomainError unavailable */
  newest(): Promise<Restore | undefined>;
  /** Whether any restore waits for its release. @throws DomainError unavailable */
  areSendsHeld(): Promise<boolean>;
  /** Releases all that wait, with the audit intent in the same transaction. @returns the newest of them @throws DomainError unavailable */
  release(by: string, intent: AuditIntent | undefined): Promise<Restore | undefined>;
  /** Gives pending tasks that waited for a release back to their workers. @returns how many */
  freeHeldTasks(): Promise<number>;
}
