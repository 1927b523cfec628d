// The tools that write: write, edit, delete, rename and shell. Only attempts that may write get them.
import { z } from 'zod';
import { defineTool, succeeded, type ModelTool } from './tool.ts';

const path = z.string().min(1).max(4096).describe('relative to the workspace');
const text = z.string().max(4_000_000);

const write = defineTool({
  name: 'write',
  description: 'Writes a whole text file: creates it, or replaces its content. Missing parent folders are created.',
  input: z.object({ path, content: text }),
  subject: ({ path: file }) => file,
  run: async ({ path: file, content }, { files }) => succeeded(`${file} is ${await files.writeText(file, content)}.`),
});

const edit = defineTool({
  name: 'edit',
  description: 'Replaces a text in a file with another. It must occur exactly once, unless `all` is true.',
  input: z.object({ path, old_string: text.min(1), new_string: text, all: z.boolean().default(false) }),
  subject: ({ path: file }) => file,
  async run({ path: file, old_string: from, new_string: to, all }, { files }) {
    const before = await files.readText(file);
    const pieces = before.split(from);
    const count = pieces.length - 1;
    if (count === 0) return { ok: false, text: `${file} does not contain that text; read it again.` };
    if (count > 1 && !all)
      return { ok: false, text: `${file} contains that text ${count} times; give more of it, or set \`all\`.` };
    await files.writeText(file, pieces.join(to));
    return succeeded(`${file}: ${count} ${count === 1 ? 'place' : 'places'} changed.`);
  },
});

const remove = defineTool({
  name: 'delete',
  description: 'Deletes a file or an empty folder.',
  input: z.object({ path }),
  subject: ({ path: file }) => file,
  async run({ path: file }, { files }) {
    await files.remove(file);
    return succeeded(`${file} is deleted.`);
  },
});

const rename = defineTool({
  name: 'rename',
  description: 'Moves a file or a folder to a path that does not exist yet.',
  input: z.object({ from: path, to: path }),
  subject: ({ from, to }) => `${from} → ${to}`,
  async run({ from, to }, { files }) {
    await files.move(from, to);
    return succeeded(`${from} is now ${to}.`);
  },
});

const maxSeconds = 600;

const shell = defineTool({
  name: 'shell',
  description: 'Runs a command with sh in the workspace and returns its output. There is no terminal input.',
  input: z.object({
    command: z.string().min(1).max(100_000),
    timeout_seconds: z.number().positive().max(maxSeconds).default(120),
  }),
  subject: ({ command }) => command,
  async run({ command, timeout_seconds: seconds }, { shell: runShell, signal }) {
    if (runShell === undefined) return { ok: false, text: 'There is no shell in this attempt.' };
    return runShell(command, seconds * 1000, signal);
  },
});

export const writingTools: readonly ModelTool[] = [write, edit, remove, rename];
export const shellTool: ModelTool = shell;
