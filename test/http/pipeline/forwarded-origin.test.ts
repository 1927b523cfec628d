// Facts of a request that proxies forward: accepted from those of TRUSTED_PROXIES, and from nobody else. choices-1.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceConfig } from '../../../src/server/config/service-config.ts';
import { openService, type TestService, type TestServiceOptions } from '../../support/service.ts';

let plain: TestService;
beforeAll(async () => {
  plain = await openService();
});
afterAll(() => plain[Symbol.asyncDispose]());

const forwarded = {
  'x-forwarded-for': '198.51.100.7',
  'x-forwarded-host': 'agents.example:8443',
  'x-forwarded-proto': 'https',
};

/** The address in the agent card, as clients get it who read it through these headers. */
async function cardAddress(service: TestService, headers: Record<string, string>): Promise<unknown> {
  const { body } = await service.call('GET', '/.well-known/agent-card.json', { headers });
  return body.url;
}

function behind(config: Partial<ServiceConfig>): Promise<TestService> {
  const options: TestServiceOptions = { config: { trustedProxies: ['loopback'], ...config }, db: plain.db };
  return openService(options);
}

describe('the public address', () => {
  it('is the origin that a trusted proxy forwards, if BASE_URL is not set [choices-1.47]', async () => {
    await using service = await behind({});
    expect(await cardAddress(service, forwarded)).toBe('https://agents.example:8443/a2a/jsonrpc');
    expect(await cardAddress(service, { ...forwarded, 'x-forwarded-proto': 'http' })).toBe(
      'http://agents.example:8443/a2a/jsonrpc',
    );
    // The nearest proxy's word counts, not what a client wrote before it.
    const listed = { ...forwarded, 'x-forwarded-host': 'evil.example, agents.example' };
    expect(await cardAddress(service, listed)).toBe('https://agents.example/a2a/jsonrpc');
    const body = { jsonrpc: '2.0', id: 1, method: 'agent/getAuthenticatedExtendedCard' };
    const extended = await service.call('POST', '/a2a/jsonrpc', { headers: forwarded, body });
    expect(extended.body.result.url).toBe('https://agents.example:8443/a2a/jsonrpc');
  });

  it('is not taken from any other client [choices-1.47]', async () => {
    const own = `${plain.url}/a2a/jsonrpc`;
    expect(await cardAddress(plain, forwarded)).toBe(own);
    await using service = await behind({ trustedProxies: ['10.0.0.0/8'] });
    expect(await cardAddress(service, forwarded)).toBe(`${service.url}/a2a/jsonrpc`);
  });

  it('is not taken from an invalid host or from incomplete headers', async () => {
    await using service = await behind({});
    const own = `${service.url}/a2a/jsonrpc`;
    for (const host of ['a b', 'a/b', 'user@evil.example', 'evil.example#', 'evil.example?x=', 'a:b:c', '"', '%00']) {
      const headers = { ...forwarded, 'x-forwarded-host': host };
      expect({ host, url: await cardAddress(service, headers) }).toEqual({ host, url: own });
    }
    expect(await cardAddress(service, { ...forwarded, 'x-forwarded-proto': 'javascript' })).toBe(own);
    expect(await cardAddress(service, { 'x-forwarded-host': 'agents.example' })).toBe(own);
    expect(await cardAddress(service, { 'x-forwarded-for': '198.51.100.7' })).toBe(own);
  });

  it('is BASE_URL if that is set', async () => {
    await using service = await behind({ baseUrl: 'https://sw.example/x' });
    expect(await cardAddress(service, forwarded)).toBe('https://sw.example/x/a2a/jsonrpc');
  });
});
