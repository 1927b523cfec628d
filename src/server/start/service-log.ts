// The service's log. It never holds a token, a header, a prompt or a password.
import type { LogFormat, LogLevel } from '../../lib/log/levels.ts';
import { createLogger } from '../../lib/log/logger.ts';

/** Logs a line with details: an error, or an object that may hold one as `error`. */
export type ServiceLog = (line: string, details?: unknown) => void;

const secretKeys = ['token', 'authorization', 'password', 'secret', 'prompt'];

/**
 * @param options.write receives one line including its line break
 * @returns a log whose lines with an error have the level `error`, others `info`
 */
export function createServiceLog(options: {
  level: LogLevel;
  format: LogFormat;
  write: (line: string) => void;
}): ServiceLog {
  const logger = createLogger({ ...options, base: { pid: process.pid }, secretKeys });
  return (line, details) => {
    const fields = toLogFields(details);
    if ('error' in fields) logger.error(fields, line);
    else logger.info(fields, line);
  };
}

function toLogFields(details: unknown): Record<string, unknown> {
  if (details === undefined) return {};
  if (details instanceof Error) return { error: describe(details) };
  if (typeof details !== 'object' || details === null) return { details };
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, value instanceof Error ? describe(value) : value]),
  );
}

interface Described {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string | undefined;
  readonly cause?: Described | string;
}

/** Only these fields: database drivers attach whole rows and addresses with passwords to their errors. */
function describe(error: Error, depth = 0): Described {
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    ...(depth === 0 ? { stack } : {}),
    cause: cause === undefined || depth > 4 ? undefined : describeCause(cause, depth + 1),
  };
}

function describeCause(cause: unknown, depth: number): Described | string {
  return cause instanceof Error ? describe(cause, depth) : typeof cause;
}
