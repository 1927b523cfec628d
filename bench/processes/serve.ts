// Process: the service, wired as the command line wires it, on the bench's database.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryUsage } from 'node:process';
import { z } from 'zod';
import { freeYoungHeap, holdYoungHeap } from '../../src/cli/process/young-heap.ts';
import type { ServiceConfig } from '../../src/server/config/service-config.ts';
import { serviceConfig } from '../../test/support/service-config.ts';
import { login } from '../database.ts';
import { serveCommands } from '../serve-commands.ts';

const openInput = z.object({ login, tokens: z.record(z.string(), z.string()), broker: z.string().optional() });
const closing = new AsyncDisposableStack();

function benchConfig(tokens: Readonly<Record<string, string>>, dataDir: string): ServiceConfig {
  return {
    ...serviceConfig(dataDir),
    tokens: Object.entries(tokens).map(([tenantId, token]) => ({
      name: tenantId,
      token,
      role: 'operator',
      tenantId,
      credential: 'shared_token',
    })),
    // Thousands of clients follow tasks with one token.
    maxStreamsPerCredential: 1_000_000,
    automationCallsPerMinute: 1_000_000_000,
    models: ['one:model'],
    webhookSecrets: ['the secret of the bench'],
    egressAllow: ['127.0.0.1'],
    logLevel: 'warn',
  };
}

const log = (line: string, details?: unknown): void => {
  process.stderr.write(`service: ${line} ${details instanceof Error ? details.message : ''}\n`);
};

serveCommands(
  {
    async open(input) {
      const { login: address, tokens, broker } = openInput.parse(input);
      const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-bench-audit-'));
      closing.defer(() => rm(dataDir, { recursive: true, force: true }));
      const config = { ...benchConfig(tokens, dataDir), brokerUrl: broker };
      holdYoungHeap();
      const { buildService } = await import('../../src/server/build/build.ts');
      const service = closing.use(await buildService({ config, address, version: '0.0.0', log, now: Date.now }));
      const url = await service.app.listen({ host: config.host, port: config.port });
      freeYoungHeap();
      return { url };
    },
    /** The heap in use; after a collection, where this process may ask for one. */
    heap() {
      globalThis.gc?.();
      return Promise.resolve({ heapUsedMib: memoryUsage().heapUsed / 2 ** 20 });
    },
  },
  () => closing.disposeAsync(),
);
