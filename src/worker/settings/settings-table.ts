// Every setting of the worker as one row: its environment variable, schema and what to write.
// core-2.7, choices-5.
import { z } from 'zod';
import { codebaseId, workspaceMode } from '../../contracts/codebase.ts';
import { label } from '../../contracts/common.ts';
import { traceHeader } from '../../telemetry/open-tracer.ts';
import { logFormats, logLevels } from '../../lib/log/levels.ts';
import { isRowName, type SettingRow } from '../../lib/settings/table.ts';
import { rlmSettingRows, rlmSettingSchemas } from './rlm-settings-table.ts';

export interface WorkerSettingRow extends SettingRow {
  /** Its environment variable; undefined: it has none. */
  readonly env?: string;
}

const seconds = (most: number): z.ZodNumber => z.number().positive().max(most);
const text = z.string().min(1).max(4096);

const endpoint = z
  .url({ protocol: /^https?$/ })
  .refine(
    (address) => !URL.canParse(address) || new URL(address).username === '',
    'an address without a user; the key has a setting of its own',
  );

const codebaseSetting = z.strictObject({
  path: text,
  name: z.string().min(1).max(200).optional(),
  description: z.string().max(2000).default(''),
  codebase_id: codebaseId.optional(),
  exclusive: z.boolean().default(false),
  workspace_mode: workspaceMode.optional(),
});

/** The codebase root that allows the whole machine. */
export const everyFolder = '*';

/** The schema and default of each setting; a setting with neither a default nor `optional` is required. */
export const workerSettingSchemas = {
  server_url: z.url({ protocol: /^https?$/ }),
  worker_name: z.string().min(1).max(200),
  token: text,
  token_file: text.optional(),
  poll_interval: seconds(3600).default(5),
  slots: z.int().min(1).max(256).default(1),
  codebases: z.array(codebaseSetting).max(200).default([]),
  global: z.union([z.boolean(), text]).default(true),
  codebase_roots: z.array(text).default([]),
  agent_bin: text.optional(),
  capabilities: z.array(label).max(64).default(['agent', 'build', 'deploy']),
  models: z.array(label).max(200).default([]),
  prd_only: z.boolean().default(false),
  broker_url: z.url({ protocol: /^rediss?$/ }).default('redis://localhost:6379'),
  agent_timeout_seconds: seconds(7 * 86_400).default(3600),
  agent_env: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
  agent_home: z.enum(['user', 'private']).default('user'),
  allow_command: z.boolean().default(false),
  model_provider_endpoint: endpoint.optional(),
  model_provider_api_key: text.optional(),
  model_provider_api_key_file: text.optional(),
  model_deployment_name: z.string().min(1).max(200).optional(),
  model_prices_file: text.optional(),
  model_max_steps: z.int().min(1).max(10_000).default(100),
  model_max_tokens: z.int().min(1000).max(1_000_000_000).default(5_000_000),
  model_shell: z.enum(['confined', 'unconfined', 'off']).default('confined'),
  model_shell_network: z.boolean().default(false),
  gates: z.enum(['auto', 'confined', 'unconfined', 'off']).default('auto'),
  gate_network: z.boolean().default(false),
  setup_network: z.boolean().default(true),
  gate_timeout_seconds: seconds(86_400).default(900),
  gate_memory_mb: z.int().min(64).max(1_048_576).default(4096),
  ...rlmSettingSchemas,
  max_output_bytes: z.int().min(1024).max(1_000_000_000).default(20_000_000),
  clone_from: z.array(text).max(200).default([]),
  clone_push: z.boolean().default(false),
  clone_timeout_seconds: seconds(86_400).default(1800),
  git_timeout_seconds: seconds(86_400).default(120),
  keep_days: z.number().min(1).max(36_500).default(30),
  session_sync_seconds: seconds(3600).default(60),
  kill_grace_seconds: seconds(300).default(5),
  spool_max_bytes: z.int().min(0).max(1_000_000_000_000).default(268_435_456),
  drain_seconds: z.number().min(0).max(86_400).default(25),
  data_dir: text.default('.switchyard'),
  otel_exporter_otlp_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  otel_exporter_otlp_headers: z.array(z.string().regex(traceHeader)).max(20).default([]),
  otel_service_name: z.string().min(1).max(200).default('switchyard-worker'),
  otel_traces_sampler_arg: z.number().min(0).max(1).default(1),
  log_level: z.enum(logLevels).default('info'),
  log_format: z.enum(logFormats).optional(),
};
export const workerSettingsSchema = z.strictObject(workerSettingSchemas);
export type WorkerSettingName = keyof typeof workerSettingSchemas;

