// The worker's log: pino to stderr, as readable lines or as JSON. Tokens are never logged, prompts not at info.
import pino from 'pino';
import type { Logger } from 'pino';
import { z } from 'zod';

export type WorkerLog = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const line = z.looseObject({ level: z.string(), time: z.string(), msg: z.string().default('') });
const secretKeys = ['token', 'lease_token', 'authorization', 'password', 'secret'];

/**
 * A log that writes to `write`, by default to stderr.
 * @param options.format `pretty`: `time level message key=value …`; `json`: one object per line
 */
export function createLog(options: {
  level: LogLevel;
  format: 'pretty' | 'json';
  write?: (text: string) => void;
}): WorkerLog {
  const write = options.write ?? ((text: string) => void process.stderr.write(text));
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...secretKeys, ...secretKeys.map((key) => `*.${key}`)], censor: '***' },
  };
  return pino(settings, { write: (text) => write(options.format === 'json' ? text : pretty(text)) });
}

function pretty(text: string): string {
  const parsed = line.safeParse(JSON.parse(text));
  if (!parsed.success) return text;
  const { level, time, msg, ...rest } = parsed.data;
  const fields = Object.entries(rest).map(([key, value]) => ` ${key}=${shown(value)}`);
  // A message may quote an agent or the service: it stays one line, without control characters.
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${msg.replaceAll(/\p{Cc}+/gu, ' ')}${fields.join('')}\n`;
}

function shown(value: unknown): string {
  if (typeof value === 'string' && /^[\w./:@+-]+$/.test(value)) return value;
  return JSON.stringify(value);
}
