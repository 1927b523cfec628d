// Settings of a service that tests and the bench open in a process of their own.
import { resolveAuditLocation } from '../../src/server/config/audit-location.ts';
import type { ServiceConfig } from '../../src/server/config/service-config.ts';
import { testAnalyticsConfig, testClusterConfig } from './builders/part-configs.ts';
import { testRunConfig } from './builders/run-records.ts';

/** Free ports, no tokens, local policy, the defaults of a service otherwise, and limits that only tests of limits meet. */
export function serviceConfig(dataDir: string): ServiceConfig {
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
    tokens: [],
    policy: { mode: 'local', why: 'asked' },
    oidc: undefined,
    leaseSeconds: 60,
    maxAttempts: 3,
    retentionDays: 30,
    idempotencyHours: 48,
    maxBodyBytes: 1024 * 1024,
    maxCallsInFlight: 1000,
    maxStreamsPerCredential: 1000,
    maxTaskArtifactBytes: 256 * 1024 * 1024,
    automationCallsPerMinute: 60,
    models: ['one:small', 'one:large', 'two:only'],
    webhookSecrets: [],
    webhookBackoffSeconds: 5,
    egressAllow: [],
    trustedProxies: [],
    tools: {
      trustedKeys: [],
      allowedPaths: [],
      maxMemoryMb: 1024,
      maxCpuSeconds: 300,
      runsAtOnce: 4,
      bwrap: undefined,
    },
    cardSigningKey: undefined,
    brokerUrl: undefined,
    brokerSecret: undefined,
    drainSeconds: 0,
    logLevel: 'silent',
  };
}
