// Reads the parts of an address after the question mark. A value that is not understood is left out, with one notice.
import { createStore } from './store.ts';

/** All values of an address are text. */
export type RawSearch = Readonly<Record<string, unknown>>;

/** True when a part of the current address was left out. */
export const hasDropped = createStore(false);

/** The text of a parameter, at most `longest` characters. */
export function textOf(value: unknown, longest = 200): string | undefined {
  if (value === undefined || value === '') return undefined;
  return typeof value === 'string' && value.length <= longest ? value : drop();
}

/** One of a list of words. */
export function oneOf<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  if (value === undefined || value === '') return undefined;
  return choices.find((choice) => choice === value) ?? drop();
}

/** A whole number from `least` to `most`. */
export function integerOf(value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): number | undefined {
  if (value === undefined || value === '') return undefined;
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{1,15}$/.test(value)
        ? Number(value)
        : Number.NaN;
  return number >= least && number <= most ? number : drop();
}

/** A text of this form. */
export function matching(value: unknown, pattern: RegExp): string | undefined {
  const text = textOf(value);
  return text === undefined || pattern.test(text) ? text : drop();
}

/** Words of a list, separated by commas, each once; those of no list are left out. */
export function someOf(value: unknown, choices: readonly string[]): string | undefined {
  const given = textOf(value)?.split(',');
  if (given === undefined) return undefined;
  const known = choices.filter((choice) => given.includes(choice));
  if (!given.every((word) => choices.some((choice) => choice === word))) drop();
  return known.length === 0 ? undefined : known.join(',');
}

/** A day such as `2026-01-31`. */
export function dayOf(value: unknown): string | undefined {
  const day = matching(value, /^\d{4}-\d{2}-\d{2}$/);
  return day === undefined || !Number.isNaN(Date.parse(day)) ? day : drop();
}

/** `1` or `true`; absent is false. */
export function flagOf(value: unknown): true | undefined {
  if (value === undefined || value === '' || value === '0' || value === false) return undefined;
  return value === '1' || value === 'true' || value === true ? true : drop();
}

/** A time or a day that the browser understands, as it stands. */
export function timeOf(value: unknown): string | undefined {
  const text = textOf(value, 40);
  return text === undefined || !Number.isNaN(Date.parse(text)) ? text : drop();
}

function drop(): undefined {
  // Not while the router matches: a store must not change during rendering.
  queueMicrotask(() => hasDropped.set(true));
  return undefined;
}

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Leaves out what is undefined. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number') parameters.set(key, String(value));
    else if (value === true) parameters.set(key, '1');
  }
  const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}
