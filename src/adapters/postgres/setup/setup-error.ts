// Errors that keep a PostgreSQL server from being set up.
import { RemedyError } from '../../../lib/remedy-error.ts';

/** `code` is e.g. `may_not_create_roles`. */
export class SetupError extends RemedyError {
  override readonly name = 'SetupError';
}
