// Durations and times in few characters.
import { getDisplay } from '../../display/display.ts';

export interface DurationWords {
  readonly seconds: (value: number) => string;
  readonly minutes: (value: number) => string;
  readonly hours: (value: number) => string;
  readonly days: (value: number) => string;
}

/** The largest unit that fits, rounded down: `41 s`, `3 min`, `2 h`, `5 days`. */
export function durationText(ms: number, words: DurationWords): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return words.seconds(seconds);
  if (seconds < 3_600) return words.minutes(Math.floor(seconds / 60));
  if (seconds < 48 * 3_600) return words.hours(Math.floor(seconds / 3_600));
  return words.days(Math.floor(seconds / 86_400));
}

/** Date and time of day, in the zone that the person chose. */
export function exactTime(at: string): string {
  return format({ dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));
}

/** Time of day alone. */
export function timeOfDay(at: string | number): string {
  return format({ timeStyle: 'short' }).format(new Date(at));
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const timeZone = getDisplay().zone === 'utc' ? 'UTC' : undefined;
  const key = JSON.stringify([options, timeZone]);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(undefined, { ...options, timeZone });
  formats.set(key, known);
  return known;
}
