// Reads the settings of the service: the only place that turns the environment into its configuration. choices §1.
import path from 'node:path';
import { generateToken, type ConfiguredToken } from '../../domain/access/identity/identify.ts';
import { traceSettingsOf } from '../../telemetry/trace-settings.ts';
import { auditPlaceIn } from './audit-place.ts';
import { localWorkerToken, parseAuthTokens, refuseDuplicates, serviceToken } from './auth-tokens.ts';
import { readCardKey } from './card-key.ts';
import { ConfigError } from './config-error.ts';
import { readModelCatalogue, type ModelCatalogue } from './model-catalogue.ts';
import { oidcOf } from './oidc-settings.ts';
import { policyModeOf } from './policy-mode.ts';
import type { ServiceConfig } from './service-config.ts';
import { envName, gatherSettings, type ConfigSources, type Layer } from './setting-layers.ts';
import { isSettingName, settingNames, settingRows, settingValues } from './setting-table.ts';
import type { SettingName, SettingValues } from './setting-table.ts';

export interface LoadConfigOptions extends ConfigSources {
  readonly hostname: string;
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The token of a worker that is started beside the service. */
  readonly localWorker?: string | undefined;
}

/** One line of `config print`; a secret's value is masked. */
export interface ShownSetting {
  /** As the environment spells it. */
  readonly name: string;
  readonly value: unknown;
  /** `flag --port`, `environment PORT`, `file …` or `default`. */
  readonly origin: string;
}

export interface LoadedConfig {
  readonly config: ServiceConfig;
  readonly shown: readonly ShownSetting[];
  /** The token that was made because SERVICE_AUTH_TOKEN is unset: to be told once. document 1 §5.3. */
  readonly generatedToken: string | undefined;
}

/** document 1 §8: no operator's choice. */
const automationCallsPerMinute = 60;
/** document 2 §4.1. */
const mcpPort = 9000;
/** Bytes of the key under which a token is made. choices §4. */
const tokenKeyBytes = 32;

/**
 * The service's configuration: flags over environment over config file over default.
 * @throws ConfigError with one line for the first value that is unknown or malformed
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const given = await gatherSettings(options);
  const values = check(given);
  const { hostname, now, randomBytes, cwd } = options;
  const generatedToken =
    values.service_auth_token === undefined
      ? generateToken(hostname, new Date(now()), randomBytes(tokenKeyBytes))
      : undefined;
  const tokens = [
    serviceToken(values.service_auth_token ?? generatedToken ?? ''),
    ...parseAuthTokens(values.a2a_auth_tokens, given.get('a2a_auth_tokens')?.origin ?? 'default'),
    ...(options.localWorker === undefined ? [] : [localWorkerToken(options.localWorker)]),
  ];
  refuseDuplicates(tokens);
  const dataDir = path.resolve(given.get('data_dir')?.base ?? cwd, values.data_dir);
  const { model_catalogue_file: file } = values;
  const base = given.get('model_catalogue_file')?.base ?? cwd;
  const models = await readModelCatalogue(file === undefined ? undefined : path.resolve(base, file));
  const { a2a_card_signing_key_file: key } = values;
  const keyBase = given.get('a2a_card_signing_key_file')?.base ?? cwd;
  const pathOf = (name: SettingName, value: string | undefined): { path: string; base: string } | undefined =>
    value === undefined ? undefined : { path: value, base: given.get(name)?.base ?? cwd };
  const audit = auditPlaceIn(
    dataDir,
    pathOf('audit_log_path', values.audit_log_path),
    pathOf('audit_signing_key_file', values.audit_signing_key_file),
  );
  const cardSigningKey = await readCardKey(key === undefined ? undefined : path.resolve(keyBase, key));
  return {
    config: { ...configOf(values, dataDir, tokens, models), cardSigningKey, audit },
    shown: show(values, given, dataDir),
    generatedToken,
  };
}

function check(given: Layer): SettingValues {
  const parsed = settingValues.safeParse(Object.fromEntries([...given].map(([name, { value }]) => [name, value])));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path[0];
  const source = typeof name === 'string' && isSettingName(name) ? given.get(name) : undefined;
  if (typeof name !== 'string' || !isSettingName(name) || source === undefined) throw parsed.error;
  const { write, secret } = settingRows[name];
  // A password in an address that is refused for having one does not get into the log.
  const value = secret === true ? 'its value' : JSON.stringify(source.value).replace(/\/\/[^/@]*@/, '//***@');
  throw new ConfigError(`${envName(name)} (${source.origin}): ${value} is not allowed; write ${write}`);
}

function configOf(
  values: SettingValues,
  dataDir: string,
  tokens: readonly ConfiguredToken[],
  models: ModelCatalogue,
): Omit<ServiceConfig, 'cardSigningKey' | 'audit'> {
  return {
    port: values.port,
    mcpPort: mcpPortOf(values),
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
    policy: policyModeOf(values),
    oidc: oidcOf(values),
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
    drainSeconds: values.drain_seconds,
    traces: traceSettingsOf(values),
    tools: {
      trustedKeys: values.tool_trusted_keys,
      allowedPaths: values.tool_allowed_paths,
      maxMemoryMb: values.tool_max_memory_mb,
      maxCpuSeconds: values.tool_max_cpu_seconds,
      runsAtOnce: values.tool_runs_at_once,
      bwrap: values.bwrap_bin,
    },
    logLevel: values.log_level,
  };
}

/** Who lets the system choose one port has no other to himself. */
function mcpPortOf({ mcp_port: given, port }: SettingValues): number {
  return given ?? (port === 0 ? 0 : mcpPort);
}

function show(values: SettingValues, given: Layer, dataDir: string): ShownSetting[] {
  const made: Partial<Record<SettingName, unknown>> = { data_dir: dataDir, mcp_port: mcpPortOf(values) };
  const valueOf = (name: SettingName): unknown => made[name] ?? values[name];
  return settingNames.map((name) => {
    const source = given.get(name);
    const masked = settingRows[name].secret === true && source !== undefined;
    return {
      name: envName(name),
      value: masked ? '***' : (valueOf(name) ?? null),
      origin: source?.origin ?? 'default',
    };
  });
}
