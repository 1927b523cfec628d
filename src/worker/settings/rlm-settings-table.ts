// The settings of the worker for large contexts: each as one row with its environment variable and schema.
import { z } from 'zod';
import type { SettingRow } from '../../lib/settings/table.ts';
import { defaultRlmSettings, type RlmSettings } from '../agents/model/rlm/rlm-settings.ts';

/** `SERVICE_RLM_ENABLED` is 1 or 0. */
const switched = z.union([z.boolean(), z.enum(['0', '1']).transform((value) => value === '1')]);

export const rlmSettingSchemas = {
  rlm_enabled: switched.default(defaultRlmSettings.enabled),
  rlm_threshold_tokens: z.int().min(1000).max(100_000_000).default(defaultRlmSettings.thresholdTokens),
  rlm_max_subcalls_per_iteration: z.int().min(0).max(1000).default(defaultRlmSettings.maxSubcallsPerIteration),
  rlm_max_total_subcalls: z.int().min(0).max(100_000).default(defaultRlmSettings.maxTotalSubcalls),
  rlm_max_iterations: z.int().min(1).max(1000).default(defaultRlmSettings.maxIterations),
  rlm_max_depth: z.int().min(1).max(3).default(defaultRlmSettings.maxDepth),
  rlm_max_concurrency: z.int().min(1).max(64).default(defaultRlmSettings.maxConcurrency),
  rlm_max_tokens: z.int().min(1000).max(1_000_000_000).default(defaultRlmSettings.maxTokens),
  rlm_max_seconds: z.number().positive().max(86_400).default(defaultRlmSettings.maxSeconds),
  rlm_max_prompt_chars: z.int().min(1000).max(10_000_000).default(defaultRlmSettings.maxPromptChars),
  rlm_max_output_chars: z.int().min(100).max(1_000_000).default(defaultRlmSettings.maxOutputChars),
  rlm_memory_mb: z.int().min(16).max(2048).default(defaultRlmSettings.memoryMb),
  rlm_block_seconds: z.number().positive().max(600).default(defaultRlmSettings.blockSeconds),
  rlm_subcall_model: z.string().min(1).max(200).optional(),
};

interface RlmSettingRow extends SettingRow {
  readonly env: string;
}

export const rlmSettingRows: Record<keyof typeof rlmSettingSchemas, RlmSettingRow> = {
  rlm_enabled: { env: 'SERVICE_RLM_ENABLED', kind: 'flag', write: '1 or 0' },
  rlm_threshold_tokens: {
    env: 'A2A_RLM_THRESHOLD_TOKENS',
    kind: 'number',
    write: 'tokens of a request above which long texts move out, e.g. 80000',
  },
  rlm_max_subcalls_per_iteration: {
    env: 'A2A_RLM_MAX_SUBCALLS_PER_ITERATION',
    kind: 'number',
    write: 'calls of a model in one block of code, e.g. 5',
  },
  rlm_max_total_subcalls: {
    env: 'A2A_RLM_MAX_TOTAL_SUBCALLS',
    kind: 'number',
    write: 'calls of a model from code in an attempt, e.g. 100',
  },
  rlm_max_iterations: { env: 'A2A_RLM_MAX_ITERATIONS', kind: 'number', write: 'blocks of code in an attempt, e.g. 20' },
  rlm_max_depth: {
    env: 'A2A_RLM_MAX_DEPTH',
    kind: 'number',
    write: '1 for plain sub-calls, or 2 or 3 for sub-calls with a REPL',
  },
  rlm_max_concurrency: { env: 'A2A_RLM_MAX_CONCURRENCY', kind: 'number', write: 'calls of a batch at once, e.g. 4' },
  rlm_max_tokens: {
    env: 'A2A_RLM_MAX_TOKENS',
    kind: 'number',
    write: 'tokens of an attempt with a REPL, e.g. 2000000',
  },
  rlm_max_seconds: { env: 'A2A_RLM_MAX_SECONDS', kind: 'number', write: 'seconds of an attempt with a REPL, e.g. 900' },
  rlm_max_prompt_chars: {
    env: 'A2A_RLM_MAX_PROMPT_CHARS',
    kind: 'number',
    write: 'characters of one prompt, e.g. 400000',
  },
  rlm_max_output_chars: {
    env: 'A2A_RLM_MAX_OUTPUT_CHARS',
    kind: 'number',
    write: 'characters that a block may print, e.g. 10000',
  },
  rlm_memory_mb: { env: 'A2A_RLM_MEMORY_MB', kind: 'number', write: 'megabytes, 16 to 2048' },
  rlm_block_seconds: {
    env: 'A2A_RLM_BLOCK_SECONDS',
    kind: 'number',
    write: 'seconds that a block may compute, e.g. 10',
  },
  rlm_subcall_model: { env: 'A2A_RLM_SUBCALL_MODEL', kind: 'text', write: 'the name of a model of the endpoint' },
};

type RlmValues = z.infer<z.ZodObject<typeof rlmSettingSchemas>>;

export function toRlmSettings(values: RlmValues): RlmSettings {
  return {
    enabled: values.rlm_enabled,
    thresholdTokens: values.rlm_threshold_tokens,
    maxSubcallsPerIteration: values.rlm_max_subcalls_per_iteration,
    maxTotalSubcalls: values.rlm_max_total_subcalls,
    maxIterations: values.rlm_max_iterations,
    maxDepth: values.rlm_max_depth,
    maxConcurrency: values.rlm_max_concurrency,
    maxTokens: values.rlm_max_tokens,
    maxSeconds: values.rlm_max_seconds,
    maxPromptChars: values.rlm_max_prompt_chars,
    maxOutputChars: values.rlm_max_output_chars,
    memoryMb: values.rlm_memory_mb,
    blockSeconds: values.rlm_block_seconds,
    subcallModel: values.rlm_subcall_model,
  };
}
