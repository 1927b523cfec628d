// Finds which requirements the tests cite: `[core-5.1]` or `[core-5.1, choices-4.1]` in a title or a comment.
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

/** One bracket may name several ids, separated by commas or spaces. The dotted number keeps out `[utf-8]` and the like. */
const bracket = /\[([a-z]+-\d+\.\d[^\][\n]*)\]/g;

interface Citation {
  readonly id: string;
  /** Its place, as `path:line`, the path relative to the root. */
  readonly location: string;
}

/** The citations in one file's text. `file` is only used for their places. */
export function citationsIn(text: string, file: string): Citation[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(bracket)].flatMap(([, ids = '']) =>
      ids
        .split(/[\s,]+/)
        .filter((id) => id !== '')
        .map((id) => ({ id, location: `${file}:${index + 1}` })),
    ),
  );
}

/**
 * The citations of every `*.test.ts` under `test/` of the project at `root`, and of the `*-cases.ts` that several of them share,
 * except `test/requirements/requirements.test.ts`.
 */
export async function citationsOf(root: string): Promise<Citation[]> {
  const found: Citation[] = [];
  for await (const file of glob(['test/**/*.test.ts', 'test/**/*-cases.ts'], { cwd: root })) {
    if (file === path.join('test', 'requirements', 'requirements.test.ts')) continue; // it holds examples, and proves none
    found.push(...citationsIn(await readFile(path.join(root, file), 'utf8'), file));
  }
  return found;
}
