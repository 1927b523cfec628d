// The service's settings: where they come from, which place wins, and what stops the start. choices-1.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/server/config/errors/config-error.ts';
import { loadConfig, type LoadConfigOptions, type LoadedConfig } from '../../../src/server/config/config.ts';
import { temporaryFolder } from '../../support/process/program.ts';

const fixed = {
  hostname: 'testhost',
  now: () => Date.UTC(2026, 0, 2),
  randomBytes: (size: number) => new Uint8Array(size).fill(7),
};

async function load(sources: Partial<LoadConfigOptions> = {}): Promise<LoadedConfig> {
  return loadConfig({ flags: {}, configFile: undefined, env: {}, cwd: '/nowhere', ...fixed, ...sources });
}

/** A token that is long enough, and begins with what a test looks for. */
function long(word: string): string {
  return word.padEnd(16, '-');
}

/** The one line of a refusal. */
async function refusal(sources: Partial<LoadConfigOptions>): Promise<string> {
  const error = await load(sources).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof ConfigError)) throw new Error(`not refused as a setting: ${String(error)}`);
  expect(error.message).not.toContain('\n');
  return error.message;
}

function printedSettings({ shown }: LoadedConfig, name: string): { value: unknown; origin: string } | undefined {
  return shown.find((setting) => setting.name === name);
}

describe('settings of runs', () => {
  it('have the defaults of the documents, and are read from their variables [tools-8.1, tools-8.2, tools-8.3, tools-8.4]', async () => {
    expect((await load()).config.runs).toMatchObject({
      enabled: true,
      maxIterations: 5,
      commitOnPass: true,
      branchPrefix: 'ralph/',
      maxParallel: 3,
      maxActiveRuns: 50,
      maxRunSeconds: 86_400,
      commitProgress: false,
      bundleMaxBytes: 67_108_864,
      retentionDays: 365,
    });
    const env = {
      RALPH_ENABLED: '0',
      RALPH_MAX_ITERATIONS: '9',
      RALPH_COMMIT_ON_PASS: '0',
      RALPH_BRANCH_PREFIX: 'work/',
    };
    const own = { enabled: false, maxIterations: 9, commitOnPass: false, branchPrefix: 'work/' };
    expect((await load({ env })).config.runs).toMatchObject(own);
  });

  it.each([
    ['RALPH_ENABLED', 'yes'],
    ['RALPH_MAX_ITERATIONS', '0'],
    ['RALPH_MAX_ITERATIONS', '101'],
    ['RALPH_COMMIT_ON_PASS', '2'],
    ['RALPH_BRANCH_PREFIX', '-x/'],
    ['RALPH_BRANCH_PREFIX', 'a..b/'],
  ])('%s=%s stops the start', async (name, value) => {
    expect(await refusal({ env: { [name]: value } })).toMatch(/ralph/i);
  });
});

