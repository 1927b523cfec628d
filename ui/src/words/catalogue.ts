// The words of the pages: one catalogue for each screen, in files `en-<screen>.ts` beside this one.
import { getDisplay } from '../display/display.ts';
import { cleanTitle } from '../text/clean.ts';

type Words = Readonly<Record<string, string | readonly string[] | ((...values: never[]) => string) | object>>;

/**
 * A catalogue of words: texts, and functions of values that return texts. Values that are text, such as the name of a worker,
 * come from anybody: a function gets them cleaned. In the pseudo-language every text is a third longer and accented, so that a
 * layout that is too narrow and a word that is in no catalogue are seen.
 */
export function catalogue<const T extends Words>(words: T): T {
  return shownWords(words, getDisplay().words === 'pseudo' ? pseudoText : (text) => text);
}

/** @param show what is shown of a text; its values stay as they are */
type Show = (text: string, values: readonly string[]) => string;

function shownWords<T extends object>(words: T, show: Show): T {
  const shown = new Map<PropertyKey, unknown>();
  return new Proxy(words, {
    get: (target, key): unknown => {
      if (!shown.has(key)) shown.set(key, shownValue(Reflect.get(target, key), show));
      return shown.get(key);
    },
  });
}

function shownValue(value: unknown, show: Show): unknown {
  if (typeof value === 'string') return show(value, []);
  if (Array.isArray(value)) return value.map((entry) => shownValue(entry, show));
  if (typeof value === 'object' && value !== null) return shownWords(value, show);
  if (typeof value !== 'function') return value;
  return (...values: unknown[]): unknown => {
    const cleaned = values.map((given) => (typeof given === 'string' ? cleanTitle(given) : given));
    const text: unknown = Reflect.apply(value, undefined, cleaned);
    if (typeof text !== 'string') return text;
    return show(
      text,
      cleaned.filter((given) => typeof given === 'string'),
    );
  };
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

function pseudoText(text: string, values: readonly string[]): string {
  // Values are no words: they stay, as a name stays in any language.
  const parts = values.reduce<readonly string[]>(
    (before, value) =>
      value === '' ? before : before.flatMap((part, i) => (i % 2 === 0 ? splitAt(part, value) : [part])),
    [text],
  );
  const accented = parts
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(/[aeiouAEIO]/g, (letter) => accents[letter] ?? letter) : part))
    .join('');
  return `[${accented}${'~'.repeat(Math.ceil(text.length * 0.3))}]`;
}

/** Text, value, text and so on: every second part is the value. */
function splitAt(text: string, value: string): string[] {
  return text.split(value).flatMap((part, i) => (i === 0 ? [part] : [value, part]));
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
