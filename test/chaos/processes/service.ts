// The service as a process that a test may kill: on the database and port that its environment names.
import { buildService } from '../../../src/server/build/build.ts';
import type { DatabaseAddress } from '../../../src/adapters/postgres/connection/connections.ts';
import type { ServiceConfig } from '../../../src/server/config/service-config.ts';

interface ServiceEnvironment {
  readonly config: ServiceConfig;
  readonly address: DatabaseAddress;
}

const environment: ServiceEnvironment = JSON.parse(process.env['CHAOS_SERVICE'] ?? '');
const log = (line: string, details?: unknown): void => {
  process.stderr.write(`${line} ${details instanceof Error ? details.message : JSON.stringify(details ?? '')}\n`);
};
const { config, address } = environment;
const service = await buildService({ config, address, version: '1.2.0', now: Date.now, log });
await service.app.listen({ port: config.port, host: config.host });
process.stdout.write('ready\n');
process.on('SIGTERM', () => {
  // Owned: the process ends when this has ended.
  void service[Symbol.asyncDispose]().then(() => process.exit(0));
});
