// Reads the service's settings: the only place that turns the environment into the configuration. choices-1.
import path from 'node:path';
import { generateToken, type ConfiguredToken } from '../../domain/access/identity/configured-tokens.ts';
import { showSettings, type ShownSetting } from '../../lib/settings/table.ts';
import { toTraceSettings } from '../../telemetry/trace-settings.ts';
import { resolveAuditLocation } from './audit-location.ts';
import { localWorkerToken, parseAuthTokens, rejectDuplicates, serviceToken } from './auth-tokens.ts';
import { readCardKey } from './card-key.ts';
import { toClusterConfig } from './cluster/cluster-config.ts';
import { ConfigError } from './errors/config-error.ts';
import { readChannelHosts } from './catalogues/channel-hosts.ts';
import { readModelCatalogue, type ModelCatalogue } from './catalogues/model-catalogue.ts';
import { resolveOidcConfig } from './oidc-settings.ts';
import { resolvePolicyMode } from './policy-mode.ts';
import type { ServiceConfig } from './service-config.ts';
import { envName, gatherServiceSettings, type ConfigSources, type ServiceSettingLayer } from './setting-layers.ts';
import {
  isServiceSettingName,
  serviceSettingNames,
  serviceSettingRows,
  serviceSettingsSchema,
  type ServiceSettingName,
  type ServiceSettings,
} from './setting-table.ts';

export interface LoadConfigOptions extends ConfigSources {
  readonly hostname: string;
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The token of a worker that is started beside the service. */
  readonly localWorker?: string | undefined;
}

export interface LoadedConfig {
  readonly config: ServiceConfig;
  readonly shown: readonly ShownSetting[];
  /** The token generated because SERVICE_AUTH_TOKEN is unset; shown once. core-5.3. */
  readonly generatedToken: string | undefined;
}

/** Fixed by core-8; not a setting. */
const automationCallsPerMinute = 60;
/** tools-4.1. */
const mcpPort = 9000;
/** Bytes of the key from which a token is derived. choices-4. */
const tokenKeyBytes = 32;

