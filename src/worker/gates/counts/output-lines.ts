// A runner's output as lines without colours, and the shape of what a reader finds in it.
import type { TestCountsWire } from '../../../contracts/step.ts';

export interface ReadTests {
  readonly counts: TestCountsWire;
  /** Names of failed tests, as far as the runner lists them. */
  readonly failed: readonly string[];
}

/** Reads the output of one runner; undefined: it is another runner's. */
export type CountReader = (lines: readonly string[]) => ReadTests | undefined;

// eslint-disable-next-line no-control-regex -- ESC begins a colour.
const colour = /\u001B\[[0-9;?]*[A-Za-z]/g;

export function toLines(output: string): string[] {
  return output.replaceAll(colour, '').split(/\r?\n|\r/);
}

/** The last line that fits: a program under test may print the like before. */
export function lastMatch(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const found = pattern.exec(lines[at] ?? '');
    if (found !== null) return found;
  }
  return undefined;
}

/** The first group of all lines that fit. */
export function allMatches(lines: readonly string[], pattern: RegExp): string[] {
  return lines.flatMap((line) => pattern.exec(line)?.[1]?.trim() ?? []);
}

/** `3 passed | 1 failed`: the number before a word; 0 without it. */
export function numberBefore(text: string, word: RegExp): number {
  return Number(new RegExp(`(\\d+) (?:${word.source})`).exec(text)?.[1] ?? 0);
}
