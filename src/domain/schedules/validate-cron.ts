// The verb validate: checks a cron expression and computes its next due times.
import { DomainError } from '../model/errors.ts';
import type { ScheduleError } from '../model/schedule/cronjob.ts';
import { parseCron, toLocalTime } from './cron-expression.ts';

export type CronVerdict =
  | { readonly valid: true; readonly next: { readonly at: string; readonly local: string }[] }
  | { readonly valid: false; readonly error: ScheduleError };

const shown = 5;

/** @param from milliseconds since 1970; times after this one are returned */
export function validateCron(cron: string, timezone: string, from: number): CronVerdict {
  try {
    const times = parseCron(cron, timezone);
    const next: { at: string; local: string }[] = [];
    for (let at = times.next(from); at !== undefined && next.length < shown; at = times.next(at)) {
      next.push({ at: new Date(at).toISOString(), local: toLocalTime(at, timezone) });
    }
    return { valid: true, next };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
    return { valid: false, error: { code: error.code, message: error.message } };
  }
}
