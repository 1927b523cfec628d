// The file progress.txt of an agent's working tree: what is known so far goes in, the agent's notes come back. runs-9.
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cutText } from '../../../lib/text/cut-text.ts';
import { plainLines } from '../plain-lines.ts';
import { readPlainFile } from '../read-plain-file.ts';
import { scrub } from './scrub.ts';

export interface ProgressNotes {
  /** Lines that the agent added outside of the patterns, at most 8 KiB. */
  readonly notes: string;
  /** Lines that it added below "Codebase Patterns". */
  readonly patterns: string[];
}

export interface ProgressFile {
  /** Relative to the working tree. */
  readonly path: string;
  /** @param secrets values that are blanked out */
  readNotes(secrets: readonly string[]): Promise<ProgressNotes>;
}

const ownName = 'progress.txt';
const asideFolder = '.switchyard';
const maxBytes = 8 * 1024;
const maxPatterns = 100;
/** An agent may write any amount; this much beyond the given text is read. */
const maxReadBytes = 256 * 1024;

/**
 * Writes the file into a clean working tree, where an earlier one of ours is replaced. A tree whose `.switchyard` is no
 * folder gets none.
 * @param path relative to the working tree: at its top, or in `.switchyard`
 */
export async function writeProgress(root: string, text: string, path: string): Promise<ProgressFile> {
  if (path === ownName || (await makeAside(root))) {
    await rm(join(root, path), { recursive: true, force: true });
    await writeFile(join(root, path), text, { flag: 'wx' });
  }
  return {
    path,
    readNotes: async (secrets) => notesIn(text, await readCapped(root, path, Buffer.byteLength(text)), secrets),
  };
}

/** Never through a link of the repository. */
async function makeAside(root: string): Promise<boolean> {
  const found = await lstat(join(root, asideFolder)).catch(() => undefined);
  if (found === undefined) await mkdir(join(root, asideFolder));
  return found === undefined || found.isDirectory();
}

/** @returns '' where the agent removed it, or made it a link or something else */
async function readCapped(root: string, path: string, givenBytes: number): Promise<string> {
  const aside = path === ownName ? undefined : await lstat(join(root, asideFolder)).catch(() => undefined);
  if (path !== ownName && aside?.isDirectory() !== true) return '';
  return readPlainFile(join(root, path), givenBytes + maxReadBytes);
}

const patternsHeading = /^#+\s*codebase patterns\b/i;
const heading = /^#/;
const rule = /^-{3,}\s*$/;

/** The lines of `after` that `before` does not have. */
export function notesIn(before: string, after: string, secrets: readonly string[]): ProgressNotes {
  const known = new Set(plainLines(before).map((line) => line.trimEnd()));
  const notes: string[] = [];
  const patterns: string[] = [];
  let inPatterns = false;
  for (const line of plainLines(scrub(after, secrets)).map((one) => one.trimEnd())) {
    if (patternsHeading.test(line)) inPatterns = true;
    else if (heading.test(line)) inPatterns = false;
    if (line === '' || known.has(line) || rule.test(line) || patternsHeading.test(line)) continue;
    if (inPatterns) patterns.push(line.replace(/^[-*]\s+/, ''));
    else notes.push(line);
  }
  return { notes: cutBytes(notes.join('\n')), patterns: cutList(patterns) };
}

function cutBytes(text: string): string {
  return Buffer.byteLength(text) <= maxBytes
    ? text
    : cutText(Buffer.from(text).toString('utf8', 0, maxBytes - 4), maxBytes);
}

function cutList(lines: readonly string[]): string[] {
  let left = maxBytes;
  return lines.slice(0, maxPatterns).filter((line) => (left -= Buffer.byteLength(line)) >= 0);
}
