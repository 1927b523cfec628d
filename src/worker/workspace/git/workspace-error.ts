// Errors of workspaces, each with a code for programs and a message that says what to do.
import { errorCode } from '../../../lib/system/error-code.ts';

export type WorkspaceErrorCode =
  /** The bound folder does not exist when the attempt begins. */
  | 'workspace_missing'
  /** It exists, but cannot be used: bare, not a repository, damaged. */
  | 'workspace_unusable'
  /** Git took too long, or the disk does not answer. */
  | 'workspace_timeout'
  /** The repository vanished during the attempt. */
  | 'workspace_lost'
  /** The task's `metadata.git_base` names no commit. */
  | 'base_not_found'
  /** This worker may not clone that address. */
  | 'clone_refused'
  /** The repository could not be cloned. */
  | 'clone_failed'
  | 'disk_full';

export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkspaceError';
    this.code = code;
  }
}

/** Whether a system error, or git's message about one, means that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  // Git gives no reason for a file that it could write only in part; it does for all others.
  const messages = /No space left on device|Disk quota exceeded|unable to write (new index )?file/;
  if (typeof error === 'string') return messages.test(error);
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}
