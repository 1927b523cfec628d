// Reads PostgreSQL's standard error: keeps the last lines, and logs those that an operator must see.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The last lines, oldest first, and whether lines are passed on. */
export interface ServerLog {
  readonly lines: readonly string[];
  /** False while it starts and stops: PostgreSQL then logs the rejection of our own probes, and lines are only kept. */
  passOn: boolean;
}

const keptLines = 60;

/** Reads `stderr`, each line beginning with its SQLSTATE (`log_line_prefix` in settings.ts). */
export function followServerLog(stderr: Readable, log: (line: string) => void): ServerLog {
  const lines: string[] = [];
  const serverLog: ServerLog = { lines, passOn: false };
  createInterface({ input: stderr, crlfDelay: Infinity }).on('line', (line) => {
    lines.push(line.replace(/^[0-9A-Z]{5} /, ''));
    if (lines.length > keptLines) lines.shift();
    if (serverLog.passOn && isWorthLogging(line)) log(`postgres: ${line}`);
  });
  return serverLog;
}

/**
 * Warnings and worse. Errors of statements reach their client, which is the service, so only errors of the server's own
 * state are logged: 53 resources, 58 system, XX damaged data.
 */
function isWorthLogging(line: string): boolean {
  const [, state = '', severity = ''] = /^([0-9A-Z]{5}) (\w+):/.exec(line) ?? [];
  if (severity === 'ERROR') return /^(53|58|XX)/.test(state);
  return ['WARNING', 'FATAL', 'PANIC'].includes(severity);
}
