// The built-in agent `command`: runs the fenced `sh` block of a prompt. An operator has to enable it. choices-5.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, type StartedAgent } from '../adapter/adapter.ts';
import { lastUserMessage } from '../adapter/prompt.ts';
import { createTextReader } from '../output/text-reader.ts';

/** The first fenced block marked `sh`, `bash` or `shell`, with three or more backticks. */
function shellBlock(prompt: string): string | undefined {
  const lines = prompt.split(/\r?\n/);
  const start = lines.findIndex((line) => /^ {0,3}`{3,}\s*(sh|bash|shell)\s*$/.test(line));
  if (start < 0) return undefined;
  const fence = /`+/.exec(lines[start] ?? '')?.[0] ?? '```';
  const length = lines.slice(start + 1).findIndex((line) => line.trim().startsWith(fence));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n');
}

/**
 * Runs the block with `sh -e`: the first command that fails ends it. The answer to an earlier question is on its stdin;
 * otherwise stdin is empty.
 */
export const commandAgent: StartedAgent = {
  name: 'command',
  program: 'sh',
  version: undefined,
  converses: false,
  takesModel: () => true,
  async invoke({ task, folder }) {
    const block = shellBlock(task.prompt);
    if (block === undefined) {
      throw new AgentError(
        'no_command',
        'The prompt has no block that begins with ```sh. Put the commands to run into such a block.',
      );
    }
    const script = join(folder, 'command.sh');
    await writeFile(script, `${block}\n`, { mode: 0o600 });
    return { argv: ['sh', '-e', script], stdin: lastUserMessage(task) };
  },
  read: () => createTextReader({ unsure: false }),
};
