// The worker's log: pino to stderr, as readable lines or as JSON. Tokens are never logged, prompts not at info.
import type { Logger } from 'pino';
import type { LogFormat, LogLevel } from '../../lib/log/levels.ts';
import { createLogger } from '../../lib/log/logger.ts';

export type WorkerLog = Logger;

const secretKeys = ['token', 'lease_token', 'authorization', 'password', 'secret'];

/** @param options.write receives one line including its line break; by default the process's stderr */
export function createLog(options: { level: LogLevel; format: LogFormat; write?: (text: string) => void }): WorkerLog {
  const { level, format, write = (text: string) => void process.stderr.write(text) } = options;
  return createLogger({ level, format, base: null, secretKeys, write });
}
