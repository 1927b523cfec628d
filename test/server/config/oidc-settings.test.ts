// The identity provider as settings: which addresses it may have, what must come with it. choices-1.
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config/config.ts';
import type { OidcConfig } from '../../../src/server/config/oidc-settings.ts';

async function oidc(env: Record<string, string>): Promise<OidcConfig | undefined> {
  const { config } = await loadConfig({
    flags: {},
    configFile: undefined,
    env,
    cwd: '/nowhere',
    hostname: 'testhost',
    now: Date.now,
    randomBytes: (size) => new Uint8Array(size),
  });
  return config.oidc;
}

describe('the identity provider', () => {
  it('is none unless one is named', async () => {
    expect(await oidc({})).toBeUndefined();
  });

  it('has a comma list of audiences, and claims with names of their own [choices-1.44, choices-1.45]', async () => {
    const issuer = { OIDC_ISSUER_URL: 'https://id.example/realms/a', OIDC_AUDIENCE: 'switchyard, https://s.example' };
    expect(await oidc(issuer)).toEqual({
      issuer: 'https://id.example/realms/a',
      audiences: ['switchyard', 'https://s.example'],
      tenantClaim: 'tenant_id',
      rolesClaim: 'roles',
    });
    const claims = { OIDC_TENANT_CLAIM: 'https://id.example/tenant', OIDC_ROLES_CLAIM: 'realm_access.roles' };
    expect(await oidc({ ...issuer, ...claims })).toMatchObject({
      tenantClaim: 'https://id.example/tenant',
      rolesClaim: 'realm_access.roles',
    });
  });

  it.each([
    'https://id.example',
    'https://id.example/',
    'https://10.0.0.7:8443/x',
    'http://localhost:8080/realms/a',
    'http://127.0.0.1',
    'http://127.9.9.9:1/',
    'http://[::1]:9/x',
  ])('%s may be one, and stays as it is written [choices-1.23]', async (issuer) => {
    expect((await oidc({ OIDC_ISSUER_URL: issuer, OIDC_AUDIENCE: 'a' }))?.issuer).toBe(issuer);
  });

  it.each([
    'http://id.example',
    'http://10.0.0.7',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://[::2]/',
    'ftp://id.example',
    'id.example',
    'https://user:word@id.example',
    'https://id.example/?a=b',
    'https://id.example/#a',
    'https://',
  ])('%s stops the start [choices-1.23]', async (issuer) => {
    await expect(oidc({ OIDC_ISSUER_URL: issuer, OIDC_AUDIENCE: 'a' })).rejects.toThrow(/^OIDC_ISSUER_URL \(/);
  });

  it('without an audience stops the start: a token made for somebody else would open this service', async () => {
    await expect(oidc({ OIDC_ISSUER_URL: 'https://id.example' })).rejects.toThrow(
      'OIDC_ISSUER_URL needs OIDC_AUDIENCE',
    );
  });
});
