// The basis of every command: `--json`, and an exit code as its outcome.
import { Command } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import type { CliIo } from './io.ts';

/** Passed to every command. */
export interface CommandContext {
  readonly io: CliIo;
  /** Records the exit code of the command. */
  readonly end: (code: ExitCode) => void;
}

/** Creates a command that accepts `--json`. */
export function newCommand(name: string, summary: string): Command {
  return new Command(name).description(summary).option('--json', 'print JSON, one value a line');
}

/** Collects the values of a flag that may be repeated. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
