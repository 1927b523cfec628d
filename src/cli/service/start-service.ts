// Starts the service for `serve` and `up`, and prints the start message.
import type { LoadedConfig } from '../../server/config/config.ts';
import { runService, type RunningService } from '../../server/start/main.ts';
import { createServiceLog } from '../../server/start/service-log.ts';
import { startMessage, startRecord } from '../../server/start/start-message.ts';
import { makeDataDir } from '../core/cli-file.ts';
import type { CliIo } from '../core/io.ts';
import { defaultLogFormat, printJson } from '../core/output.ts';
import { freeYoungHeap } from '../process/young-heap.ts';

/** @throws StartError */
export async function startService(
  io: CliIo,
  { config, generatedToken }: LoadedConfig,
  { json, stop }: { json: boolean; stop: AbortSignal },
): Promise<RunningService> {
  if (config.databaseUrl === undefined) await makeDataDir(config.dataDir);
  const format = config.logFormat ?? defaultLogFormat(io);
  const log = createServiceLog({ level: config.logLevel, format, write: io.err });
  const { env, now, version } = io;
  const service = await runService(config, { env, now, version, log, signal: stop });
  freeYoungHeap();
  const facts = { config, version, generatedToken, ...service };
  if (json) printJson(io, startRecord(facts));
  else io.out(`${startMessage(facts).join('\n')}\n`);
  return service;
}
