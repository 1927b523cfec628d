// The policy that decides: by which settings, and what the start prints of it.
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config/config.ts';
import type { ServiceConfig } from '../../../src/server/config/service-config.ts';
import { configWarnings, startMessage, startRecord, type StartFacts } from '../../../src/server/start/start-message.ts';
import { openService } from '../../support/service.ts';
import { FaultyPolicyServer } from '../../support/peers/faulty-policy-server.ts';

async function configWith(env: Record<string, string>): Promise<ServiceConfig> {
  const { config } = await loadConfig({
    flags: {},
    configFile: undefined,
    env,
    cwd: '/nowhere',
    hostname: 'testhost',
    now: () => 0,
    randomBytes: (size) => new Uint8Array(size).fill(7),
  });
  return config;
}

async function startMessageWith(env: Record<string, string>): Promise<string> {
  const config = await configWith(env);
  const facts: StartFacts = {
    config,
    version: '1.2.0',
    url: 'http://127.0.0.1:8000',
    toolUrl: 'http://127.0.0.1:9000/mcp',
    database: 'a database',
    generatedToken: undefined,
    warnings: configWarnings(config),
  };
  expect(startRecord(facts)).toMatchObject({ policy: config.policy });
  return startMessage(facts).join('\n');
}

const url = 'http://10.0.0.7:8181';
const remote: Record<string, string>[] = [{ POLICY_URL: url }, { POLICY_URL: `${url}/`, POLICY_LOCAL_MODE: 'false' }];

describe('the policy', () => {
  it('is decided in process with POLICY_LOCAL_MODE=true, and without either setting; the start says which [core-5.7]', async () => {
    expect((await configWith({ POLICY_LOCAL_MODE: 'true' })).policy).toEqual({ mode: 'local', why: 'asked' });
    expect((await configWith({})).policy).toEqual({ mode: 'local', why: 'default' });
    expect(await startMessageWith({ POLICY_LOCAL_MODE: 'true' })).toMatch(/policy +local mode: .* in this process\n/);
    expect(await startMessageWith({})).toContain('(neither POLICY_LOCAL_MODE nor POLICY_URL is set)');
  });

  it.each(remote)(
    'is decided at POLICY_URL + /v1/data/switchyard/authz/allow with %j, be the address private [core-5.7.2, choices-1.22]',
    async (env) => {
      const decision = `${url}/v1/data/switchyard/authz/allow`;
      expect((await configWith(env)).policy).toEqual({ mode: 'sidecar', url: decision });
      expect(await startMessageWith(env)).toContain(`policy server: permissions are decided by ${decision}`);
    },
  );

  it('is decided at POLICY_PATH where that is set, behind the path of the base address [choices-1.22]', async () => {
    const env = { POLICY_URL: 'https://opa.example/base/', POLICY_PATH: '/v1/data/ours/allow' };
    expect((await configWith(env)).policy).toEqual({
      mode: 'sidecar',
      url: 'https://opa.example/base/v1/data/ours/allow',
    });
  });

  it('is local where both are set, and the start warns of it', async () => {
    const env = { POLICY_URL: url, POLICY_LOCAL_MODE: 'true' };
    expect((await configWith(env)).policy).toEqual({ mode: 'local', why: 'wins_over_url' });
    expect(await startMessageWith(env)).toMatch(
      /WARNING +POLICY_LOCAL_MODE=true and POLICY_URL are both set: the local mode wins/,
    );
  });

  it('is answered by GET /v1/auth/status', async () => {
    await using server = await FaultyPolicyServer.start();
    await using local = await openService();
    await using sidecarService = await openService({ config: { policy: { mode: 'sidecar', url: server.url } } });
    const modes = await Promise.all(
      [local, sidecarService].map(async (service) => (await service.call('GET', '/v1/auth/status')).body.policy.mode),
    );
    expect(modes).toEqual(['local', 'sidecar']);
  });
});
