// One result of `doctor`: the subject, its state and a remedy.
import { exitCodes, type ExitCode } from './exit-codes.ts';
import type { CliIo } from './io.ts';
import { singleLine, printJson } from './output.ts';

export interface Check {
  /** Short noun, e.g. `git`. */
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** The finding, in one line. */
  readonly found: string;
  /** The remedy; empty if there is nothing to do. */
  readonly remedy: string;
}

export function ok(name: string, found: string): Check {
  return { name, state: 'ok', found, remedy: '' };
}

export function warn(name: string, found: string, remedy: string): Check {
  return { name, state: 'warn', found, remedy };
}

export function fail(name: string, found: string, remedy: string): Check {
  return { name, state: 'fail', found, remedy };
}

/** Prints all results. @returns the exit code: `failed` if one has failed */
export function printChecks(io: Pick<CliIo, 'out'>, checks: readonly Check[], json: boolean): ExitCode {
  const failed = checks.some(({ state }) => state === 'fail');
  if (json) printJson(io, { ok: !failed, checks });
  else io.out(checks.map(formatCheck).join(''));
  return failed ? exitCodes.failed : exitCodes.ok;
}

function formatCheck({ name, state, found, remedy }: Check): string {
  const line = `${state.padEnd(4)}  ${name.padEnd(14)}  ${singleLine(found)}\n`;
  return remedy === '' ? line : `${line}${' '.repeat(22)}→ ${remedy}\n`;
}
