// Process: the service, wired as the command line wires it, on the bench's database.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryUsage } from 'node:process';
import { z } from 'zod';
import { freeYoungHeap, holdYoungHeap } from '../../src/cli/process/young-heap.ts';
import { resolveAuditLocation } from '../../src/server/config/audit-location.ts';
import type { ServiceConfig } from '../../src/server/config/service-config.ts';
import { testAnalyticsConfig } from '../../test/support/builders/analytics-config.ts';
import { testClusterConfig } from '../../test/support/builders/cluster-config.ts';
import { testRunConfig } from '../../test/support/builders/run-records.ts';
import { login } from '../database.ts';
import { serveCommands } from '../serve-commands.ts';

const openInput = z.object({ login, tokens: z.record(z.string(), z.string()), broker: z.string().optional() });
const closing = new AsyncDisposableStack();

function benchConfig(tokens: Readonly<Record<string, string>>, dataDir: string): ServiceConfig {
  return {
    port: 0,
    mcpPort: 0,
    mcp: { allowedHosts: undefined, allowedOrigins: [], publicUrl: undefined },
    host: '127.0.0.1',
    baseUrl: undefined,
    dataDir,
    audit: resolveAuditLocation(dataDir),
    runs: testRunConfig,
    analytics: testAnalyticsConfig,
    cluster: testClusterConfig,
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    rlsEnabled: true,
    tokens: Object.entries(tokens).map(([tenantId, token]) => ({
      name: tenantId,
      token,
      role: 'operator',
      tenantId,
      credential: 'shared_token',
    })),
    policy: { mode: 'local', why: 'asked' },
    oidc: undefined,
    leaseSeconds: 60,
    maxAttempts: 3,
    retentionDays: 30,
    idempotencyHours: 48,
    maxBodyBytes: 1024 * 1024,
    maxCallsInFlight: 1000,
    // Thousands of clients follow tasks with one token.
    maxStreamsPerCredential: 1_000_000,
    maxTaskArtifactBytes: 256 * 1024 * 1024,
    automationCallsPerMinute: 1_000_000_000,
    models: ['one:model'],
    webhookSecrets: ['the secret of the bench'],
    webhookBackoffSeconds: 5,
    egressAllow: ['127.0.0.1'],
    brokerUrl: undefined,
    brokerSecret: undefined,
    drainSeconds: 0,
    trustedProxies: [],
    cardSigningKey: undefined,
    tools: {
      trustedKeys: [],
      allowedPaths: [],
      maxMemoryMb: 1024,
      maxCpuSeconds: 300,
      runsAtOnce: 4,
      bwrap: undefined,
    },
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
    /** What is in use; after a collection, where this process may ask for one. */
    heap() {
      globalThis.gc?.();
      return Promise.resolve({ heapUsedMib: memoryUsage().heapUsed / 2 ** 20 });
    },
  },
  () => closing.disposeAsync(),
);
