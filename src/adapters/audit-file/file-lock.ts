// The lock of an audit file: a single process writes a chain, and the lock is released at once when it is killed.
import { DatabaseSync } from 'node:sqlite';
import { AuditFileError } from './error.ts';

export interface FileLock {
  release(): void;
}

/**
 * Locks a file.
 *
 * Node has no file locks, and a file that holds a process id cannot be taken over without a race. SQLite, which is part
 * of Node, holds a lock of the operating system for as long as a transaction is open.
 * @throws AuditFileError audit_locked
 */
export function lockFile(path: string): FileLock {
  const database = new DatabaseSync(`${path}.lock`, { timeout: 2_000, open: false });
  try {
    database.open();
    // In memory, for a journal on disk would need space on a full disk.
    database.exec('pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    if (database.isOpen) database.close();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AuditFileError(
      'audit_locked',
      `The audit file ${path} cannot be locked: ${why}`,
      'Stop the other service that writes it, or set AUDIT_LOG_PATH to a different file for this one.',
      { cause },
    );
  }
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}
