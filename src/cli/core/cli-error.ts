// An error that the command line tells its user: one line, what to do about it, and the exit code.
import type { ExitCode } from './exit-codes.ts';

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  /** What to do; empty when the message says it. */
  readonly remedy: string;
  /** Stable word for programs. */
  readonly code: string;

  constructor(exitCode: ExitCode, code: string, message: string, remedy = '', options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.code = code;
    this.remedy = remedy;
  }
}
