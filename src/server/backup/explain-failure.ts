// Explains failures of backup and restore as StartErrors, which the command line prints.
import { BackupError } from '../../adapters/postgres/backup/archive/backup-error.ts';
import { SetupError } from '../../adapters/postgres/setup/setup-error.ts';
import { StartError } from '../config/errors/start-error.ts';
import { explainStartFailure } from '../start/start-failure.ts';
import { errorCode } from '../../lib/system/error-code.ts';

/** @param file that is read or written, for errors of the system */
export function explainBackupFailure(error: unknown, file: string): unknown {
  if (error instanceof BackupError || error instanceof SetupError) {
    return new StartError(error.code, error.message, error.remedy, { cause: error });
  }
  if (error instanceof Error && 'path' in error && error.path === file) {
    const isMissing = errorCode(error) === 'ENOENT';
    const why = isMissing ? 'is not there' : `cannot be used: ${error.message}`;
    return new StartError(isMissing ? 'no_such_backup' : 'backup_failed', `The backup ${file} ${why}.`, '', {
      cause: error,
    });
  }
  return explainStartFailure(error);
}
