// What PostgreSQL's and the socket's errors mean to the domain.
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
/** The driver has no codes for these. */
const driverMessages =
  /connection terminated|timeout exceeded|query read timeout|client has encountered a connection error|not queryable/i;

/** True when the database could not be asked, or gave up, and asking again later may work. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error) ?? '';
  if (unreachableCodes.has(code)) return true;
  if (error instanceof pg.DatabaseError) return unavailableClasses.some((prefix) => code.startsWith(prefix));
  return driverMessages.test(error.message);
}

/** True when the statement lost against others (a deadlock, say): asked once more, it may well win. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code?.startsWith('40') ?? false);
}

/**
 * The domain's error for one of the driver: `unavailable` (503) when the database could not be asked, `invalid` for
 * text the database cannot hold; anything else is passed on as it is, for it is a bug.
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
