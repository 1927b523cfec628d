// The exit codes of the command line; `switchyard help exit-codes` prints this table.

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  refused: 4,
  notFound: 5,
  conflict: 6,
  needsInput: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const meanings: Record<keyof typeof exitCodes, string> = {
  ok: 'done; a followed task or run has completed',
  failed: 'the task or run failed or was cancelled, a check failed, or the service could not start',
  usage: 'a wrong argument or setting, or an input that the service rejects',
  unreachable: 'the service cannot be reached, is unavailable, or limits the rate of calls',
  refused: 'the token is missing or wrong, or lacks the permission',
  notFound: 'there is no such task, run, codebase, worker, key or user',
  conflict: 'the state does not allow it, e.g. cancelling a finished task',
  needsInput: 'the followed task or run waits for an answer',
  interrupted: 'ended by Ctrl-C',
};

/** One line per code. */
export function exitCodeLines(): string[] {
  return Object.entries(exitCodes).map(([name, code]) => {
    const key = Object.keys(meanings).find((candidate): candidate is keyof typeof exitCodes => candidate === name);
    return `${String(code).padStart(5)}  ${key === undefined ? '' : meanings[key]}`;
  });
}
