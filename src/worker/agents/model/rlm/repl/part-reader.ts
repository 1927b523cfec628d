// Answers the guest's reads of context parts. The texts stay outside of the guest's memory until it asks for a piece.
import { z } from 'zod';
import type { ContextPart } from './protocol.ts';

const at = z.number().nullish();
const readArguments = {
  slice: z.tuple([z.number(), at, at]),
  lines: z.tuple([z.number(), at, at]),
  search: z.tuple([z.number(), z.string().min(1)]),
};

/** A search with more lines than this throws: no list of hits is cut in silence. */
const maxHits = 200_000;

export type PartRead = (args: readonly unknown[]) => z.core.util.JSONType;

/** The lines that contain a text, counted from 0. @throws RangeError for too many */
function searchLines(text: string, wanted: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let [line, counted] = [0, 0];
  for (let hit = text.indexOf(wanted); hit >= 0;) {
    const start = text.lastIndexOf('\n', hit - 1) + 1;
    const end = text.indexOf('\n', hit);
    for (let gap = text.indexOf('\n', counted); gap >= 0 && gap < start; gap = text.indexOf('\n', gap + 1)) line += 1;
    counted = start;
    if (found.length >= maxHits) throw new RangeError(`more than ${maxHits} lines contain that text; narrow it`);
    found.push({ line, text: text.slice(start, end < 0 ? undefined : end) });
    if (end < 0) break;
    hit = text.indexOf(wanted, end);
  }
  return found;
}

/** The reads by name. @throws RangeError, ZodError for wrong arguments */
export function createPartReads(parts: readonly ContextPart[]): Map<string, PartRead> {
  const textOf = (index: number): string => {
    const part = parts[index];
    if (part === undefined) throw new RangeError(`there is no context part ${index}`);
    return part.text;
  };
  // Code reads chunk after chunk: a text is split once.
  const split = new Map<number, string[]>();
  const linesOf = (index: number): string[] => {
    const lines = split.get(index) ?? textOf(index).split('\n');
    split.set(index, lines);
    return lines;
  };
  return new Map<string, PartRead>([
    [
      'slice',
      (args) => {
        const [index, from, to] = readArguments.slice.parse(args);
        return textOf(index).slice(from ?? 0, to ?? undefined);
      },
    ],
    [
      'lines',
      (args) => {
        const [index, from, to] = readArguments.lines.parse(args);
        return linesOf(index).slice(from ?? 0, to ?? undefined);
      },
    ],
    [
      'search',
      (args) => {
        const [index, wanted] = readArguments.search.parse(args);
        return searchLines(textOf(index), wanted);
      },
    ],
  ]);
}
