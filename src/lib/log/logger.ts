// The log of every program: pino records, written as JSON or as readable lines. Secrets are masked by their keys.
import pino, { type Logger } from 'pino';
import { formatRecord } from './format-record.ts';
import type { LogFormat, LogLevel } from './levels.ts';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Fields of every record, e.g. the process id; null: none. Readable lines omit them. */
  readonly base: Readonly<Record<string, unknown>> | null;
  /** Keys whose values are masked, at the top level of a record and one level below. */
  readonly secretKeys: readonly string[];
  /** Receives one line including its line break. */
  readonly write: (line: string) => void;
}

export function createLogger({ level, format, base, secretKeys, write }: LoggerOptions): Logger {
  const omitted = base === null ? [] : Object.keys(base);
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`]), censor: '***' },
    },
    { write: format === 'json' ? write : (record: string) => write(formatRecord(record, omitted)) },
  );
}
