// Forged access tokens: 401 each, in the same words, and nobody is asked at an address that a token names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply } from '../../support/service.ts';
import { forgeries, type Forgery } from '../../support/peers/forged-tokens.ts';
import {
  makeSigningKey,
  openDecoy,
  openProvider,
  type Decoy,
  type TestProvider,
} from '../../support/peers/identity-provider.ts';

let service: TestService;
let provider: TestProvider;
let decoy: Decoy;
let forged: Forgery[];
beforeAll(async () => {
  provider = await openProvider('RS256');
  const [rsa] = provider.keys;
  if (rsa === undefined) throw new Error('no key');
  const ec = await makeSigningKey('ES256', 'ec');
  const own = await makeSigningKey('RS256', 'own');
  decoy = await openDecoy([own]);
  provider.keys = [rsa, ec];
  const shared = { kty: 'oct', kid: 'shared', alg: 'HS256', k: Buffer.alloc(32, 1).toString('base64url') };
  provider.jwks = () => ({ keys: [rsa.jwk, ec.jwk, shared] });
  forged = await forgeries(provider, { rsa, ec, attackerKey: own }, decoy.url);
  service = await openService({
    config: {
      oidc: {
        issuer: provider.issuer,
        audiences: [provider.audience, 'https://switchyard.example'],
        tenantClaim: 'tenant_id',
        rolesClaim: 'roles',
      },
      // Each call comes from an address of its own, because wrong tokens are throttled.
      trustedProxies: ['loopback'],
    },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await decoy[Symbol.asyncDispose]();
});

let calls = 0;
function call(token: string, method = 'GET', path = '/v1/agent/tasks', body?: unknown): Promise<ApiReply> {
  calls += 1;
  const headers = { 'x-forwarded-for': `198.51.${calls >> 8}.${calls & 255}` };
  return service.call(method, path, { token, headers, body });
}

/** An answer without the parts that differ from one answer to the next. */
function plain({ status, headers, body }: ApiReply): unknown {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, headers: kept, text: JSON.stringify({ ...body, request_id: '' }) };
}

describe('a forged access token', () => {
  it('would be a good one without its flaw', async () => {
    for (const key of provider.keys) expect((await call(await provider.token({}, { key }))).status).toBe(200);
    const odd = { header: { jku: `${decoy.url}/jwks`, x5u: `${decoy.url}/cert.pem`, typ: 'JWT' } };
    expect((await call(await provider.token({ aud: ['a', 'https://switchyard.example'] }, odd))).status).toBe(200);
  });

  it('is 401, in the same words byte for byte, whatever is wrong with it; no address of a token is asked [core-5.2]', async () => {
    const reference = plain(await call('no token at all'.replaceAll(' ', '-')));
    expect(reference).toMatchObject({ status: 401 });
    expect(forged.length).toBeGreaterThan(90);
    for (const { what, token } of forged) {
      expect({ what, answer: plain(await call(token)) }).toEqual({ what, answer: reference });
    }
    expect(decoy.visits).toBe(0);
    // The first token and one unknown key id: more is not asked in this half minute.
    expect(provider.requestsTo('/jwks')).toBe(2);
    expect(provider.requests).toBe(
      provider.requestsTo('/jwks') + provider.requestsTo('/.well-known/openid-configuration'),
    );
  });

  it('is rejected by the RPC endpoints too, and creates nothing', async () => {
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] };
    const body = { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } };
    for (const { what, token } of forged) {
      const { status, body: problem } = await call(token, 'POST', '/a2a/jsonrpc', body);
      expect({ what, status, code: problem.code }).toEqual({ what, status: 401, code: 'unauthenticated' });
    }
    expect(await service.db.query('select 1 from tasks')).toEqual([]);
    expect(await service.db.query('select 1 from users')).toEqual([]);
  });

  it('is throttled like any wrong token, and who has a good one is not', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const callWith = (token: string): Promise<ApiReply> => service.call('GET', '/v1/agent/tasks', { token, headers });
    const good = await provider.token();
    expect((await callWith(good)).status).toBe(200);
    const statuses = new Set<number>();
    for (const { token } of forged) statuses.add((await callWith(token)).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await callWith(good)).status).toBe(200);
    expect((await service.call('GET', '/v1/agent/tasks', { headers })).status).toBe(200);
  });
});
