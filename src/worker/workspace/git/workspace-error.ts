// What can be wrong with a work place: each with a code for programs and a sentence that says what to do.
import { errorCode } from '../../../lib/system/error-code.ts';

export type WorkspaceErrorCode =
  /** The bound folder is not there when the run begins. */
  | 'workspace_missing'
  /** It is there, and cannot be worked in: bare, no repository, damaged. */
  | 'workspace_unusable'
  /** Git took too long, or the disk does not answer. */
  | 'workspace_timeout'
  /** The repository vanished while the run was in it. */
  | 'workspace_lost'
  /** The task's `metadata.git_base` names no commit. */
  | 'base_not_found'
  /** This worker does not clone from there. */
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

/** Whether an error of the system, or git's words about one, say that there is no room left. */
export function isDiskFull(error: unknown): boolean {
  // Of a file that it could only write in part git gives no reason; it does for every other one.
  const messages = /No space left on device|Disk quota exceeded|unable to write (new index )?file/;
  if (typeof error === 'string') return messages.test(error);
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}
