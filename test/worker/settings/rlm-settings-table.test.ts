// The settings for large contexts: their defaults, their forms, and what stops the start.
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { defaultRlmSettings } from '../../../src/worker/agents/model/rlm/rlm-settings.ts';
import { loadSettings } from '../../../src/worker/settings/settings.ts';

const must = {
  A2A_SERVER_URL: 'http://127.0.0.1:8000',
  SWITCHYARD_TOKEN: 'a-token-of-the-worker',
  MODEL_PROVIDER_ENDPOINT: 'http://127.0.0.1:1/v1',
  A2A_WORKER_GLOBAL: 'false',
};

async function rlmOf(env: Record<string, string>) {
  const sources = { flags: {}, env: { ...must, ...env }, cwd: tmpdir(), hostname: 'my-host' };
  return (await loadSettings(sources)).settings.model?.rlm;
}

describe('the settings for large contexts', () => {
  it('are off by default, with the limits of the documents [tools-8.5, tools-8.6, tools-8.7, tools-8.8]', async () => {
    expect(await rlmOf({})).toEqual(defaultRlmSettings);
    expect(defaultRlmSettings).toEqual({
      enabled: false,
      thresholdTokens: 80_000,
      maxSubcallsPerIteration: 5,
      maxTotalSubcalls: 100,
      maxIterations: 20,
      maxDepth: 1,
      maxConcurrency: 4,
      maxTokens: 2_000_000,
      maxSeconds: 900,
      maxPromptChars: 400_000,
      maxOutputChars: 10_000,
      memoryMb: 256,
      blockSeconds: 10,
      subcallModel: undefined,
    });
  });

  it('are each read from their variable', async () => {
    const env = {
      SERVICE_RLM_ENABLED: '1',
      A2A_RLM_THRESHOLD_TOKENS: '2000',
      A2A_RLM_MAX_SUBCALLS_PER_ITERATION: '6',
      A2A_RLM_MAX_TOTAL_SUBCALLS: '60',
      A2A_RLM_MAX_ITERATIONS: '7',
      A2A_RLM_MAX_DEPTH: '2',
      A2A_RLM_MAX_CONCURRENCY: '3',
      A2A_RLM_MAX_TOKENS: '5000',
      A2A_RLM_MAX_SECONDS: '30',
      A2A_RLM_MAX_PROMPT_CHARS: '4000',
      A2A_RLM_MAX_OUTPUT_CHARS: '500',
      A2A_RLM_MEMORY_MB: '64',
      A2A_RLM_BLOCK_SECONDS: '1.5',
      A2A_RLM_SUBCALL_MODEL: 'small',
    };
    expect(await rlmOf(env)).toEqual({
      enabled: true,
      thresholdTokens: 2_000,
      maxSubcallsPerIteration: 6,
      maxTotalSubcalls: 60,
      maxIterations: 7,
      maxDepth: 2,
      maxConcurrency: 3,
      maxTokens: 5_000,
      maxSeconds: 30,
      maxPromptChars: 4_000,
      maxOutputChars: 500,
      memoryMb: 64,
      blockSeconds: 1.5,
      subcallModel: 'small',
    });
    expect((await rlmOf({ SERVICE_RLM_ENABLED: '0' }))?.enabled).toBe(false);
    expect((await rlmOf({ SERVICE_RLM_ENABLED: 'true' }))?.enabled).toBe(true);
  });

  it.each([
    ['SERVICE_RLM_ENABLED', 'yes'],
    ['A2A_RLM_THRESHOLD_TOKENS', '0'],
    ['A2A_RLM_MAX_DEPTH', '0'],
    ['A2A_RLM_MAX_DEPTH', '4'],
    ['A2A_RLM_MAX_ITERATIONS', '1.5'],
    ['A2A_RLM_MAX_TOTAL_SUBCALLS', '-1'],
    ['A2A_RLM_MEMORY_MB', 'much'],
    ['A2A_RLM_BLOCK_SECONDS', '0'],
  ])('stop the start for %s=%s', async (name, value) => {
    await expect(rlmOf({ [name]: value })).rejects.toThrow(name);
  });
});
