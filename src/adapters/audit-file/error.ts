// Errors that keep the audit file from being used at start-up.
import { RemedyError } from '../../lib/remedy-error.ts';

/** `code` is e.g. `audit_locked`. */
export class AuditFileError extends RemedyError {
  override readonly name = 'AuditFileError';
}
