// Every setting of the service as one row: schema, default, what to write, one line of help. choices-1.
import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { isAllowEntry } from '../../adapters/egress/allow-list.ts';
import { isBranchPrefix } from '../../domain/prd/branch-name.ts';
import { isTrustedKey } from '../../domain/tools/trusted-keys.ts';
import { isSigningSecret } from '../../domain/webhooks/sign.ts';
import { logFormats } from '../../lib/log/levels.ts';
import { isRowName, type SettingRow } from '../../lib/settings/table.ts';
import { traceHeader } from '../../telemetry/open-tracer.ts';
import { clusterSettingRows, clusterSettingSchemas } from './cluster/cluster-settings.ts';
import { isIssuer } from './oidc-settings.ts';

export interface ServiceSettingRow extends SettingRow {
  readonly help: string;
  /** Never shown, and never the value of a flag: the flag names a file that holds it. */
  readonly secret?: true;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/** An address, a network as `10.0.0.0/8`, or a name that stands for such networks. */
function isProxy(candidate: string): boolean {
  if (proxyNames.includes(candidate)) return true;
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(candidate) ?? [];
  const version = isIP(address);
  return version !== 0 && (bits === undefined || Number(bits) <= (version === 4 ? 32 : 128));
}

/** An http(s) address to which paths can be appended. */
function isBaseAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.search === '' && url.hash === '' && url.username === '' && url.password === '';
}

/** Scheme, host and port, as browsers send it. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/\s]+$/.test(text) && URL.canParse(text);
}

/** In the form in which it is compared: without a trailing slash, `.` or `..`, and never the root. */
function isAbsoluteFolder(folder: string): boolean {
  return path.isAbsolute(folder) && path.resolve(folder) === folder && folder !== '/';
}

const text = z.string().min(1).max(4096);
/** The name of a claim, which may be an address, or a path into nested claims. */
const claimPath = z.string().regex(/^[\x21-\x7e]{1,200}$/);
/** The characters that are valid in a header `Authorization: Bearer …`. */
export const bearerToken = /^[\x21-\x7e]{1,8192}$/;
/** Fewest characters of a configured token: shorter ones can be guessed. */
export const minTokenLength = 16;
/** As the document writes them: a flag of another setting is true or false. */
const zeroOrOne = z.literal([0, 1]);
const databaseAddress = z.url({ protocol: /^postgres(ql)?$/ });

