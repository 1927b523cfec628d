// The worker's settings: where each comes from, which wins, and the error of a wrong one.
import { writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSettings, type LoadedSettings } from '../../../src/worker/settings/settings.ts';
import type { SettingsSources } from '../../../src/worker/settings/settings-layers.ts';
import { workerFolder, type Folder } from '../../support/worker/local-worker.ts';

let folder: Folder;
beforeAll(async () => {
  folder = await workerFolder();
  await mkdir(join(folder.path, 'code'));
});
afterAll(() => folder[Symbol.asyncDispose]());

const must = { A2A_SERVER_URL: 'http://127.0.0.1:8000', SWITCHYARD_TOKEN: 'secret-word' };

async function file(name: string, text: string): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, text);
  return path;
}

function load(sources: Partial<SettingsSources> = {}): Promise<LoadedSettings> {
  return loadSettings({ flags: {}, env: must, cwd: folder.path, hostname: 'my-host', ...sources });
}

async function refusal(sources: Partial<SettingsSources>): Promise<string> {
  const error: unknown = await load(sources).then(
    () => new Error('it was taken'),
    (reason: unknown) => reason,
  );
  const text = error instanceof Error ? error.message : String(error);
  expect(text).not.toContain('\n');
  expect(text).not.toContain('secret-word');
  return text;
}

