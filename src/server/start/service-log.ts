// The service's log: JSON lines, never with a token, a header, a prompt or a password in them.
import pino from 'pino';
import type { ServiceConfig } from '../config/service-config.ts';

/** A line with what belongs to it: an error, or an object that may hold one as `error`. */
export type ServiceLog = (line: string, details?: unknown) => void;

const secretKeys = ['token', 'authorization', 'password', 'secret', 'prompt'];

/**
 * @param write takes one line with its line break
 * @returns lines with an error are logged as `error`, others as `info`
 */
export function createServiceLog(level: ServiceConfig['logLevel'], write: (line: string) => void): ServiceLog {
  const paths = secretKeys.flatMap((key) => [key, `*.${key}`]);
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '***' },
    },
    { write },
  );
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

/** These fields alone: drivers hang whole rows and addresses with passwords on their errors. */
function describe(error: Error, depth = 0): Described {
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    ...(depth === 0 ? { stack } : {}),
    ...(cause === undefined || depth > 4 ? {} : { cause: describeCause(cause, depth + 1) }),
  };
}

function describeCause(cause: unknown, depth: number): Described | string {
  return cause instanceof Error ? describe(cause, depth) : typeof cause;
}
