// The due times of a cron expression in a time zone. platform-3.2.
import { Cron } from 'croner';
import { DomainError } from '../model/errors.ts';

export interface CronTimes {
  /** The first due time after this one, in milliseconds since 1970; undefined: there is none. */
  next(after: number): number | undefined;
  /** The first beginning of a day in the zone after this time. */
  nextMidnight(after: number): number | undefined;
}

export type CronErrorCode = 'invalid_cron' | 'unknown_timezone' | 'never_fires';

const maxLength = 200;
const names = ['@hourly', '@daily', '@weekly', '@monthly', '@yearly'];
/** Five fields: a date or a sixth field does not match. */
const fields = /^[\w*,/#?+-]+(?: +[\w*,/#?+-]+){4}$/;

/** @throws DomainError invalid, with a `CronErrorCode` */
export function parseCron(cron: string, timezone: string): CronTimes {
  const expression = cron.trim().replaceAll(/\s+/g, ' ');
  assertForm(cron, expression);
  assertTimezone(timezone);
  const pattern = parsePattern(expression, timezone);
  let midnights: Cron | undefined;
  const times: CronTimes = {
    next: (after) => nextOf(pattern, after),
    nextMidnight: (after) => nextOf((midnights ??= parsePattern('0 0 * * *', timezone)), after),
  };
  if (times.next(0) === undefined) {
    throw cronError('never_fires', '/cron', `names a time that never comes, such as 31 February: ${expression}`);
  }
  return times;
}

function nextOf(pattern: Cron, after: number): number | undefined {
  return pattern.nextRun(new Date(after))?.getTime();
}

function assertForm(cron: string, expression: string): void {
  if (cron.length > maxLength) throw cronError('invalid_cron', '/cron', `may have at most ${maxLength} characters`);
  if (names.includes(expression.toLowerCase()) || fields.test(expression)) return;
  const form = 'minute hour day-of-month month day-of-week';
  throw cronError('invalid_cron', '/cron', `must have five fields (${form}) or be one of ${names.join(', ')}`);
}

function assertTimezone(timezone: string): void {
  // Offsets such as +02:00 are no zones: they know no summer time.
  if (/^[A-Za-z]/.test(timezone) && isKnownZone(timezone)) return;
  throw cronError('unknown_timezone', '/timezone', 'must be an IANA time zone such as UTC or Europe/Berlin');
}

function isKnownZone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function parsePattern(expression: string, timezone: string): Cron {
  try {
    return new Cron(expression, { timezone, mode: '5-part', paused: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Cron\w+: /, '') : String(error);
    throw cronError('invalid_cron', '/cron', `is not a cron expression: ${reason}`);
  }
}

function cronError(code: CronErrorCode, path: string, message: string): DomainError {
  return new DomainError('invalid', code, `The request is not valid: ${path} ${message}.`, {
    errors: [{ path, message }],
  });
}

/** A time as the clocks of a zone show it, with the offset: `2026-03-29T03:00:00+02:00`. */
export function toLocalTime(at: number, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  const offset = of('timeZoneName').replace(/^GMT/, '') || '+00:00';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}${offset}`;
}