describe('the settings of a worker', () => {
  it('have the defaults of the documents [core-2.7.2, core-2.7.3, core-2.7.4, core-2.7.6, core-8.4, choices-3.137]', async () => {
    const { settings } = await load();
    expect(settings).toMatchObject({
      serverUrl: 'http://127.0.0.1:8000',
      token: 'secret-word',
      workerName: 'my-host',
      pollIntervalMs: 5000,
      capabilities: ['agent', 'build', 'deploy'],
      slots: 1,
      codebaseRoots: [],
      agentTimeoutMs: 3_600_000,
      agentHome: 'user',
      allowCommand: false,
      agentBin: undefined,
    });
  });

  it("never offer the worker's own data folder: not by the folder it starts in, and not by name [choices-3.134]", async () => {
    await mkdir(join(folder.path, 'data', 'inner'), { recursive: true });
    const [dataDir, inner] = [join(folder.path, 'data'), join(folder.path, 'data', 'inner')];
    const env = { ...must, DATA_DIR: dataDir };
    expect((await load({ env, cwd: dataDir })).settings.codebases).toEqual([]);
    expect((await load({ env, cwd: inner })).settings.codebases).toEqual([]);
    expect((await load({ env })).settings.codebases).toMatchObject([{ codebase_id: 'global', path: folder.path }]);
    for (const overrides of [{ global: inner }, { codebases: [{ path: dataDir }] }]) {
      expect(await refusal({ env, flags: overrides })).toContain("lies in the worker's own data folder");
    }
  });

  it('name the endpoint of the agent model; its key comes by environment or file and is shown to nobody', async () => {
    expect((await load()).settings.model).toBeUndefined();
    const key = await file('key', 'the-key-itself\n');
    const env = { ...must, MODEL_PROVIDER_ENDPOINT: 'http://127.0.0.1:1/v1', MODEL_DEPLOYMENT_NAME: 'm1' };
    const { settings, shown } = await load({ env: { ...env, MODEL_PROVIDER_API_KEY_FILE: key } });
    expect(settings.model).toMatchObject({
      apiKey: 'the-key-itself',
      model: 'm1',
      shell: 'confined',
      shellNetwork: false,
    });
    expect(settings.privatePaths).toContain(key);
    expect(JSON.stringify(shown)).not.toContain('the-key-itself');
    expect((await load({ env: { ...env, MODEL_PROVIDER_API_KEY: 'k' } })).settings.model?.apiKey).toBe('k');
    const both = { ...env, MODEL_PROVIDER_API_KEY: 'k', MODEL_PROVIDER_API_KEY_FILE: key };
    expect(await refusal({ env: both })).toMatch(/model_provider_api_key_file are both given/);
    const withUser = { ...must, MODEL_PROVIDER_ENDPOINT: 'http://user:word@127.0.0.1/v1' };
    expect(await refusal({ env: withUser })).toMatch(/without a user/);
  });

  it('register the folder it is started in as global, another one, or none [choices-5.48, choices-5.49]', async () => {
    const code = join(folder.path, 'code');
    expect((await load()).settings.codebases).toMatchObject([{ codebase_id: 'global', path: folder.path }]);
    expect((await load({ flags: { global: 'code' } })).settings.codebases).toMatchObject([{ path: code }]);
    expect((await load({ env: { ...must, A2A_WORKER_GLOBAL: 'false' } })).settings.codebases).toEqual([]);
  });

  it('come from the environment [core-2.7.1, core-2.7.8, core-2.7.9, core-2.7.10, choices-5.43, choices-5.45]', async () => {
    const env = { ...must, A2A_WORKER_NAME: 'w', A2A_POLL_INTERVAL: '0.5', A2A_WORKER_SLOTS: '4', A2A_AGENT_BIN: 'pi' };
    const { settings } = await load({ env: { ...env, A2A_WORKER_CAPABILITIES: 'a, b' } });
    expect(settings).toMatchObject({ workerName: 'w', pollIntervalMs: 500, slots: 4, agentBin: 'pi' });
    expect(settings.capabilities).toEqual(['a', 'b']);
  });

  it.each(['yaml', 'json'])('come from a config file in %s, its paths beginning at the file', async (kind) => {
    const values = {
      server_url: 'https://service.example',
      token: 'in-the-file',
      agent_timeout_seconds: 60,
      codebases: [{ path: 'code', exclusive: true }],
      global: false,
    };
    const yaml = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const path = await file(`worker.${kind}`, kind === 'json' ? JSON.stringify(values) : yaml.join('\n'));
    const { settings } = await load({ env: {}, configFile: path, cwd: '/' });
    expect(settings).toMatchObject({ serverUrl: 'https://service.example', token: 'in-the-file' });
    expect(settings).toMatchObject({ agentTimeoutMs: 60_000 });
    expect(settings.codebases).toMatchObject([{ name: 'code', path: join(folder.path, 'code'), exclusive: true }]);
  });

  it('take a flag over the environment over the file over the default, and know which it was', async () => {
    const overrides = fc.option(fc.integer({ min: 1, max: 256 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(overrides, overrides, overrides, async (flag, env, inFile) => {
        const path = await file('layers.yaml', inFile === undefined ? '' : `slots: ${inFile}`);
        const { settings, shown } = await load({
          flags: { slots: flag },
          env: { ...must, A2A_WORKER_SLOTS: env === undefined ? '' : String(env) },
          configFile: path,
        });
        expect(settings.slots).toBe(flag ?? env ?? inFile ?? 1);
        const origins = [flag && 'flag', env && 'environment A2A_WORKER_SLOTS', inFile && `file ${path}`, 'default'];
        expect(shown.find(({ name }) => name === 'slots')?.origin).toBe(origins.find(Boolean));
      }),
      { numRuns: 50 },
    );
  });

  it('are shown with the token masked', async () => {
    const { shown } = await load();
    expect(JSON.stringify(shown)).not.toContain('secret-word');
    expect(shown.find(({ name }) => name === 'token')).toMatchObject({ value: '***' });
  });

  it('read the token from a file; the stronger place wins over the other form', async () => {
    const path = await file('token', 'from-the-file\n');
    const inFile = await file('with-token.yaml', 'token: weak');
    const env = { A2A_SERVER_URL: must.A2A_SERVER_URL, SWITCHYARD_TOKEN_FILE: path };
    expect((await load({ env, configFile: inFile })).settings.token).toBe('from-the-file');
    expect((await load({ env, flags: { token: 'flag' } })).settings.token).toBe('flag');
  });

  it('keep two workers of one machine apart, whatever their names', async () => {
    const names = ['a/b', 'a_b', '..', '', 'ä', 'x'.repeat(200), 'x'.repeat(199)].filter(Boolean);
    const dirs = await Promise.all(
      names.map(async (name) => (await load({ flags: { worker_name: name } })).settings.stateDir),
    );
    expect(new Set(dirs).size).toBe(names.length);
    const home = join(folder.path, '.switchyard', 'workers');
    expect(dirs.every((dir) => join(dir, '..') === home)).toBe(true);
  });
});

describe('a setting that is wrong stops the start with one line that says what to write:', () => {
  it('no server_url', async () => {
    expect(await refusal({ env: { SWITCHYARD_TOKEN: 'secret-word' } })).toMatch(
      /server_url is not set: .*A2A_SERVER_URL/,
    );
  });

  it('no token', async () => {
    expect(await refusal({ env: { A2A_SERVER_URL: 'http://x' } })).toMatch(/token is not set: .*SWITCHYARD_TOKEN/);
  });

  it.each([
    ['A2A_SERVER_URL', 'ftp://x', /server_url.*http:/],
    ['A2A_POLL_INTERVAL', 'soon', /poll_interval \(environment A2A_POLL_INTERVAL\).*seconds/],
    ['A2A_POLL_INTERVAL', '0', /poll_interval/],
    ['A2A_WORKER_SLOTS', '1.5', /slots/],
    ['A2A_WORKER_SLOTS', '0', /slots.*1 to 256/],
    ['A2A_WORKER_ALLOW_COMMAND', 'yes', /allow_command.*true or false/],
    ['LOG_LEVEL', 'loud', /log_level.*debug/],
    ['A2A_WORKER_GLOBAL', '/no/such/folder', /no\/such\/folder is not a folder/],
    ['A2A_BROKER_URL', 'http://x', /broker_url.*redis/],
    ['SWITCHYARD_TOKEN_FILE', '/no/such/file', /token and token_file are both given/],
    ['A2A_WORKER_SLOT', '2', /unknown environment variable A2A_WORKER_SLOT: .*slots/],
  ])('%s=%s', async (name, value, expected) => {
    expect(await refusal({ env: { ...must, [name]: value } })).toMatch(expected);
  });

  it.each([
    ['slot: 2', /unknown key slot in .*slots/],
    ['[1, 2]', /not a mapping/],
    ['a: b: c', /neither YAML nor JSON/],
    ['codebases: [{path: code, worker: x}]', /codebases\.0.*worker/],
    ['codebases: [{path: nowhere}]', /nowhere is not a folder/],
    ['codebases: [{path: "https://host/x"}]', /does not clone https:\/\/host\/x.*clone_from/],
    ['clone_from: ["https://host/"]\ncodebases: [{path: "https://u:word@host/x"}]', /contains credentials/],
  ])('a file with %s', async (text, expected) => {
    expect(await refusal({ configFile: await file('wrong.yaml', text) })).toMatch(expected);
  });

  it('a file that is not there', async () => {
    expect(await refusal({ configFile: 'missing.yaml' })).toMatch(/cannot be read/);
  });

  it('an unknown flag', async () => {
    const flags: Record<string, unknown> = { slot: 2 };
    expect(await refusal({ flags })).toMatch(/unknown flag slot/);
  });
});

it('syncs sessions every minute by default, or as often as the settings say [core-8.5]', async () => {
  expect((await load()).settings.sessionSyncMs).toBe(60_000);
  const env = { ...must, A2A_WORKER_SESSION_SYNC_SECONDS: '5' };
  expect((await load({ env })).settings.sessionSyncMs).toBe(5_000);
  const wrong = { ...must, A2A_WORKER_SESSION_SYNC_SECONDS: '0' };
  expect(await refusal({ env: wrong })).toContain('session_sync_seconds');
});
