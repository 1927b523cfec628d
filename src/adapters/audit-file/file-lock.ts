// The lock of an audit file: one process writes a chain, and a kill -9 of it frees the lock at once.
import { DatabaseSync } from 'node:sqlite';
import { AuditFileError } from './error.ts';

export interface FileLock {
  release(): void;
}

/**
 * Takes the lock of a file.
 *
 * Node has no file lock of its own, and a file with a process id in it cannot be taken over without a race. SQLite,
 * which is part of Node, holds a true lock of the operating system for as long as a transaction is open.
 * @throws AuditFileError audit_locked
 */
export function lockFile(path: string): FileLock {
  const database = new DatabaseSync(`${path}.lock`, { timeout: 2_000, open: false });
  try {
    database.open();
    // In memory: a journal on disk would need space on a full one.
    database.exec('pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    if (database.isOpen) database.close();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AuditFileError(
      'audit_locked',
      `The audit file ${path} cannot be locked: ${why}`,
      'Stop the other service that writes it, or give this one a file of its own with AUDIT_LOG_PATH.',
      { cause },
    );
  }
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}
