// Optional features of the service, and the setting that turns each on: for the start message and `doctor`.
import type { ServiceConfig } from './service-config.ts';

interface OptionalFeature {
  readonly what: string;
  readonly isOff: (config: ServiceConfig) => boolean;
  readonly how: string;
}

const optionalFeatures: readonly OptionalFeature[] = [
  { what: 'other machines', isOff: ({ host }) => isLoopback(host), how: 'HOST=0.0.0.0 listens on all addresses' },
  {
    what: 'public address',
    isOff: ({ baseUrl }) => baseUrl === undefined,
    how: 'BASE_URL=https://… sets the address in the agent card',
  },
  {
    what: 'further tokens',
    isOff: ({ tokens }) => !tokens.some(({ credential, role }) => credential === 'shared_token' && role !== 'agent'),
    how: 'A2A_AUTH_TOKENS=name:token@role/tenant,… adds them',
  },
  {
    what: 'identity provider',
    isOff: ({ oidc }) => oidc === undefined,
    how: 'OIDC_ISSUER_URL=https://… and OIDC_AUDIENCE=… accept its access tokens',
  },
  {
    what: 'several replicas',
    isOff: ({ databaseUrl }) => databaseUrl === undefined,
    how: 'DATABASE_URL=postgresql://… names the PostgreSQL that they share',
  },
  {
    what: 'base backups',
    isOff: ({ databaseUrl, backup }) => databaseUrl === undefined && backup === undefined,
    how: 'BACKUP_DIR=/mnt/backups keeps the last week restorable to any moment',
  },
  {
    what: 'broker',
    isOff: ({ brokerUrl }) => brokerUrl === undefined,
    how: 'A2A_BROKER_URL=redis://… wakes replicas and workers at once',
  },
  {
    what: 'shared records',
    isOff: ({ databaseUrl, brokerUrl, brokerSecret }) =>
      databaseUrl === undefined && brokerUrl !== undefined && brokerSecret === undefined,
    how: 'BROKER_SHARED_SECRET=… shares workers, codebases and sessions with other instances through the broker',
  },
  {
    what: 'policy server',
    isOff: ({ policy }) => policy.mode === 'local',
    how: 'POLICY_URL=http://… names an Open Policy Agent that runs policies/',
  },
  {
    what: 'webhook signatures',
    isOff: ({ webhookSecrets }) => webhookSecrets.length === 0,
    how: 'WEBHOOK_SIGNING_SECRET=… signs them; use new,old while receivers change over',
  },
  {
    what: 'private receivers',
    isOff: ({ egressAllow }) => egressAllow.length === 0,
    how: 'EGRESS_ALLOW=10.0.0.0/8,hooks.internal lets webhooks reach private networks and hosts',
  },
  {
    what: 'signed tools',
    isOff: ({ tools }) => tools.trustedKeys.length === 0,
    how: 'TOOL_TRUSTED_KEYS=name:key,… trusts their signers; switchyard tools keygen creates a key',
  },
  {
    what: 'traces',
    isOff: ({ traces }) => traces === undefined,
    how: 'OTEL_EXPORTER_OTLP_ENDPOINT=http://… names the collector that receives them',
  },
  {
    what: 'proxies',
    isOff: ({ trustedProxies }) => trustedProxies.length === 0,
    how: 'TRUSTED_PROXIES=10.0.0.0/8,… names proxies whose X-Forwarded-For is trusted',
  },
];

/** The features that are off, each with the setting that turns it on. */
export function missingFeatures(config: ServiceConfig): { readonly what: string; readonly how: string }[] {
  return optionalFeatures.filter((feature) => feature.isOff(config)).map(({ what, how }) => ({ what, how }));
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