describe('settings of the service', () => {
  it('has the defaults of the specification [choices-1.29, choices-1.30, choices-1.49, choices-1.33, choices-1.37, choices-1.38, core-5.8.4]', async () => {
    const { config } = await load({ cwd: '/somewhere' });
    expect(config).toMatchObject({
      port: 8000,
      mcpPort: 9000,
      host: '127.0.0.1',
      dataDir: '/somewhere/.switchyard',
      leaseSeconds: 60,
      maxAttempts: 3,
      retentionDays: 30,
      idempotencyHours: 48,
      maxBodyBytes: 1024 * 1024,
      rlsEnabled: true,
    });
  });

  it('takes a flag before the environment, that before the file, that before the default [choices-1.27]', async () => {
    await using folder = await temporaryFolder();
    await writeFile(path.join(folder.path, 'switchyard.yaml'), 'port: 1111\nhost: ::1\nretention_days: 5\n');
    const sources = { cwd: folder.path, env: { PORT: '2222', HOST: '127.0.0.2' }, flags: { port: '3333' } };
    const loaded = await load(sources);
    expect(loaded.config).toMatchObject({ port: 3333, host: '127.0.0.2', retentionDays: 5, maxAttempts: 3 });
    const origins = ['PORT', 'HOST', 'RETENTION_DAYS', 'TASK_MAX_ATTEMPTS'].map(
      (name) => printedSettings(loaded, name)?.origin,
    );
    const file = path.join(folder.path, 'switchyard.yaml');
    expect(origins).toEqual(['flag --port', 'environment HOST', `file ${file}`, 'default']);
  });

  it('reads a file of JSON by its name, and paths in it from its own folder', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'deep', 'own.json');
    await mkdir(path.dirname(file));
    await writeFile(file, JSON.stringify({ data_dir: 'data', trusted_proxies: ['loopback', '10.0.0.0/8'] }));
    const { config } = await load({ configFile: file });
    expect(config.dataDir).toBe(path.join(folder.path, 'deep', 'data'));
    expect(config.trustedProxies).toEqual(['loopback', '10.0.0.0/8']);
  });

  it('takes a variable that is set to nothing for one that is not set', async () => {
    const { config, generatedToken } = await load({ env: { PORT: '', SERVICE_AUTH_TOKEN: '' } });
    expect(config.port).toBe(8000);
    expect(generatedToken).toBeDefined();
  });

  it('takes the slash off the end of BASE_URL, and RETENTION_DAYS and LOG_LEVEL as they are [choices-1.31]', async () => {
    const { config } = await load({
      env: { BASE_URL: 'https://a.example/x/', LOG_LEVEL: 'debug', RETENTION_DAYS: '7' },
    });
    expect(config).toMatchObject({ baseUrl: 'https://a.example/x', logLevel: 'debug', retentionDays: 7 });
  });

  const malformed: [string, Record<string, string>, string][] = [
    ['a port that is no number', { PORT: 'abc' }, 'PORT (environment PORT): "abc" is not allowed; write a port'],
    ['a port beyond the last', { PORT: '65536' }, 'PORT (environment PORT): 65536 is not allowed'],
    ['an address that is none', { BASE_URL: 'example.org' }, 'BASE_URL (environment BASE_URL): "example.org"'],
    ['a flag that is neither true nor false', { RLS_ENABLED: 'yes' }, 'RLS_ENABLED (environment RLS_ENABLED): "yes"'],
    ['a lease of no time', { TASK_LEASE_SECONDS: '0' }, 'write seconds, 1 to 86400'],
    ['a fraction of an attempt', { TASK_MAX_ATTEMPTS: '1.5' }, 'write a whole number, 1 to 20'],
    ['a proxy that is no address', { TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
    ['a level that is none', { LOG_LEVEL: 'loud' }, 'write fatal, error, warn'],
    ['a policy that nobody decides', { POLICY_LOCAL_MODE: 'false' }, 'needs a policy server: set POLICY_URL'],
    ['a policy server of no known protocol', { POLICY_URL: 'ftp://opa' }, 'POLICY_URL (environment POLICY_URL)'],
    ['a policy server with a password', { POLICY_URL: 'http://u:hush@opa' }, 'POLICY_URL (environment POLICY_URL)'],
    ['a policy path that is none', { POLICY_URL: 'http://opa', POLICY_PATH: 'allow' }, 'write a path that begins'],
    ['a token with a blank', { SERVICE_AUTH_TOKEN: 'my token with a blank' }, 'its value is not allowed'],
    ['a token of 15 characters', { SERVICE_AUTH_TOKEN: 'hush-hush-15-ch' }, 'write 16 to 8192 printable ASCII'],
    ['a database that is none', { DATABASE_URL: 'mysql://u:hush@h/d' }, 'write postgresql://login:password@host'],
  ];
  it.each(malformed)('refuses %s in one line that says what is allowed [choices-1.39]', async (_, env, expected) => {
    const line = await refusal({ env });
    expect(line).toContain(expected);
    expect(line).not.toContain('hush');
    expect(line).not.toContain('my token');
  });

  it('refuses an unknown key, naming the file and the known ones [choices-1.39]', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'switchyard.yaml');
    await writeFile(file, 'prot: 1\n');
    const line = await refusal({ cwd: folder.path });
    expect(line).toBe(`Unknown setting "prot" (file ${file}); the settings are ${line.split('the settings are ')[1]}`);
    expect(line).toContain('port, host, base_url');
  });

  it.each([
    ['a list', '- port\n', 'is not a mapping'],
    ['broken YAML', 'port: [1\nsecret: hush', 'is neither YAML nor JSON'],
  ])('refuses a file that is %s without quoting it', async (_, text, expected) => {
    await using folder = await temporaryFolder();
    await writeFile(path.join(folder.path, 'switchyard.yaml'), text);
    const line = await refusal({ cwd: folder.path });
    expect(line).toContain(expected);
    expect(line).not.toContain('hush');
  });

  it('refuses a named file that is not there', async () => {
    expect(await refusal({ configFile: '/nowhere/at-all.yaml' })).toContain('cannot be read');
  });
});