export const workerSettingRows: Record<WorkerSettingName, WorkerSettingRow> = {
  server_url: { env: 'A2A_SERVER_URL', kind: 'text', write: "the service's address, e.g. http://127.0.0.1:8000" },
  worker_name: { env: 'A2A_WORKER_NAME', kind: 'text', write: 'a name of 1 to 200 characters, its own in the tenant' },
  token: { env: 'SWITCHYARD_TOKEN', kind: 'text', secret: true, write: 'the bearer token of this worker' },
  token_file: { env: 'SWITCHYARD_TOKEN_FILE', kind: 'text', write: 'the path of a file that holds the token' },
  poll_interval: { env: 'A2A_POLL_INTERVAL', kind: 'number', write: 'seconds between polls, e.g. 5' },
  slots: { env: 'A2A_WORKER_SLOTS', kind: 'number', write: 'how many tasks run at once, 1 to 256' },
  codebases: { kind: 'objects', write: 'a list of {path, name, description, exclusive, workspace_mode}' },
  global: { env: 'A2A_WORKER_GLOBAL', kind: 'folder', write: 'true, false, or the path of a folder' },
  codebase_roots: {
    env: 'A2A_WORKER_CODEBASE_ROOTS',
    kind: 'list',
    write: 'a list of folders below which codebases may be registered over the API, or *',
  },
  agent_bin: { env: 'A2A_AGENT_BIN', kind: 'text', write: 'the path or name of an agent program, or acp:<command>' },
  capabilities: { env: 'A2A_WORKER_CAPABILITIES', kind: 'list', write: 'a list of names, e.g. agent, build, deploy' },
  models: { env: 'A2A_WORKER_MODELS', kind: 'list', write: 'a list of model names' },
  prd_only: { env: 'A2A_WORKER_PRD_ONLY', kind: 'flag', write: 'true: answer PRD chats and take no other task' },
  broker_url: { env: 'A2A_BROKER_URL', kind: 'text', secret: true, write: 'an address like redis://127.0.0.1:6379' },
  agent_timeout_seconds: { env: 'A2A_WORKER_AGENT_TIMEOUT_SECONDS', kind: 'number', write: 'seconds, e.g. 3600' },
  agent_env: { env: 'A2A_WORKER_AGENT_ENV', kind: 'list', write: 'a list of names of environment variables' },
  agent_home: { env: 'A2A_WORKER_AGENT_HOME', kind: 'text', write: 'user or private' },
  allow_command: { env: 'A2A_WORKER_ALLOW_COMMAND', kind: 'flag', write: 'true or false' },
  model_provider_endpoint: {
    env: 'MODEL_PROVIDER_ENDPOINT',
    kind: 'text',
    write: 'the address of an OpenAI-compatible API, e.g. http://127.0.0.1:11434/v1',
  },
  model_provider_api_key: { env: 'MODEL_PROVIDER_API_KEY', kind: 'text', secret: true, write: 'the key of that API' },
  model_provider_api_key_file: {
    env: 'MODEL_PROVIDER_API_KEY_FILE',
    kind: 'text',
    write: 'the path of a file that holds the key of that API',
  },
  model_deployment_name: { env: 'MODEL_DEPLOYMENT_NAME', kind: 'text', write: 'the name of a model of that API' },
  model_prices_file: {
    env: 'MODEL_PRICES_FILE',
    kind: 'text',
    write: 'the path of a JSON file {"as_of": …, "models": {"openai:gpt-5-mini": {"input": 0.25, "output": 2}}}',
  },
  model_max_steps: {
    env: 'A2A_WORKER_MODEL_MAX_STEPS',
    kind: 'number',
    write: 'calls of the model in a run, e.g. 100',
  },
  model_max_tokens: { env: 'A2A_WORKER_MODEL_MAX_TOKENS', kind: 'number', write: 'tokens of a run, e.g. 5000000' },
  model_shell: { env: 'A2A_WORKER_MODEL_SHELL', kind: 'text', write: 'confined, unconfined or off' },
  model_shell_network: { env: 'A2A_WORKER_MODEL_SHELL_NETWORK', kind: 'flag', write: 'true or false' },
  gates: { env: 'A2A_WORKER_GATES', kind: 'text', write: 'auto, confined, unconfined or off' },
  gate_network: { env: 'A2A_WORKER_GATE_NETWORK', kind: 'flag', write: 'true or false' },
  setup_network: { env: 'A2A_WORKER_SETUP_NETWORK', kind: 'flag', write: 'true or false' },
  gate_timeout_seconds: { env: 'A2A_WORKER_GATE_TIMEOUT_SECONDS', kind: 'number', write: 'seconds, e.g. 900' },
  gate_memory_mb: { env: 'A2A_WORKER_GATE_MEMORY_MB', kind: 'number', write: 'megabytes, 64 to 1048576' },
  ...rlmSettingRows,
  max_output_bytes: { env: 'A2A_WORKER_MAX_OUTPUT_BYTES', kind: 'number', write: 'bytes, 1024 to 1000000000' },
  clone_from: {
    env: 'A2A_WORKER_CLONE_FROM',
    kind: 'list',
    write: 'a list of addresses below which repositories may be cloned, e.g. https://github.com/acme/, or *',
  },
  clone_push: { env: 'A2A_WORKER_CLONE_PUSH', kind: 'flag', write: 'true or false' },
  clone_timeout_seconds: { env: 'A2A_WORKER_CLONE_TIMEOUT_SECONDS', kind: 'number', write: 'seconds, e.g. 1800' },
  git_timeout_seconds: { env: 'A2A_WORKER_GIT_TIMEOUT_SECONDS', kind: 'number', write: 'seconds, e.g. 120' },
  keep_days: { env: 'A2A_WORKER_KEEP_DAYS', kind: 'number', write: 'days, e.g. 30' },
  session_sync_seconds: { env: 'A2A_WORKER_SESSION_SYNC_SECONDS', kind: 'number', write: 'seconds, e.g. 60' },
  kill_grace_seconds: { env: 'A2A_WORKER_KILL_GRACE_SECONDS', kind: 'number', write: 'seconds, e.g. 5' },
  spool_max_bytes: { env: 'A2A_WORKER_SPOOL_MAX_BYTES', kind: 'number', write: 'bytes, e.g. 268435456' },
  drain_seconds: { env: 'A2A_WORKER_DRAIN_SECONDS', kind: 'number', write: 'seconds, e.g. 25' },
  data_dir: { env: 'DATA_DIR', kind: 'text', write: 'the path of a folder' },
  otel_exporter_otlp_endpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: 'text',
    write: 'the base address of an OpenTelemetry collector, http(s)://…',
  },
  otel_exporter_otlp_headers: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    kind: 'list',
    secret: true,
    write: 'a comma list of name=value, the values percent-encoded',
  },
  otel_service_name: { env: 'OTEL_SERVICE_NAME', kind: 'text', write: 'a name of 1 to 200 characters' },
  otel_traces_sampler_arg: { env: 'OTEL_TRACES_SAMPLER_ARG', kind: 'number', write: 'a share, 0 to 1' },
  log_level: { env: 'LOG_LEVEL', kind: 'text', write: logLevels.join(', ') },
  log_format: { env: 'LOG_FORMAT', kind: 'text', write: logFormats.join(' or ') },
};

/** Whether a text is the name of a setting. */
export function isWorkerSettingName(name: string): name is WorkerSettingName {
  return isRowName(workerSettingRows, name);
}
