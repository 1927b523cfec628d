// Errors that keep the service from starting, for the person who started it.
import { RemedyError } from '../../../lib/remedy-error.ts';

/** The service cannot start as things are. */
export class StartError extends RemedyError {
  override readonly name = 'StartError';
}
