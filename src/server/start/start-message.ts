// What the start tells: addresses, database, the token that was made, what is off and how to turn it on. choices-1.
import { redactRedisUrl } from '../../adapters/redis/connection.ts';
import { describePolicy } from '../config/policy-mode.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export interface StartFacts {
  readonly config: ServiceConfig;
  readonly version: string;
  readonly url: string;
  readonly toolUrl: string;
  /** Which database, in one line. */
  readonly database: string;
  readonly generatedToken: string | undefined;
  readonly warnings: readonly string[];
}

/** Something that is off, and how to turn it on. */
interface DisabledFeature {
  readonly what: string;
  readonly isOff: (config: ServiceConfig) => boolean;
  readonly how: string;
}

const optionalFeatures: readonly DisabledFeature[] = [
  { what: 'other machines', isOff: ({ host }) => isLoopback(host), how: 'HOST=0.0.0.0 lets them reach this port' },
  {
    what: 'public address',
    isOff: ({ baseUrl }) => baseUrl === undefined,
    how: 'BASE_URL=https://… is the address in the agent card',
  },
  {
    what: 'further tokens',
    isOff: ({ tokens }) => !tokens.some(({ credential, role }) => credential === 'shared_token' && role !== 'agent'),
    how: 'A2A_AUTH_TOKENS=name:token@role/tenant,…',
  },
  {
    what: 'identity provider',
    isOff: ({ oidc }) => oidc === undefined,
    how: 'OIDC_ISSUER_URL=https://… and OIDC_AUDIENCE=… take its access tokens',
  },
  {
    what: 'several replicas',
    isOff: ({ databaseUrl }) => databaseUrl === undefined,
    how: 'DATABASE_URL=postgresql://… is a PostgreSQL that they share',
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
    how: 'POLICY_URL=http://… is an Open Policy Agent with policies/',
  },
  {
    what: 'webhook signatures',
    isOff: ({ webhookSecrets }) => webhookSecrets.length === 0,
    how: 'WEBHOOK_SIGNING_SECRET=… signs them; WEBHOOK_SIGNING_SECRET=new,old while receivers change over',
  },
  {
    what: 'private receivers',
    isOff: ({ egressAllow }) => egressAllow.length === 0,
    how: 'EGRESS_ALLOW=10.0.0.0/8,hooks.internal lets webhooks reach private networks and hosts',
  },
  {
    what: 'signed tools',
    isOff: ({ tools }) => tools.trustedKeys.length === 0,
    how: 'TOOL_TRUSTED_KEYS=name:key,… trusts who signs them; switchyard tools keygen makes a key',
  },
  {
    what: 'traces',
    isOff: ({ traces }) => traces === undefined,
    how: 'OTEL_EXPORTER_OTLP_ENDPOINT=http://… is where OpenTelemetry takes them',
  },
  {
    what: 'proxies',
    isOff: ({ trustedProxies }) => trustedProxies.length === 0,
    how: 'TRUSTED_PROXIES=10.0.0.0/8,… names whose X-Forwarded-For is believed',
  },
];

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** A signing secret of fewer characters can be guessed. */
const shortSecret = 16;

/** Warnings that follow from the settings. */
export function configWarnings(config: ServiceConfig): string[] {
  const warnings: string[] = [];
  if (!config.rlsEnabled) {
    warnings.push(
      'RLS_ENABLED=false: ROW-LEVEL SECURITY IS OFF. EVERY TENANT SEES AND CHANGES THE ROWS OF EVERY OTHER. Remove the setting unless this database has one tenant and nothing to hide.',
    );
  }
  if (config.policy.mode === 'local' && config.policy.why === 'wins_over_url') {
    warnings.push(
      'POLICY_LOCAL_MODE=true and POLICY_URL are both set: the local mode wins, the policy server is not asked.',
    );
  }
  if (config.webhookSecrets.some((secret) => secret.length < shortSecret)) {
    warnings.push(
      `WEBHOOK_SIGNING_SECRET has fewer than ${shortSecret} characters in one place: whoever guesses it signs as this service.`,
    );
  }
  if (!isLoopback(config.host)) {
    warnings.push(
      `HOST=${config.host}: other machines reach this port without TLS; put a proxy with TLS in front, tokens pass through it.`,
    );
  }
  return warnings;
}

/** The start as lines for people. The token stands here and nowhere else. */
export function startMessage(facts: StartFacts): string[] {
  const { config, url } = facts;
  const rows: [string, string][] = [
    ['service', url],
    ['tools', `${facts.toolUrl}   (MCP; switchyard mcp config tells clients)`],
    ['health', `${url}/health`],
    ...(config.baseUrl === undefined ? [] : [['public', config.baseUrl] satisfies [string, string]]),
    ['database', facts.database],
    ...(config.brokerUrl === undefined
      ? []
      : [['broker', redactRedisUrl(config.brokerUrl)] satisfies [string, string]]),
    ['audit', config.audit.logPath],
    ['policy', describePolicy(config.policy)],
  ];
  if (facts.generatedToken !== undefined) {
    rows.push(['token', `${facts.generatedToken}   (for this start; SERVICE_AUTH_TOKEN sets one that stays)`]);
  }
  return [
    `Switchyard ${facts.version} is running.`,
    ...aligned(rows),
    ...optionalFeatures.filter((row) => row.isOff(config)).map(({ what, how }) => `  off       ${what}: ${how}`),
    ...facts.warnings.map((line) => `  WARNING   ${line}`),
  ];
}

function aligned(rows: readonly [string, string][]): string[] {
  return rows.map(([name, value]) => `  ${name.padEnd(9)} ${value}`);
}

/** The start as one JSON object, for programs. */
export function startRecord(facts: StartFacts): Record<string, unknown> {
  return {
    event: 'started',
    version: facts.version,
    url: facts.url,
    mcp_url: facts.toolUrl,
    database: facts.database,
    broker: facts.config.brokerUrl === undefined ? null : redactRedisUrl(facts.config.brokerUrl),
    audit: facts.config.audit.logPath,
    base_url: facts.config.baseUrl ?? null,
    policy: facts.config.policy,
    generated_token: facts.generatedToken ?? null,
    off: optionalFeatures.filter((row) => row.isOff(facts.config)).map(({ what, how }) => ({ what, how })),
    warnings: facts.warnings,
  };
}
