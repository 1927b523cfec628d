// Translates errors of PostgreSQL and of its socket to errors of the domain.
import pg from 'pg';
import { DomainError, unavailable } from '../../../domain/model/errors.ts';
import { errorCode } from '../../../lib/system/error-code.ts';

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
/**
 * Classes: 08 connection, 28 login refused, 3D database gone, 53 resources, 57 operator intervention (shutdown,
 * statement timeout), 40 rollback.
 */
const unavailableClasses = ['08', '28', '3D', '53', '57', '40'];
/** Messages of driver errors that have no code. */
const driverMessages =
  /connection terminated|timeout exceeded|query read timeout|client has encountered a connection error|not queryable/i;

/** True when the database could not be reached, or gave up, and a later retry may succeed. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error) ?? '';
  if (unreachableCodes.has(code)) return true;
  if (error instanceof pg.DatabaseError) return unavailableClasses.some((prefix) => code.startsWith(prefix));
  return driverMessages.test(error.message);
}

/** True when the statement lost against concurrent ones (a deadlock, for example): a retry will probably succeed. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code?.startsWith('40') ?? false);
}

/**
 * The domain's error for an error of the driver: `unavailable` (503) when the database could not be reached, `invalid` for
 * text that the database cannot store. Any other error is a bug and is returned unchanged.
 */
export function translated(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (isUnreachable(error)) {
    return unavailable('store_unavailable', 'The database cannot be reached right now. Try again shortly.', 2, error);
  }
  if (error instanceof pg.DatabaseError && (error.code?.startsWith('22') ?? false)) {
    return new DomainError('invalid', 'invalid_value', 'A value in the request cannot be stored.', { cause: error });
  }
  return error;
}
