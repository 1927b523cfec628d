// Any other agent program: a command with the placeholders {prompt}, {prompt_file} and {model}, never run through a
// shell.
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AgentError, type StartedAgent } from '../adapter/adapter.ts';
import { createTextReader } from '../output/text-reader.ts';

/** The largest size of one argument on Linux (MAX_ARG_STRLEN), including its final NUL. */
const maxArgumentBytes = 131_072;

const placeholders = /\{(prompt|prompt_file|model)\}/g;

/**
 * Splits a command at spaces. Quotes keep spaces together; a backslash has no meaning. Nothing is expanded.
 * @returns an empty list for an empty command; undefined when a quote is not closed
 */
export function splitCommand(command: string): string[] | undefined {
  const quoted = /"([^"]*)"|'([^']*)'/g;
  if (/["']/.test(command.replaceAll(quoted, ''))) return undefined;
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replaceAll(quoted, (_, double?: string, single?: string) => double ?? single ?? ''));
}

/**
 * An agent by a command template. `{prompt}` puts the prompt into the arguments, where every user of the machine can
 * read it; `{prompt_file}` is the path of a file with it; without either the prompt is on stdin. `{model}` is the
 * task's model, unchanged. The answer is the program's output; a last line `SWITCHYARD_NEEDS_INPUT: question` asks a
 * question.
 */
export function templateAdapter([program, ...words]: [string, ...string[]]): StartedAgent {
  const all = [program, ...words];
  const uses = (placeholder: string): boolean => all.some((word) => word.includes(placeholder));
  return {
    name: basename(program),
    program: all.join(' '),
    version: undefined,
    converses: false,
    takesModel: () => uses('{model}'),
    async invoke({ task, prompt, folder }) {
      const file = join(folder, 'prompt.txt');
      if (uses('{prompt_file}')) await writeFile(file, prompt, { mode: 0o600 });
      const values: Record<string, string> = { prompt, prompt_file: file, model: task.model ?? '' };
      const filled = words.map((word) =>
        word.replaceAll(placeholders, (_, placeholder: string) => values[placeholder] ?? ''),
      );
      if (filled.some((word) => Buffer.byteLength(word) >= maxArgumentBytes)) {
        const hint = 'Use {prompt_file} in agent_bin instead of {prompt}.';
        throw new AgentError('prompt_too_large', `The prompt is too large for an argument of ${program}. ${hint}`);
      }
      return {
        argv: [program, ...filled],
        stdin: uses('{prompt}') || uses('{prompt_file}') ? undefined : prompt,
      };
    },
    read: () => createTextReader({ unsure: true }),
  };
}