/** The schema of each setting, with its default. A setting with neither a default nor `optional` is required. */
export const serviceSettingSchemas = {
  port: z.int().min(0).max(65_535).default(8000),
  mcp_port: z.int().min(0).max(65_535).optional(),
  host: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default('127.0.0.1'),
  base_url: z.string().refine(isBaseAddress).optional(),
  data_dir: text.default('.switchyard'),
  database_url: databaseAddress.optional(),
  migration_database_url: databaseAddress.optional(),
  rls_enabled: z.boolean().default(true),
  service_auth_token: z.string().min(minTokenLength).regex(bearerToken).optional(),
  a2a_auth_tokens: z.array(z.string()).default([]),
  policy_local_mode: z.boolean().optional(),
  policy_url: z.string().refine(isBaseAddress).optional(),
  policy_path: z
    .string()
    .regex(/^\/[^?#\s]*$/)
    .default('/v1/data/switchyard/authz/allow'),
  task_lease_seconds: z.number().min(1).max(86_400).default(60),
  task_max_attempts: z.int().min(1).max(20).default(3),
  retention_days: z.int().min(1).max(36_500).default(30),
  idempotency_hours: z.int().min(1).max(87_600).default(48),
  max_body_bytes: z
    .int()
    .min(1024)
    .max(256 * 1024 * 1024)
    .default(1024 * 1024),
  oidc_issuer_url: text.refine(isIssuer).optional(),
  oidc_audience: z.array(text).default([]),
  oidc_tenant_claim: claimPath.default('tenant_id'),
  oidc_roles_claim: claimPath.default('roles'),
  webhook_signing_secret: z.array(z.string().refine(isSigningSecret)).max(5).default([]),
  webhook_backoff_seconds: z.number().min(0.01).max(3600).default(5),
  egress_allow: z.array(z.string().refine(isAllowEntry)).default([]),
  tool_trusted_keys: z.array(z.string().refine(isTrustedKey)).max(100).default([]),
  tool_allowed_paths: z.array(z.string().max(1024).refine(isAbsoluteFolder)).default([]),
  tool_max_memory_mb: z.int().min(1).max(1_048_576).default(1024),
  tool_max_cpu_seconds: z.int().min(1).max(86_400).default(300),
  tool_runs_at_once: z.int().min(1).max(13).default(4),
  bwrap_bin: text.refine((candidate) => path.isAbsolute(candidate)).optional(),
  trusted_proxies: z.array(z.string().refine(isProxy)).default([]),
  mcp_allowed_hosts: z.array(z.string().regex(/^[\w.-]+$|^\[[\da-f:.]+\]$/i)).default([]),
  mcp_allowed_origins: z.array(z.string().refine(isOrigin)).default([]),
  mcp_public_url: z.string().refine(isBaseAddress).optional(),
  a2a_card_signing_key_file: text.optional(),
  model_catalogue_file: text.optional(),
  analytics_channels_file: text.optional(),
  analytics_retention_days: z.int().min(1).max(36_500).default(400),
  max_task_artifact_bytes: z
    .int()
    .min(0)
    .max(1024 ** 4)
    .default(256 * 1024 * 1024),
  max_calls_in_flight: z.int().min(1).max(1_000_000).default(1000),
  max_streams_per_credential: z.int().min(1).max(1_000_000).default(1000),
  audit_log_path: text.optional(),
  audit_signing_key_file: text.optional(),
  a2a_broker_url: z.url({ protocol: /^rediss?$/ }).optional(),
  broker_shared_secret: z
    .string()
    .regex(/^[\x21-\x7e]{16,1024}$/)
    .optional(),
  ralph_enabled: zeroOrOne.default(1),
  ralph_max_iterations: z.int().min(1).max(100).default(5),
  ralph_commit_on_pass: zeroOrOne.default(1),
  ralph_branch_prefix: z.string().max(100).refine(isBranchPrefix).default('ralph/'),
  ralph_max_parallel: z.int().min(1).max(10).default(3),
  ralph_max_active_runs: z.int().min(1).max(10_000).default(50),
  ralph_max_run_seconds: z
    .int()
    .min(60)
    .max(366 * 86_400)
    .default(86_400),
  ralph_commit_progress: zeroOrOne.default(0),
  ralph_verifier_agent: z.string().min(1).max(200).optional(),
  ralph_verifier_model: z.string().min(1).max(200).optional(),
  prd_chat_agent: z.string().min(1).max(200).optional(),
  ralph_bundle_max_bytes: z
    .int()
    .min(1024)
    .max(1024 ** 3)
    .default(64 * 1024 * 1024),
  run_retention_days: z.int().min(1).max(36_500).default(365),
  drain_seconds: z.number().min(0).max(600).default(0),
  backup_dir: text.optional(),
  backup_every_hours: z.number().min(0.01).max(8760).default(24),
  backup_keep_days: z.number().min(0.01).max(3650).default(7),
  ...clusterSettingSchemas,
  otel_exporter_otlp_endpoint: z.string().refine(isBaseAddress).optional(),
  otel_exporter_otlp_headers: z.array(z.string().regex(traceHeader)).max(20).default([]),
  otel_service_name: z.string().min(1).max(200).default('switchyard'),
  otel_traces_sampler_arg: z.number().min(0).max(1).default(1),
  log_level: z.enum(logLevels).default('info'),
  log_format: z.enum(logFormats).optional(),
};
export const serviceSettingsSchema = z.strictObject(serviceSettingSchemas);
export type ServiceSettingName = keyof typeof serviceSettingSchemas;
export type ServiceSettings = z.output<typeof serviceSettingsSchema>;

const tokenList = `a comma list of name:token, name:token@role or name:token@role/tenant, each token at least ${minTokenLength} characters`;

export const serviceSettingRows: Record<ServiceSettingName, ServiceSettingRow> = {
  port: { kind: 'number', write: 'a port, 0 to 65535 (0: any free one)', help: 'port of the HTTP interface' },
  mcp_port: {
    kind: 'number',
    write: 'a port, 0 to 65535 (0: any free one)',
    help: 'extra port for the tool protocol only; default 9000 (any free port if PORT is 0). PORT serves it too',
  },
  host: {
    kind: 'text',
    write: 'an address or host name to listen on, e.g. 127.0.0.1',
    help: 'address to listen on; 0.0.0.0 and :: listen on all addresses of this machine',
  },
  base_url: {
    kind: 'text',
    write: 'the public address, http(s)://…, without query',
    help: 'public address of the service, used in the agent card',
  },
  data_dir: { kind: 'text', write: 'the path of a folder', help: 'folder of the embedded database and of cli.json' },
  database_url: {
    kind: 'text',
    secret: true,
    write: 'postgresql://login:password@host:port/database',
    help: 'PostgreSQL login of the service; without it the service runs its own PostgreSQL in DATA_DIR',
  },
  migration_database_url: {
    kind: 'text',
    secret: true,
    write: 'postgresql://login:password@host:port/database',
    help: 'login that owns the tables, for migrations; without it DATABASE_URL migrates',
  },
  rls_enabled: {
    kind: 'flag',
    write: 'true or false',
    help: 'row-level security of the database; false lets every tenant see all rows',
  },
  service_auth_token: {
    kind: 'text',
    secret: true,
    write: `${minTokenLength} to 8192 printable ASCII characters without blanks, as \`openssl rand -hex 32\` makes them`,
    help: 'the fixed token (role admin, tenant default); without it each start generates one',
  },
  a2a_auth_tokens: { kind: 'list', secret: true, write: tokenList, help: `further tokens: ${tokenList}` },
  policy_local_mode: {
    kind: 'flag',
    write: 'true or false',
    help: 'true: this process decides permissions even if POLICY_URL is set; the default without POLICY_URL',
  },
  policy_url: {
    kind: 'text',
    write: 'the base address of a policy server, http(s)://…, without query or credentials',
    help: 'policy server (Open Policy Agent) that decides permissions; queried by POST at POLICY_PATH',
  },
  policy_path: {
    kind: 'text',
    write: 'a path that begins with /, without query',
    help: 'path of the decision below POLICY_URL',
  },
  task_lease_seconds: {
    kind: 'number',
    write: 'seconds, 1 to 86400',
    help: 'how long a task stays with a worker that sends no heartbeat',
  },
  task_max_attempts: {
    kind: 'number',
    write: 'a whole number, 1 to 20',
    help: 'default number of attempts per task',
  },
  retention_days: {
    kind: 'number',
    write: 'days, 1 to 36500',
    help: 'how long finished tasks, logs and events are kept',
  },
  idempotency_hours: { kind: 'number', write: 'hours, 1 to 87600', help: 'how long idempotency keys are kept' },
  max_body_bytes: {
    kind: 'number',
    write: 'bytes, 1024 to 268435456',
    help: 'largest request body; calls that carry files accept at least 16 MiB',
  },
  oidc_issuer_url: {
    kind: 'text',
    write: 'the issuer of an identity provider as its tokens name it: https://…, or http://… on this machine',
    help: 'identity provider whose access tokens are accepted',
  },
  oidc_audience: {
    kind: 'list',
    write: 'a comma list of names, each up to 4096 characters',
    help: 'accepted audiences: an access token must name one; required with OIDC_ISSUER_URL',
  },
  oidc_tenant_claim: {
    kind: 'text',
    write: 'the name of a claim, or a path as resource.tenant',
    help: 'claim of an access token that names its tenant',
  },
  oidc_roles_claim: {
    kind: 'text',
    write: 'the name of a claim, or a path as realm_access.roles',
    help: 'claim of an access token that names its roles',
  },
  webhook_signing_secret: {
    kind: 'list',
    secret: true,
    write: 'a comma list of at most 5 secrets of printable ASCII characters; after whsec_ base64',
    help: 'secrets that sign webhooks: the first signs, each signs the multi-signature',
  },
  webhook_backoff_seconds: {
    kind: 'number',
    write: 'seconds, 0.01 to 3600',
    help: 'pause after the first failed attempt at a webhook; doubles, with jitter',
  },
  egress_allow: {
    kind: 'list',
    write: 'a comma list of networks (10.0.0.0/8), addresses or host names',
    help: 'private networks and hosts that webhooks and push notifications may reach',
  },
  tool_trusted_keys: {
    kind: 'list',
    write: 'a comma list of name:base64 of the 32 bytes of an Ed25519 public key, the name optional',
    help: 'keys that may sign tools; without one no tool can be registered or run',
  },
  tool_allowed_paths: {
    kind: 'list',
    write: 'a comma list of absolute paths other than /',
    help: 'paths that a manifest may share with its tool, read-only; without one none',
  },
  tool_max_memory_mb: {
    kind: 'number',
    write: 'MiB, 1 to 1048576',
    help: 'most memory that a manifest may request',
  },
  tool_max_cpu_seconds: {
    kind: 'number',
    write: 'seconds, 1 to 86400',
    help: 'most CPU time that a manifest may request; a run may last twice as long plus ten seconds',
  },
  tool_runs_at_once: {
    kind: 'number',
    write: 'a whole number, 1 to 13',
    help: 'concurrent tool runs on this replica; further ones get 503',
  },
  bwrap_bin: {
    kind: 'text',
    write: 'the absolute path of a program',
    help: 'bubblewrap, which confines tools; without it bwrap is looked up in the system folders',
  },
  trusted_proxies: {
    kind: 'list',
    write: `addresses, networks (10.0.0.0/8) or ${proxyNames.join(', ')}`,
    help: 'proxies whose X-Forwarded-For, -Host and -Proto are trusted; they must overwrite these headers',
  },
  mcp_allowed_hosts: {
    kind: 'list',
    write: 'a comma list of host names without ports',
    help: 'host names that tool protocol clients may use, besides those of BASE_URL and MCP_PUBLIC_URL; without it addresses, single words and names of private networks',
  },
  mcp_allowed_origins: {
    kind: 'list',
    write: 'a comma list of origins, https://app.example.com',
    help: 'origins of web pages that may call the tool protocol, besides those of this machine',
  },
  mcp_public_url: {
    kind: 'text',
    write: 'the public address of the tool protocol, http(s)://…/mcp, without query',
    help: 'address in the metadata of the tool protocol; without it BASE_URL followed by /mcp',
  },
  a2a_card_signing_key_file: {
    kind: 'text',
    write: 'the path of a PEM file with a private key, Ed25519 or P-256',
    help: 'key that signs the agent card; without it cards are not signed',
  },
  max_calls_in_flight: {
    kind: 'number',
    write: 'a whole number, 1 to 1000000',
    help: 'concurrent calls per subject, excluding streams and waits; four times as many per tenant; further ones get 503',
  },
  max_streams_per_credential: {
    kind: 'number',
    write: 'a whole number, 1 to 1000000',
    help: 'open event streams and waiting calls per credential and replica, excluding push channels; further ones get 429',
  },
  max_task_artifact_bytes: {
    kind: 'number',
    write: 'bytes, 0 to 1099511627776',
    help: 'total bytes of artifacts per task, replaced ones included; further ones get 409',
  },
  model_catalogue_file: {
    kind: 'text',
    write: 'the path of a JSON file: an array of names, each provider:model',
    help: 'models that automation tasks may name, instead of the eleven built-in ones',
  },
  analytics_channels_file: {
    kind: 'text',
    write: 'the path of a JSON file: {"search": [host], "social": [host]}',
    help: 'hosts of search engines and social networks, instead of the built-in ones',
  },
  analytics_retention_days: {
    kind: 'number',
    write: 'days, 1 to 36500',
    help: 'how long events of analytics count; they are deleted a month at a time',
  },
  audit_log_path: {
    kind: 'text',
    write: 'the path of a file',
    help: 'audit file, one per replica; without it audit/audit.jsonl in DATA_DIR',
  },
  audit_signing_key_file: {
    kind: 'text',
    write: 'the path of an Ed25519 private key in PEM',
    help: 'key that signs audit checkpoints; without it one is created at audit/signing-key.pem in DATA_DIR',
  },
  a2a_broker_url: {
    kind: 'text',
    secret: true,
    write: 'redis://user:password@host:port, or rediss:// with TLS',
    help: 'Redis that wakes replicas and workers at once; without it replicas wake each other through PostgreSQL',
  },
  broker_shared_secret: {
    kind: 'text',
    secret: true,
    write: '16 to 1024 printable ASCII characters without blanks, the same on each instance',
    help: 'key under which instances without DATABASE_URL share workers, codebases and sessions through the broker',
  },
  ralph_enabled: {
    kind: 'number',
    write: '0 or 1',
    help: 'autonomous runs; 0: nothing new starts, and what there is can still be read',
  },
  ralph_max_iterations: {
    kind: 'number',
    write: 'a whole number, 1 to 100',
    help: 'default number of judged attempts of each story of a run',
  },
  ralph_commit_on_pass: {
    kind: 'number',
    write: '0 or 1',
    help: 'puts the commit of each passed story on the branch of its run; 0: a call does',
  },
  ralph_branch_prefix: {
    kind: 'text',
    write: 'a valid beginning of a branch name, e.g. ralph/',
    help: 'put before the branch name of a run that does not begin with it',
  },
  ralph_max_parallel: {
    kind: 'number',
    write: 'a whole number, 1 to 10',
    help: 'default number of stories that a parallel run works on at once',
  },
  ralph_max_active_runs: {
    kind: 'number',
    write: 'a whole number, 1 to 10000',
    help: 'runs of one tenant that are at work at once; later ones wait',
  },
  ralph_max_run_seconds: {
    kind: 'number',
    write: 'seconds, 60 to 31622400',
    help: 'active time after which a run without a time budget asks how to go on',
  },
  ralph_commit_progress: {
    kind: 'number',
    write: '0 or 1',
    help: 'puts progress.txt into the commit of each story',
  },
  ralph_verifier_agent: {
    kind: 'text',
    write: 'the name of an agent',
    help: 'judges criteria that no command checks; without it another agent of the codebase than the one that worked',
  },
  ralph_verifier_model: { kind: 'text', write: 'the name of a model', help: 'model of the agent that judges' },
  prd_chat_agent: { kind: 'text', write: 'the name of an agent', help: 'agent that answers in PRD chats' },
  ralph_bundle_max_bytes: {
    kind: 'number',
    write: 'bytes, 1024 to 1073741824',
    help: 'most that one step of a run may carry from worker to worker',
  },
  run_retention_days: {
    kind: 'number',
    write: 'days, 1 to 36500',
    help: 'how long finished runs are kept, with their stories, evidence, questions and learnings',
  },
  backup_dir: {
    kind: 'text',
    write: 'the path of a folder on another disk',
    help: 'folder of base backups of the embedded database, and of the log for any moment between them',
  },
  backup_every_hours: { kind: 'number', write: 'hours, 0.01 to 8760', help: 'hours between base backups' },
  backup_keep_days: {
    kind: 'number',
    write: 'days, 0.01 to 3650',
    help: 'days to any moment of which the embedded database can be restored',
  },
  drain_seconds: {
    kind: 'number',
    write: 'seconds, 0 to 600',
    help: 'how long a stopping service still answers while its readiness is 503, so that proxies stop sending calls',
  },
  ...clusterSettingRows,
  otel_exporter_otlp_endpoint: {
    kind: 'text',
    write: 'the base address of an OpenTelemetry collector, http(s)://…, without query or credentials',
    help: 'collector that receives traces (OTLP over HTTP, JSON, at /v1/traces); without it none are recorded',
  },
  otel_exporter_otlp_headers: {
    kind: 'list',
    secret: true,
    write: 'a comma list of name=value, the values percent-encoded',
    help: 'headers sent to the collector, e.g. credentials',
  },
  otel_service_name: {
    kind: 'text',
    write: 'a name of 1 to 200 characters',
    help: "the service's name in traces",
  },
  otel_traces_sampler_arg: {
    kind: 'number',
    write: 'a share, 0 to 1',
    help: 'share of traces started here that is recorded; a trace header of the request decides for its own trace',
  },
  log_level: { kind: 'text', write: logLevels.join(', '), help: 'lowest level that is logged, to stderr' },
  log_format: {
    kind: 'text',
    write: logFormats.join(' or '),
    help: 'form of log lines; default pretty on a terminal, else json',
  },
};

export const serviceSettingNames: readonly ServiceSettingName[] =
  Object.keys(serviceSettingSchemas).filter(isServiceSettingName);

/** Whether a text is the name of a setting. */
export function isServiceSettingName(candidate: string): candidate is ServiceSettingName {
  return isRowName(serviceSettingRows, candidate);
}
