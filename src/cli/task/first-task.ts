// Builds the first task that `up` prints, ready to paste, for the agent that was found.
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { curlHeaderFile } from '../core/cli-file.ts';
import type { CliIo } from '../core/io.ts';

export interface FirstTask {
  /** For this command line. */
  readonly command: string;
  /** For curl; the token is read from a file. */
  readonly curl: string;
}

const promptExample = {
  title: 'A first task',
  prompt: 'Write a file HELLO.md that says in three sentences what is in this folder.',
};
const commandExample = {
  title: 'A first task',
  prompt: '```sh\necho "Hello from $(hostname)" | tee HELLO.md\n```',
};

/** @param agent the agent that will run it; `command` runs a block of commands, all others read a prompt */
export async function buildFirstTask(
  io: Pick<CliIo, 'cwd' | 'env' | 'root'>,
  facts: { agent: string | undefined; codebaseId: string; dataDir: string; url: string },
): Promise<FirstTask> {
  const { title, prompt } = facts.agent === 'command' ? commandExample : promptExample;
  const program = await programCommand(io);
  const isDefault = facts.dataDir === path.join(io.cwd, '.switchyard');
  const dataDirFlag = isDefault ? '' : ` --data-dir ${quoted(facts.dataDir)}`;
  const flags = `--follow --codebase ${facts.codebaseId} --title ${quoted(title)}${dataDirFlag}`;
  const header = shortestPath(io.cwd, curlHeaderFile(facts.dataDir));
  const body = JSON.stringify({ title, prompt, codebase_id: facts.codebaseId });
  return {
    command: `${program} task create ${flags} ${quoted(prompt)}`,
    curl: `curl -sS ${facts.url}/v1/agent/tasks -H @${quoted(header)} -H 'content-type: application/json' -d ${quoted(body)}`,
  };
}

/** How this program is called from the user's folder. */
export async function programCommand({ cwd, env, root }: Pick<CliIo, 'cwd' | 'env' | 'root'>): Promise<string> {
  const launcher = path.join(root, 'bin', 'switchyard.js');
  const launcherPath = await realpath(launcher).catch(() => launcher);
  for (const folder of (env['PATH'] ?? '').split(path.delimiter).filter(Boolean)) {
    const found = await realpath(path.join(folder, 'switchyard')).catch(() => undefined);
    if (found === launcherPath) return 'switchyard';
  }
  return `node ${quoted(shortestPath(cwd, launcher))}`;
}

/** Relative if that is shorter. */
function shortestPath(cwd: string, file: string): string {
  const near = path.relative(cwd, file);
  return near.startsWith('..') ? file : near;
}

/** Quotes a word for a POSIX shell, if needed. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
