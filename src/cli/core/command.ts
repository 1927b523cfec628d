// What every command has in common: `--json`, and an exit code as its outcome.
import { Command } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import type { CliIo } from './io.ts';

/** What a command's action gets beside its own arguments. */
export interface CommandContext {
  readonly io: CliIo;
  /** Takes the exit code of the command that ran. */
  readonly end: (code: ExitCode) => void;
}

/** A command that takes `--json`. */
export function newCommand(name: string, summary: string): Command {
  return new Command(name).description(summary).option('--json', 'print JSON, one value a line');
}

/** Collects the values of a flag that may stand several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
