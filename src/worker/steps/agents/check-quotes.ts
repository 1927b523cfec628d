// Checks the quotes of a judge against the files of the commit that it judged. runs-10.
import { cutText } from '../../../lib/text/cut-text.ts';
import { plainLines } from '../plain-lines.ts';
import type { StepContext } from '../step-context.ts';

export interface GivenQuote {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

interface CheckedQuote extends GivenQuote {
  readonly holds: boolean;
}

/** The largest distance of a quote from its line. */
const tolerance = 5;
const maxQuotes = 20;
const maxFileBytes = 5 * 1024 * 1024;
const maxTextChars = 4_000;
/** Fewer letters and digits stand in every file. */
const minSignificant = 3;

export async function checkQuotes(
  { git, repository }: Pick<StepContext, 'git' | 'repository'>,
  commit: string,
  quotes: readonly GivenQuote[],
): Promise<CheckedQuote[]> {
  const checked: CheckedQuote[] = [];
  for (const { path, line, text } of quotes.slice(0, maxQuotes)) {
    const lines = await linesOf({ git, repository }, commit, path);
    checked.push({
      path: cutText(plainLines(path).join(' '), 1_000),
      line: Number.isSafeInteger(line) ? line : 0,
      text: cutText(plainLines(text).join('\n'), maxTextChars),
      holds: lines !== undefined && stands(lines, line, text),
    });
  }
  return checked;
}

async function linesOf(
  { git, repository }: Pick<StepContext, 'git' | 'repository'>,
  commit: string,
  path: string,
): Promise<string[] | undefined> {
  if (path === '' || /[\0\n]/.test(path)) return undefined;
  const name = `${commit}:${path.replace(/^(\.?\/)+/, '')}`;
  const call = { cwd: repository.root, expect: [0, 128] };
  const size = await git.run(['cat-file', '-s', name], call);
  if (size.code !== 0 || Number(size.stdout.toString()) > maxFileBytes) return undefined;
  const { code, stdout } = await git.run(['cat-file', 'blob', name], call);
  return code === 0 ? stdout.toString().split(/\r?\n/).map(squeeze) : undefined;
}

function squeeze(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim();
}

/** Whether the quoted lines follow each other near the line, apart from white space. */
export function stands(lines: readonly string[], line: number, text: string): boolean {
  const quoted = text.split(/\r?\n/).map(squeeze);
  while (quoted.at(-1) === '') quoted.pop();
  while (quoted[0] === '') quoted.shift();
  if ((quoted.join('').match(/[\p{L}\p{N}]/gu) ?? []).length < minSignificant) return false;
  for (let start = line - 1 - tolerance; start <= line - 1 + tolerance; start += 1) {
    if (quoted.every((part, at) => (lines[start + at] ?? '').includes(part))) return true;
  }
  return false;
}
