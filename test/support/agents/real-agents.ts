// Real agent programs for tests: named by the environment, found on the PATH, or installed from npm into a cache.
import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { compareVersions } from '../../../src/lib/text/compare-versions.ts';

const packages = {
  pi: { variable: 'PI_BIN', package: '@earendil-works/pi-coding-agent', version: '0.87.1' },
  codex: { variable: 'CODEX_BIN', package: '@openai/codex', version: '0.169.0' },
  claude: { variable: 'CLAUDE_BIN', package: '@anthropic-ai/claude-code', version: '2.1.330' },
  gemini: { variable: 'GEMINI_BIN', package: '@google/gemini-cli', version: '0.61.0' },
  opencode: { variable: 'OPENCODE_BIN', package: 'opencode-ai', version: '1.18.33' },
} as const;
/** The package of pi before 0.74.0. */
const formerPi = { package: '@mariozechner/pi-coding-agent' } as const;

export type AgentName = keyof typeof packages;
export const agentNames: AgentName[] = ['pi', 'codex', 'claude', 'gemini', 'opencode'];

/** The longest that finding and installing one agent may take. */
export const installDeadlineMs = 240_000;

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Old installers of opencode make a link to an absolute path, which leads nowhere once the folder is moved. */
async function confineInstall(link: string): Promise<void> {
  const target = await readlink(link).catch(() => '');
  if (!isAbsolute(target)) return;
  await rm(link);
  await symlink(relative(dirname(link), target), link);
}

async function install(name: AgentName, version: string, folder: string): Promise<void> {
  const { package: module } = name === 'pi' && compareVersions(version, '0.74.0') < 0 ? formerPi : packages[name];
  const parent = join(folder, '..');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const made = await mkdtemp(join(parent, 'new-'));
  await writeFile(join(made, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--prefix', made, `${module}@${version}`];
  await promisify(execFile)('npm', args, { cwd: made, timeout: installDeadlineMs - 10_000, killSignal: 'SIGKILL' });
  await confineInstall(join(made, 'node_modules', module, 'bin', name));
  try {
    await rename(made, folder);
  } catch {
    // Another test file was faster: its copy is as good.
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * The path of an agent program. Order: its variable (`PI_BIN`, `CODEX_BIN`, `CLAUDE_BIN`, `GEMINI_BIN`,
 * `OPENCODE_BIN`), the PATH, the cache under the temporary folder, npm.
 * @throws when it cannot be installed
 */
export async function agentProgram(name: AgentName, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { variable, version } = packages[name];
  const named = env[variable];
  if (named !== undefined && named !== '') return named;
  for (const place of (env['PATH'] ?? '').split(delimiter)) {
    if (place !== '' && (await isProgram(join(place, name)))) return join(place, name);
  }
  return agentVersion(name, version);
}

/** As `agentProgram`, or a skipped test with the reason; under CI nothing is skipped. */
export async function agentProgramOr(context: TestContext, name: AgentName): Promise<string> {
  try {
    return await agentProgram(name);
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    return context.skip(`${name} cannot be installed: ${error instanceof Error ? error.message.slice(0, 200) : ''}`);
  }
}

/**
 * The path of an agent program in that very version, from the cache or npm.
 * @throws when it cannot be installed
 */
export async function agentVersion(name: AgentName, version: string): Promise<string> {
  const folder = join(tmpdir(), `switchyard-agents-${process.getuid?.() ?? 0}`, `${name}-${version}`);
  const program = join(folder, 'node_modules/.bin', name);
  if (!(await isProgram(program))) await install(name, version, folder);
  return program;
}

/**
 * Settings that point an agent at a model server, keep it from calling anyone else, and make it give up soon when the
 * model is away. They are written into `home`.
 * @param modelUrl `http://127.0.0.1:<port>`
 * @returns what its environment needs, and the model to ask for
 */
export async function agentSettings(
  name: AgentName,
  home: string,
  modelUrl: string,
): Promise<{ env: Record<string, string>; model: string }> {
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(home, path, '..'), { recursive: true });
    await writeFile(join(home, path), text);
  };
  const model = 'scripted:m1';
  switch (name) {
    case 'pi': {
      const scripted = { baseUrl: `${modelUrl}/v1`, api: 'openai-completions', apiKey: 'k', models: [{ id: 'm1' }] };
      await write('.pi/agent/models.json', JSON.stringify({ providers: { scripted } }));
      await write('.pi/agent/settings.json', JSON.stringify({ retry: { enabled: false } }));
      return { model, env: { PI_OFFLINE: '1', PI_TELEMETRY: '0' } };
    }
    case 'codex': {
      const provider = [
        'name = "scripted"',
        `base_url = "${modelUrl}/v1"`,
        'wire_api = "responses"',
        'env_key = "KEY"',
      ];
      const table = ['[model_providers.scripted]', ...provider, 'request_max_retries = 0', 'stream_max_retries = 0'];
      const quiet = ['check_for_update_on_startup = false', '[analytics]', 'enabled = false'];
      await write('.codex/config.toml', [...quiet, ...table].join('\n'));
      // In a home under the temporary folder it makes no helper programs, and without them no sandbox by bubblewrap.
      const temporary = join(home, 'tmp');
      await mkdir(temporary, { recursive: true });
      return { model, env: { KEY: 'k', TMPDIR: temporary } };
    }
    case 'claude': {
      const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1' };
      const env = { ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_MAX_RETRIES: '0', ...quiet };
      return { model: 'anthropic:m1', env };
    }
    case 'gemini': {
      const security = { auth: { selectedType: 'gemini-api-key' } };
      const quiet = { privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } };
      const retries = { maxAttempts: 1 };
      const general = { ...quiet.general, ...retries };
      await write('.gemini/settings.json', JSON.stringify({ security, ...quiet, general }));
      return { model: 'gemini:m1', env: { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: modelUrl } };
    }
    case 'opencode': {
      const options = { baseURL: `${modelUrl}/v1`, apiKey: 'k' };
      const scripted = { npm: '@ai-sdk/openai-compatible', name: 'scripted', options, models: { m1: { name: 'm1' } } };
      const config = { autoupdate: false, share: 'disabled', provider: { scripted } };
      await write('.config/opencode/opencode.json', JSON.stringify(config));
      return { model, env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' } };
    }
    default:
      throw new Error('no such agent');
  }
}