describe('secrets', () => {
  it('come from a file that environment, flag or config file names [choices-1.58]', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'token');
    await writeFile(file, 'a-token-from-a-file\n');
    const byEnv = await load({ env: { SERVICE_AUTH_TOKEN_FILE: file } });
    const byFlag = await load({
      env: { SERVICE_AUTH_TOKEN: 'weighs-less-than-the-flag' },
      flags: { service_auth_token_file: file },
    });
    await writeFile(path.join(folder.path, 'switchyard.yaml'), 'service_auth_token_file: token\n');
    const byFile = await load({ cwd: folder.path });
    for (const { config, generatedToken } of [byEnv, byFlag, byFile]) {
      expect(config.tokens[0]).toMatchObject({ token: 'a-token-from-a-file', role: 'admin', tenantId: 'default' });
      expect(generatedToken).toBeUndefined();
    }
  });

  it('are refused in both forms at once, and from an empty or missing file', async () => {
    await using folder = await temporaryFolder();
    const empty = path.join(folder.path, 'empty');
    await writeFile(empty, '\n');
    const both = { SERVICE_AUTH_TOKEN: 'a', SERVICE_AUTH_TOKEN_FILE: empty };
    await writeFile(path.join(folder.path, 'full'), 'x');
    expect(await refusal({ env: { ...both, SERVICE_AUTH_TOKEN_FILE: path.join(folder.path, 'full') } })).toContain(
      'given twice',
    );
    expect(await refusal({ env: { SERVICE_AUTH_TOKEN_FILE: empty } })).toContain('is empty');
    expect(await refusal({ env: { SERVICE_AUTH_TOKEN_FILE: '/nowhere/token' } })).toContain('cannot be read');
  });

  it('are masked in what config print shows [choices-1.28]', async () => {
    const env = {
      SERVICE_AUTH_TOKEN: long('hush'),
      A2A_AUTH_TOKENS: `ci:${long('hush2')}`,
      DATABASE_URL: 'postgresql://u:hush3@h/d',
    };
    const loaded = await load({ env });
    expect(JSON.stringify(loaded.shown)).not.toContain('hush');
    expect(printedSettings(loaded, 'DATABASE_URL')).toMatchObject({ value: '***', origin: 'environment DATABASE_URL' });
    expect(printedSettings(loaded, 'MIGRATION_DATABASE_URL')).toMatchObject({ value: null, origin: 'default' });
  });

  it('of the service: a token is made from host name and time under a random key when none is set [core-5.3.2]', async () => {
    const { generatedToken, config } = await load();
    expect(generatedToken).toMatch(/^[\w-]{43}$/);
    expect(config.tokens[0]?.token).toBe(generatedToken);
    const others = await Promise.all([
      load({ randomBytes: (size) => new Uint8Array(size).fill(8) }),
      load({ hostname: 'another' }),
      load({ now: () => 0 }),
    ]);
    expect(new Set([generatedToken, ...others.map((other) => other.generatedToken)]).size).toBe(4);
  });

  it('of the service: a set token is an admin of the tenant default, and none is made [core-5.3, choices-4.3]', async () => {
    const { config, generatedToken } = await load({ env: { SERVICE_AUTH_TOKEN: long('fixed') } });
    expect(generatedToken).toBeUndefined();
    expect(config.tokens).toEqual([
      { name: 'service', token: long('fixed'), role: 'admin', tenantId: 'default', credential: 'service_token' },
    ]);
  });
});

describe('A2A_AUTH_TOKENS', () => {
  const parsed = async (list: string): Promise<unknown[]> =>
    (await load({ env: { A2A_AUTH_TOKENS: list } })).config.tokens.slice(1);

  it('is a comma list of name:token, with role and tenant if wanted [core-5.4.3, choices-4.1, choices-4.2]', async () => {
    expect(
      await parsed(`ci:${long('abc')}, bob:${long('d@f:g')}@viewer,eve:${long('x=/y')}@agent/tenant-2`),
    ).toMatchObject([
      { name: 'ci', token: long('abc'), role: 'operator', tenantId: 'default', credential: 'shared_token' },
      { name: 'bob', token: long('d@f:g'), role: 'viewer', tenantId: 'default' },
      { name: 'eve', token: long('x=/y'), role: 'agent', tenantId: 'tenant-2' },
    ]);
  });

  it.each([
    ['no name', 'hush', 'entry 1 has no ":"'],
    ['a bad name', 'a b:hush', 'entry 1: the name before'],
    ['an empty token', `ok:${long('fine')},ci:@viewer`, 'entry 2 has an empty token'],
    ['a token with a blank', 'ci:hush hush', 'entry 1: a token must be printable'],
    ['a token of 15 characters', `ok:${long('fine')},ci:hush-hush-15-ch@viewer`, 'entry 2 ("ci"): a token must have'],
    ['a token where the name should be', `${long('hush')}:ci@viewer`, 'entry 1: a token must have at least 16'],
    ['an unknown role', `ci:${long('hush')}@king`, 'must be a role: admin, operator, editor, viewer, agent'],
    ['a bad tenant', `ci:${long('hush')}@viewer/No`, 'a tenant is 1 to 63'],
    ['the tenant of the system', `ci:${long('hush')}@viewer/system`, 'a tenant is 1 to 63'],
    ['a name twice', `ci:${long('hush')},ci:${long('hush2')}`, 'The token name "ci" is used twice'],
    ['the name of the service token', `service:${long('hush')}`, 'The token name "service" is used twice'],
    ['a token twice', `ci:${long('hush')},cd:${long('hush')}`, 'The tokens "ci" and "cd" are the same'],
  ])('is refused with %s, and the token is not printed', async (_, list, expected) => {
    const line = await refusal({ env: { A2A_AUTH_TOKENS: list } });
    expect(line).toContain(expected);
    expect(line).not.toContain('hush');
  });

  it('may not repeat the service token', async () => {
    const env = { SERVICE_AUTH_TOKEN: long('hush'), A2A_AUTH_TOKENS: `ci:${long('hush')}` };
    expect(await refusal({ env })).toBe(
      'The tokens "service" and "ci" are the same; each name needs a token of its own',
    );
  });
});
