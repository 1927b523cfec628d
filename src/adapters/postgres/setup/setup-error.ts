// The error of setting up a PostgreSQL server: one line, and a remedy.
import { RemedyError } from '../../../lib/remedy-error.ts';

/** `code` is e.g. `may_not_create_roles`. */
export class SetupError extends RemedyError {
  override readonly name = 'SetupError';
}
