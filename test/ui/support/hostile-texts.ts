// Hostile strings as they were written into fields, each with a mark of its own, by which it is found again on a page.
import { cleanOutput, cleanText, cleanTitle, markControls, plainOf } from '../../../ui/src/text/clean.ts';
import { shellQuote } from '../../../ui/src/text/curl.ts';
import { endlessLine, hostileStrings } from './hostile-strings.ts';

/** Characters that reorder, hide or control: none reaches a page, a mark stands in its place. */
const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u3164]/u;
const mark = /w(\d+)e\b/g;
/** Stands before each mark in the answers of a service that stores what ours refuses. */
const broken = { json: '\\u0000\\ud83d', text: '\u0000\uD83D' };

interface WrittenText {
  readonly field: string;
  readonly text: string;
  readonly string: string;
}

export class HostileTexts {
  readonly #written: WrittenText[] = [];
  readonly #seen = new Set<string>();

  /** For the seeder: the next hostile string in place of a plain text. */
  readonly write = (field: string): string => {
    const n = this.#written.length;
    const isFirstOutput = field === 'output' && !this.#written.some((one) => one.field === 'output');
    const string = isFirstOutput ? endlessLine : (hostileStrings[n % hostileStrings.length] ?? '');
    const text = `${string} w${n}e`;
    this.#written.push({ field, text, string });
    return text;
  };

  /** @param body JSON in which the marks stand */
  breakMarks(body: string): string {
    return body.replaceAll(mark, `${broken.json}$&`);
  }

  /** Faults of a text of a page: something hidden, or another text than the cleaner makes of what was written. */
  wrongsOf(shown: string): string[] {
    let from = 0;
    const wrongs: string[] = [];
    for (const match of shown.matchAll(mark)) {
      const end = match.index + match[0].length;
      const piece = collapse(shown.slice(from, end));
      from = end;
      const written = this.#written[Number(match[1])];
      if (written === undefined) continue;
      this.#seen.add(written.field);
      const given = [
        written.text,
        written.text.replace(mark, `${broken.text}$&`),
        written.text.replace(mark, '\uD83D$&'),
      ];
      const forms = given.flatMap(formsOf).map(collapse);
      if (!forms.some((form) => piece.endsWith(form) || form.endsWith(piece)))
        wrongs.push(`another text than ${JSON.stringify(written.text)}: ${JSON.stringify(piece.slice(-300))}`);
    }
    return hidden.test(shown) ? [`a hidden character in ${JSON.stringify(shown.slice(0, 120))}`, ...wrongs] : wrongs;
  }

  fields(): string[] {
    return [...new Set(this.#written.map(({ field }) => field))];
  }

  strings(): string[] {
    return [...new Set(this.#written.map(({ string }) => string))];
  }

  unseenFields(): string[] {
    return this.fields().filter((field) => !this.#seen.has(field));
  }
}

/** Titles and summaries of one line have one space where a text has more, or ends a line. */
function collapse(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The ways in which a page may show a text: whole, as JSON, in a line of a shell, as markdown; and the last line of each. */
function formsOf(text: string): string[] {
  const lines = [text, text.split('\n').at(-1) ?? '', collapse(text)];
  const written = lines.flatMap((line) => [line, JSON.stringify(line).slice(1, -1)]);
  return written
    .flatMap((line) => [
      line,
      line.replaceAll("'", String.raw`'\''`),
      shellQuote(line).replaceAll(/^'|'$/g, ''),
      plainCommand(line),
    ])
    .flatMap((line) => [
      cleanTitle(line),
      cleanText(line),
      markControls(line),
      plainOf(cleanOutput(line)),
      decode(line),
    ]);
}

/** What the service leaves of a text in the command of a remedy: what could leave its quotes, or is not seen, is a question mark. */
function plainCommand(text: string): string {
  const end = text.search(/[\p{Cc}\p{Cs}]*w\d+e$/u);
  return text.slice(0, end).replaceAll(/[^ -~]|[`'\\$!]/gu, '?') + text.slice(end);
}

/** A text in markdown, whose references are characters. */
function decode(text: string): string {
  return cleanText(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#x202E;', '\u202E'));
}
