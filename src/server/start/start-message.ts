// The start message: addresses, database, the generated token, and the optional features that are off. choices-1.
import { redactRedisUrl } from '../../adapters/redis/connection.ts';
import { isLoopback, missingFeatures } from '../config/optional-features.ts';
import { describePolicy } from '../config/policy-mode.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export interface StartFacts {
  readonly config: ServiceConfig;
  readonly version: string;
  readonly url: string;
  readonly toolUrl: string;
  /** Names the database in one line. */
  readonly database: string;
  /** The state of the cluster manager; undefined: no setting names a cluster. */
  readonly cluster?: string | undefined;
  readonly generatedToken: string | undefined;
  readonly warnings: readonly string[];
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
      'POLICY_LOCAL_MODE=true and POLICY_URL are both set: the local mode wins, and the policy server is not queried.',
    );
  }
  if (config.backup !== undefined && config.databaseUrl !== undefined) {
    warnings.push(
      'BACKUP_DIR is set, but it is for the embedded PostgreSQL: back up the server of DATABASE_URL with its own tools, or run `switchyard backup`.',
    );
  }
  if (config.webhookSecrets.some((secret) => secret.length < shortSecret)) {
    warnings.push(
      `WEBHOOK_SIGNING_SECRET has fewer than ${shortSecret} characters in one secret: anyone who guesses it can sign as this service.`,
    );
  }
  if (!isLoopback(config.host)) {
    warnings.push(
      `HOST=${config.host}: other machines reach this port without TLS; put a proxy with TLS in front, because tokens pass through it.`,
    );
  }
  return warnings;
}

/** The start as lines for people: the only place where the token is printed. */
export function startMessage(facts: StartFacts): string[] {
  const { config, url } = facts;
  const rows: [string, string][] = [
    ['service', url],
    ['tools', `${facts.toolUrl}   (MCP; switchyard mcp config prints what clients need)`],
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
    rows.push(['token', `${facts.generatedToken}   (for this start only; set SERVICE_AUTH_TOKEN to keep one)`]);
  }
  const off = missingFeatures(config).map(({ what }) => what);
  if (off.length > 0) rows.push(['off', `${off.join(', ')} (switchyard doctor says how to turn each on)`]);
  return [
    `Switchyard ${facts.version} is running.`,
    ...aligned(rows),
    ...(facts.cluster === undefined ? [] : [`  cluster management: ${facts.cluster}`]),
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
    cluster: facts.cluster ?? null,
    generated_token: facts.generatedToken ?? null,
    off: missingFeatures(facts.config),
    warnings: facts.warnings,
  };
}
