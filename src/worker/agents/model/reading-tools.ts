// The tools that read: list, read and search, and the tool that asks the task's author a question.
import { z } from 'zod';
import type { AgentQuestion } from '../adapter/adapter.ts';
import type { SandboxedFiles, FolderEntry } from '../../sandboxed-fs/files.ts';
import { PathRefused } from '../../sandboxed-fs/path-refused.ts';
import { defineTool, succeeded, truncateMiddle, type ModelTool } from './tool.ts';

const path = z.string().min(1).max(4096).describe('relative to the workspace');

const maxEntries = 1_000;
const maxLines = 2_000;
const maxLineChars = 1_000;
const maxMatches = 200;
const maxSearched = 20_000;
/** Folders filled by tools, not by people. */
const skipped = new Set(['node_modules', '.venv', '__pycache__']);

/** Every entry below a folder, folders before their content; skipped folders are listed but not entered. */
async function* entriesBelow(files: SandboxedFiles, folder: string, signal: AbortSignal): AsyncGenerator<FolderEntry> {
  for (const entry of await files.list(folder)) {
    signal.throwIfAborted();
    yield entry;
    const name = entry.path.split('/').at(-1) ?? '';
    if (entry.kind === 'folder' && !skipped.has(name)) yield* entriesBelow(files, entry.path, signal);
  }
}

const list = defineTool({
  name: 'list',
  description: 'Lists the files and folders of the workspace or of a folder in it.',
  input: z.object({ path: path.default('.'), recursive: z.boolean().default(false) }),
  subject: ({ path: folder }) => folder,
  async run({ path: folder, recursive }, { files, signal }) {
    const lines: string[] = [];
    const entries = recursive ? entriesBelow(files, folder, signal) : await files.list(folder);
    for await (const { path: at, kind } of entries) {
      if (lines.length >= maxEntries) {
        lines.push(`… more entries: list a subfolder`);
        break;
      }
      lines.push(kind === 'folder' ? `${at}/` : kind === 'file' ? at : `${at} (${kind})`);
    }
    return succeeded(lines.join('\n') || 'The folder is empty.');
  },
});

const read = defineTool({
  name: 'read',
  description: `Reads a text file, up to ${maxLines} lines from the line \`offset\` (starting at 1).`,
  input: z.object({ path, offset: z.int().min(1).default(1), limit: z.int().min(1).max(maxLines).default(maxLines) }),
  subject: ({ path: file }) => file,
  async run({ path: file, offset, limit }, { files }) {
    const lines = (await files.readText(file)).split('\n');
    const shown = lines.slice(offset - 1, offset - 1 + limit).map((line) => line.slice(0, 20 * maxLineChars));
    const rest = lines.length - (offset - 1 + shown.length);
    const more = rest > 0 ? `\n… ${rest} more lines, from line ${offset + shown.length} on` : '';
    return succeeded(`${truncateMiddle(shown.join('\n'))}${more}`);
  },
});

/** The lines of a file that match; none for a file that is not text. */
async function matchesIn(files: SandboxedFiles, file: string, holds: (line: string) => boolean): Promise<string[]> {
  try {
    const lines = (await files.readText(file)).split('\n');
    return lines.flatMap((line, at) => (holds(line) ? [`${file}:${at + 1}: ${line.slice(0, maxLineChars)}`] : []));
  } catch (error) {
    if (error instanceof PathRefused) return [];
    throw error;
  }
}

const search = defineTool({
  name: 'search',
  // A regular expression of the model could keep the worker busy for ever; a plain text cannot.
  description: 'Finds the lines that contain a text (literal, not a pattern) in the files of the workspace.',
  input: z.object({
    text: z.string().min(1).max(1_000),
    path: path.default('.'),
    ignore_case: z.boolean().default(false),
    name_ends_with: z.string().max(200).default('').describe('only files whose name ends with this, e.g. .ts'),
  }),
  subject: ({ text }) => text,
  async run({ text, path: folder, ignore_case: ignoreCase, name_ends_with: ending }, { files, signal }) {
    const wanted = ignoreCase ? text.toLowerCase() : text;
    const holds = (line: string): boolean => (ignoreCase ? line.toLowerCase() : line).includes(wanted);
    const found: string[] = [];
    let searched = 0;
    for await (const entry of entriesBelow(files, folder, signal)) {
      if (entry.kind !== 'file' || !entry.path.endsWith(ending)) continue;
      searched += 1;
      found.push(...(await matchesIn(files, entry.path, holds)));
      if (found.length < maxMatches && searched < maxSearched) continue;
      return succeeded(
        truncateMiddle(`${found.slice(0, maxMatches).join('\n')}\n… there may be more: search a subfolder`),
      );
    }
    return succeeded(truncateMiddle(found.join('\n')) || 'No line contains it.');
  },
});

function questionOf(text: string, options: readonly string[] = []): AgentQuestion {
  if (options.length === 0) return { text };
  return { text, options: [...new Set(options)].map((value) => ({ value, label: value })) };
}

const askUser = defineTool({
  name: 'ask',
  description:
    'Asks the person who gave the task a question and ends your turn. Only if you cannot go on without it. ' +
    'options: short answers to choose from, where the question has such; the person may write another one.',
  input: z.object({
    question: z.string().min(1).max(10_000),
    options: z.array(z.string().min(1).max(200)).max(9).optional(),
  }),
  subject: ({ question }) => question,
  run: ({ question, options }) =>
    Promise.resolve({ ok: true, text: 'Asked.', question: questionOf(question, options) }),
});

export const readingTools: readonly ModelTool[] = [list, read, search, askUser];
