// An error for the user of the command line: one line, a remedy, and the exit code.
import type { ExitCode } from './exit-codes.ts';

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  /** The remedy; empty if the message has it already. */
  readonly remedy: string;
  /** Stable code, for programs. */
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, message: string, remedy = '', options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.code = code;
    this.remedy = remedy;
  }
}
