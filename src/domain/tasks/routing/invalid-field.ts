// The error for one invalid field of a caller's input.
import { DomainError } from '../../model/errors.ts';

/** @param message what the field must be, as the rest of a sentence that starts with its path */
export function invalidField(path: string, message: string): DomainError {
  return new DomainError('invalid', 'invalid_request', `The request is not valid: ${path} ${message}.`, {
    errors: [{ path, message }],
  });
}
