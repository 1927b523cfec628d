// The words of the pages: one catalogue for each screen, in files `en-<screen>.ts` beside this one.
import { getDisplay } from '../display/display.ts';

type Words = Readonly<Record<string, string | readonly string[] | ((...values: never[]) => string) | object>>;

/**
 * A catalogue of words: texts, and functions of values that return texts. In the pseudo-language every text is a third longer
 * and accented, so that a layout that is too narrow and a word that is in no catalogue are seen.
 */
export function catalogue<const T extends Words>(words: T): T {
  return getDisplay().words === 'pseudo' ? pseudoOf(words) : words;
}

function pseudoOf<T extends object>(words: T): T {
  return new Proxy(words, {
    get: (target, key): unknown => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value === 'string') return pseudoText(value);
      if (typeof value === 'function') {
        return (...values: unknown[]): unknown => {
          const text: unknown = Reflect.apply(value, undefined, values);
          return typeof text === 'string' ? pseudoText(text) : text;
        };
      }
      return typeof value === 'object' && value !== null ? pseudoOf(value) : value;
    },
  });
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
};

function pseudoText(text: string): string {
  const accented = text.replaceAll(/[aeiouAEIO]/g, (letter) => accents[letter] ?? letter);
  return `[${accented}${'~'.repeat(Math.ceil(text.length * 0.3))}]`;
}

const plurals = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

/** `3 tasks`, `1 task`: the count and the form of the noun that fits. */
export function count(value: number, one: string, other: string): string {
  return `${numbers.format(value)} ${plurals.select(value) === 'one' ? one : other}`;
}

/** A number with separators. */
export function number(value: number): string {
  return numbers.format(value);
}
