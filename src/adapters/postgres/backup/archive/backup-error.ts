// The error of backup and restore: what is wrong, and what an operator can do about it.
import { RemedyError } from '../../../../lib/remedy-error.ts';

/** Stable names of the ways in which a backup or a restore can be refused. */
export type BackupErrorCode =
  | 'archive_damaged'
  | 'archive_encrypted'
  | 'archive_newer'
  | 'archive_of_another'
  | 'bad_recipient'
  | 'bad_identity'
  | 'backup_failed'
  | 'disk_full'
  | 'no_database'
  | 'no_such_backup'
  | 'base_damaged'
  | 'time_not_covered'
  | 'restore_not_empty'
  | 'restore_failed'
  | 'restore_unproven';

/** Thrown by everything in the folders beside this one. */
export class BackupError extends RemedyError<BackupErrorCode> {
  override readonly name = 'BackupError';
}

/** The archive is not as it was written. */
export function damaged(reason: string, cause?: unknown): BackupError {
  return new BackupError(
    'archive_damaged',
    `The backup is damaged: ${reason}.`,
    'Nothing was restored. Take another copy of this backup, or an earlier backup.',
    { cause },
  );
}