/**
 * Loads the service's configuration: flags over environment over config file over default.
 * @throws ConfigError with one line for the first value that is unknown or malformed
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const sourced = await gatherServiceSettings(options);
  const values = validateSettings(sourced);
  const { hostname, now, randomBytes, cwd } = options;
  const generatedToken =
    values.service_auth_token === undefined
      ? generateToken(hostname, new Date(now()), randomBytes(tokenKeyBytes))
      : undefined;
  const tokens = [
    serviceToken(values.service_auth_token ?? generatedToken ?? ''),
    ...parseAuthTokens(values.a2a_auth_tokens, sourced.get('a2a_auth_tokens')?.origin ?? 'default'),
    ...(options.localWorker === undefined ? [] : [localWorkerToken(options.localWorker)]),
  ];
  rejectDuplicates(tokens);
  const dataDir = path.resolve(sourced.get('data_dir')?.base ?? cwd, values.data_dir);
  const resolveFile = (name: ServiceSettingName, file: string | undefined): string | undefined =>
    file === undefined ? undefined : path.resolve(sourced.get(name)?.base ?? cwd, file);
  const models = await readModelCatalogue(resolveFile('model_catalogue_file', values.model_catalogue_file));
  const channelHosts = await readChannelHosts(resolveFile('analytics_channels_file', values.analytics_channels_file));
  const analytics = { retentionDays: values.analytics_retention_days, channelHosts };
  const pathSetting = (
    name: ServiceSettingName,
    value: string | undefined,
  ): { path: string; base: string } | undefined =>
    value === undefined ? undefined : { path: value, base: sourced.get(name)?.base ?? cwd };
  const audit = resolveAuditLocation(
    dataDir,
    pathSetting('audit_log_path', values.audit_log_path),
    pathSetting('audit_signing_key_file', values.audit_signing_key_file),
  );
  const backupDir = pathSetting('backup_dir', values.backup_dir);
  const backup = backupDir && {
    dir: path.resolve(backupDir.base, backupDir.path),
    everyHours: values.backup_every_hours,
    keepDays: values.backup_keep_days,
  };
  assertReplicaBounds(values);
  const cluster = toClusterConfig(values, sourced.get('cluster_manifest_file')?.base ?? cwd);
  const cardSigningKey = await readCardKey(resolveFile('a2a_card_signing_key_file', values.a2a_card_signing_key_file));
  return {
    config: { ...toServiceConfig(values, dataDir, tokens, models), analytics, cardSigningKey, audit, backup, cluster },
    shown: toShownSettings(values, sourced, dataDir),
    generatedToken,
  };
}

function validateSettings(sourced: ServiceSettingLayer): ServiceSettings {
  const parsed = serviceSettingsSchema.safeParse(
    Object.fromEntries([...sourced].map(([name, { value }]) => [name, value])),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path[0];
  const source = typeof name === 'string' && isServiceSettingName(name) ? sourced.get(name) : undefined;
  if (typeof name !== 'string' || !isServiceSettingName(name) || source === undefined) throw parsed.error;
  const { write, secret } = serviceSettingRows[name];
  // An address may be rejected for its password, so the password is masked.
  const value = secret === true ? 'its value' : JSON.stringify(source.value).replace(/\/\/[^/@]*@/, '//***@');
  throw new ConfigError(`${envName(name)} (${source.origin}): ${value} is not allowed; write ${write}`);
}

function assertReplicaBounds({ cluster_min_replicas: min, cluster_max_replicas: max }: ServiceSettings): void {
  if (min <= max) return;
  throw new ConfigError(
    `CLUSTER_MIN_REPLICAS (${min}) is more than CLUSTER_MAX_REPLICAS (${max}); write a smaller one`,
  );
}

function toServiceConfig(
  values: ServiceSettings,
  dataDir: string,
  tokens: readonly ConfiguredToken[],
  models: ModelCatalogue,
): Omit<ServiceConfig, 'analytics' | 'cardSigningKey' | 'audit' | 'backup' | 'cluster'> {
  return {
    port: values.port,
    mcpPort: resolveMcpPort(values),
    mcp: {
      allowedHosts: values.mcp_allowed_hosts.length === 0 ? undefined : values.mcp_allowed_hosts,
      allowedOrigins: values.mcp_allowed_origins,
      publicUrl: values.mcp_public_url?.replace(/\/+$/, ''),
    },
    host: values.host,
    baseUrl: values.base_url?.replace(/\/+$/, ''),
    dataDir,
    databaseUrl: values.database_url,
    migrationDatabaseUrl: values.migration_database_url,
    rlsEnabled: values.rls_enabled,
    tokens,
    policy: resolvePolicyMode(values),
    oidc: resolveOidcConfig(values),
    leaseSeconds: values.task_lease_seconds,
    maxAttempts: values.task_max_attempts,
    retentionDays: values.retention_days,
    idempotencyHours: values.idempotency_hours,
    maxBodyBytes: values.max_body_bytes,
    maxCallsInFlight: values.max_calls_in_flight,
    maxTaskArtifactBytes: values.max_task_artifact_bytes,
    maxStreamsPerCredential: values.max_streams_per_credential,
    automationCallsPerMinute,
    models,
    webhookSecrets: values.webhook_signing_secret,
    webhookBackoffSeconds: values.webhook_backoff_seconds,
    egressAllow: values.egress_allow,
    trustedProxies: values.trusted_proxies,
    brokerUrl: values.a2a_broker_url,
    brokerSecret: values.broker_shared_secret,
    runs: {
      enabled: values.ralph_enabled === 1,
      maxIterations: values.ralph_max_iterations,
      commitOnPass: values.ralph_commit_on_pass === 1,
      branchPrefix: values.ralph_branch_prefix,
      maxParallel: values.ralph_max_parallel,
      maxActiveRuns: values.ralph_max_active_runs,
      maxRunSeconds: values.ralph_max_run_seconds,
      commitProgress: values.ralph_commit_progress === 1,
      verifier: { agent: values.ralph_verifier_agent ?? null, model: values.ralph_verifier_model ?? null },
      bundleMaxBytes: values.ralph_bundle_max_bytes,
      chatAgent: values.prd_chat_agent,
      retentionDays: values.run_retention_days,
    },
    drainSeconds: values.drain_seconds,
    traces: toTraceSettings(values),
    tools: {
      trustedKeys: values.tool_trusted_keys,
      allowedPaths: values.tool_allowed_paths,
      maxMemoryMb: values.tool_max_memory_mb,
      maxCpuSeconds: values.tool_max_cpu_seconds,
      runsAtOnce: values.tool_runs_at_once,
      bwrap: values.bwrap_bin,
    },
    logLevel: values.log_level,
    logFormat: values.log_format,
  };
}

/** If PORT is 0, MCP_PORT defaults to 0 as well. */
function resolveMcpPort({ mcp_port: configured, port }: ServiceSettings): number {
  return configured ?? (port === 0 ? 0 : mcpPort);
}

function toShownSettings(values: ServiceSettings, sourced: ServiceSettingLayer, dataDir: string): ShownSetting[] {
  const computed: Partial<Record<ServiceSettingName, unknown>> = {
    data_dir: dataDir,
    mcp_port: resolveMcpPort(values),
  };
  const effectiveValue = (name: ServiceSettingName): unknown => computed[name] ?? values[name] ?? null;
  // As the environment spells them.
  return showSettings(serviceSettingNames, serviceSettingRows, sourced, effectiveValue).map((setting) => ({
    ...setting,
    name: envName(setting.name),
  }));
}
