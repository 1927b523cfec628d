// The provider's keys: when they are fetched and how often, rotation, outage, wrong words. A real server, our clock.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessTokens, type AccessTokensOptions } from '../../../src/adapters/oidc/access-tokens.ts';
import type { TokenProvider } from '../../../src/domain/ports/token-provider.ts';
import { makeSigningKey, openProvider, TestProvider } from '../../support/peers/identity-provider.ts';

const second = 1_000;
const minute = 60 * second;
const jwks = '/jwks';
const discovery = '/.well-known/openid-configuration';

let provider: TestProvider;
let clock: number;
let log: string[];
let elsewhere: string[];
beforeEach(async () => {
  provider = await openProvider('ES256');
  clock = Date.now();
  log = [];
  elsewhere = [];
});
afterEach(() => provider[Symbol.asyncDispose]());

function verifier(overrides: Partial<AccessTokensOptions> = {}): TokenProvider {
  return accessTokens({
    issuer: provider.issuer,
    audiences: [provider.audience],
    tenantClaim: 'tenant_id',
    rolesClaim: 'roles',
    fetch,
    egress: {
      send: ({ url }) => {
        elsewhere.push(url);
        return Promise.resolve({ outcome: 'refused', reason: 'The address is not public.' });
      },
    },
    isTenant: () => Promise.resolve(true),
    now: () => clock,
    elapsedMs: () => clock,
    log: (line) => void log.push(line),
    ...overrides,
  });
}

/** The outcome of a token: the subject of its caller, or the code of the refusal. */
async function outcome(verified: Promise<{ subject: string }>): Promise<string> {
  try {
    return (await verified).subject;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** A token that is good for hours of our clock. */
const lasting = (sub = 'somebody'): Promise<string> =>
  provider.token({ sub, exp: Math.floor(clock / second) + 86_400 });

describe('the keys', () => {
  it('are fetched when the first token comes, and once for all that come then', async () => {
    const tokens = verifier();
    expect(provider.requests).toBe(0);
    const callers = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => tokens.verify(await lasting(`s${i}`))),
    );
    expect(new Set(callers.map(({ subject }) => subject)).size).toBe(100);
    expect([provider.requestsTo(discovery), provider.requestsTo(jwks)]).toEqual([1, 1]);
  });

  it('are fetched anew after five minutes: a key taken out is refused from then on', async () => {
    const tokens = verifier();
    const old = await lasting();
    expect(await outcome(tokens.verify(old))).toBe('oidc:somebody');
    provider.keys = [await makeSigningKey('ES256', 'second')];
    clock += 4 * minute;
    expect(await outcome(tokens.verify(old))).toBe('oidc:somebody');
    clock += minute;
    expect(await outcome(tokens.verify(old))).toBe('unauthenticated');
    expect(provider.requestsTo(jwks)).toBe(2);
  });

  it('prove a token once; it ends all the same when its time is over', async () => {
    const tokens = verifier();
    const token = await provider.token({ exp: Math.floor(clock / second) + 60 });
    for (const wait of [0, 59, 29]) {
      clock += wait * second;
      expect(await outcome(tokens.verify(token))).toBe('oidc:somebody');
    }
    clock += 3 * second;
    expect(await outcome(tokens.verify(token))).toBe('unauthenticated');
    expect(provider.requestsTo(jwks)).toBe(1);
  });

  it('are fetched anew at once for an unknown key id: a new key is accepted with its first token [choices-1.24]', async () => {
    const tokens = verifier();
    await tokens.verify(await lasting());
    provider.keys = [await makeSigningKey('EdDSA', 'second'), ...provider.keys];
    const fresh = await lasting('fresh');
    expect(await outcome(tokens.verify(fresh))).toBe('oidc:fresh');
    provider.keys = provider.keys.slice(1);
    expect(await outcome(tokens.verify(await lasting('old')))).toBe('oidc:old');
    expect(provider.requestsTo(jwks)).toBe(2);
  });

  it('that were fetched for a token are not fetched again for it', async () => {
    const stranger = await makeSigningKey('ES256', 'x');
    expect(await outcome(verifier().verify(await provider.token({}, { key: stranger })))).toBe('unauthenticated');
    expect(provider.requestsTo(jwks)).toBe(1);
  });

  it('are refetched for unknown key ids at most every 30 seconds, whatever ids they are [choices-1.24]', async () => {
    const tokens = verifier();
    await tokens.verify(await lasting());
    const stranger = await makeSigningKey('ES256', 'x');
    const forged = async (kid: string): Promise<string> =>
      outcome(tokens.verify(await provider.token({}, { key: { ...stranger, kid } })));
    for (let i = 0; i < 20; i += 1) expect(await forged(`kid-${i}`)).toBe('unauthenticated');
    expect(provider.requestsTo(jwks)).toBe(2);
    clock += 29 * second;
    expect(await forged('later')).toBe('unauthenticated');
    expect(provider.requestsTo(jwks)).toBe(2);
    clock += second;
    expect(await forged('later still')).toBe('unauthenticated');
    expect(provider.requestsTo(jwks)).toBe(3);
  });

  it('are fetched once for a hundred unknown key ids at the same moment [choices-1.24]', async () => {
    const tokens = verifier();
    await tokens.verify(await lasting());
    provider.keys = [await makeSigningKey('ES256', 'second'), ...provider.keys];
    const stranger = await makeSigningKey('ES256', 'x');
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 2 === 0 ? lasting('fresh') : provider.token({}, { key: { ...stranger, kid: `kid-${i}` } }),
      ),
    );
    const outcomes = await Promise.all(results.map((token) => outcome(tokens.verify(token))));
    expect(provider.requestsTo(jwks)).toBe(2);
    expect(outcomes).toEqual(results.map((_, i) => (i % 2 === 0 ? 'oidc:fresh' : 'unauthenticated')));
  });

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'may be of %s',
    async (alg) => {
      provider.keys = [await makeSigningKey(alg, alg), ...provider.keys];
      expect(await outcome(verifier().verify(await lasting()))).toBe('oidc:somebody');
    },
  );

  it('come from where discovery says now, after the old place is gone', async () => {
    const tokens = verifier();
    await tokens.verify(await lasting());
    provider.discovery = { jwks_uri: `${provider.issuer}/jwks?moved` };
    provider.break((_request, response) => void response.writeHead(410).end(), ['/jwks']);
    clock += 6 * minute;
    expect(await outcome(tokens.verify(await lasting()))).toBe('oidc:somebody');
    provider.mend();
    clock += minute;
    expect(await outcome(tokens.verify(await lasting()))).toBe('oidc:somebody');
    expect(provider.requestsTo(discovery)).toBe(2);
  });
});

describe('a provider that is down', () => {
  it('is not needed for the keys that are known, for one hour and no longer', async () => {
    const tokens = verifier();
    const token = await lasting();
    await tokens.verify(token);
    provider.break('cut');
    for (const wait of [10, 20, 29]) {
      clock += wait * minute;
      expect(await outcome(tokens.verify(token))).toBe('oidc:somebody');
    }
    clock += minute;
    expect(await outcome(tokens.verify(token))).toBe('identity_provider_unavailable');
    provider.mend();
    clock += 5 * second;
    expect(await outcome(tokens.verify(token))).toBe('oidc:somebody');
    expect(log).toContain('failed to fetch the keys of the identity provider; cached keys are used for up to an hour');
  });

  it('makes a token of an unknown key 503 with a time to wait, never an allow; and is left in peace', async () => {
    const tokens = verifier();
    await tokens.verify(await lasting());
    provider.keys = [await makeSigningKey('ES256', 'second')];
    provider.break('cut');
    const fresh = await lasting('fresh');
    for (let i = 0; i < 20; i += 1) {
      await expect(tokens.verify(fresh)).rejects.toMatchObject({
        kind: 'unavailable',
        code: 'identity_provider_unavailable',
        retryAfterSeconds: expect.any(Number),
      });
    }
    expect(provider.requestsTo(jwks)).toBe(2);
    provider.mend();
    clock += 30 * second;
    expect(await outcome(tokens.verify(fresh))).toBe('oidc:fresh');
  });

  it('is asked at most every 5 seconds while no key is known', async () => {
    const tokens = verifier();
    provider.break('cut');
    const token = await lasting();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcome(tokens.verify(token))));
    expect(new Set(outcomes)).toEqual(new Set(['identity_provider_unavailable']));
    expect(provider.requestsTo(discovery)).toBe(1);
    clock += 4 * second;
    await outcome(tokens.verify(token));
    expect(provider.requestsTo(discovery)).toBe(1);
    clock += second;
    provider.mend();
    expect(await outcome(tokens.verify(token))).toBe('oidc:somebody');
  });

  it('that says nothing holds nobody longer than its deadline of two seconds', async () => {
    const tokens = verifier();
    const token = await lasting();
    provider.break('silent', [discovery]);
    expect(await outcome(tokens.verify(token))).toBe('identity_provider_unavailable');
    provider.mend();
    // The body may be what does not come.
    provider.break((_request, response) => void response.writeHead(200).write('{"keys":'), [jwks]);
    clock += 5 * second;
    expect(await outcome(tokens.verify(token))).toBe('identity_provider_unavailable');
  });
});

describe('a provider that answers wrongly', () => {
  const wrong: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
    ['a page of HTML', (_, response) => void response.writeHead(200).end('<html>sign in</html>')],
    ['nothing', (_, response) => void response.writeHead(200).end()],
    ['an error', (_, response) => void response.writeHead(500).end('{"keys":[]}')],
    ['no set of keys', (_, response) => void response.writeHead(200).end('{"keys":{}}')],
    ['JSON that is none', (_, response) => void response.writeHead(200).end('{"keys":[')],
    ['megabytes', (_, response) => void response.writeHead(200).end(`{"keys":[],"x":"${'x'.repeat(2 ** 20)}"}`)],
    [
      'a redirect',
      (request, response) =>
        void response.writeHead(302, { location: `http://${request.headers.host ?? ''}/elsewhere` }).end(),
    ],
  ];

  it.each(wrong)('%s in place of keys gives no key, and takes none away', async (_, answer) => {
    const tokens = verifier();
    provider.break(answer, [jwks]);
    expect(await outcome(tokens.verify(await lasting()))).toBe('identity_provider_unavailable');
    provider.mend();
    clock += 5 * second;
    expect(await outcome(tokens.verify(await lasting()))).toBe('oidc:somebody');
    provider.break(answer, [jwks]);
    clock += 6 * minute;
    expect(await outcome(tokens.verify(await lasting()))).toBe('oidc:somebody');
    expect(provider.requestsTo('/elsewhere')).toBe(0);
  });

  it.each(wrong)('%s in place of discovery gives no key', async (_, answer) => {
    provider.break(answer, [discovery]);
    expect(await outcome(verifier().verify(await lasting()))).toBe('identity_provider_unavailable');
    expect(provider.requestsTo('/elsewhere') + provider.requestsTo(jwks)).toBe(0);
  });

  it.each([
    ['another', 'https://elsewhere.example'],
    ['the same with a slash', undefined],
  ])('a discovery document for %s issuer is not believed', async (_, issuer) => {
    provider.discovery = { issuer: issuer ?? `${provider.issuer}/` };
    expect(await outcome(verifier().verify(await lasting()))).toBe('identity_provider_unavailable');
    expect(provider.requestsTo(jwks)).toBe(0);
  });

  it('keys at another origin are asked for through the egress guard, and never without TLS', async () => {
    provider.discovery = { jwks_uri: 'https://keys.example/set' };
    expect(await outcome(verifier().verify(await lasting()))).toBe('identity_provider_unavailable');
    expect(elsewhere).toEqual(['https://keys.example/set']);
    for (const jwksUri of ['http://keys.example/set', 'file:///etc/passwd', 'ftp://keys.example/', 'data:,{}']) {
      provider.discovery = { jwks_uri: jwksUri };
      expect(await outcome(verifier().verify(await lasting()))).toBe('identity_provider_unavailable');
    }
    expect(elsewhere).toHaveLength(1);
  });

  it('keys that the guard lets through from there are taken', async () => {
    provider.discovery = { jwks_uri: 'https://keys.example/set' };
    const body = Buffer.from(JSON.stringify({ keys: provider.keys.map(({ jwk }) => jwk) }));
    const answer = { outcome: 'answered', statusCode: 200, contentType: undefined, body, complete: true } as const;
    const tokens = verifier({ egress: { send: () => Promise.resolve(answer) } });
    expect(await outcome(tokens.verify(await lasting()))).toBe('oidc:somebody');
  });

  it('secret and unknown keys in the set are left out, the others serve', async () => {
    const [good] = provider.keys;
    const secret = { kty: 'oct', kid: 'shared', k: Buffer.alloc(32, 1).toString('base64url'), alg: 'HS256' };
    const odd = [secret, { kty: 'AKP', kid: 'later' }, 'text', null, 7, { kid: 'no type' }];
    provider.jwks = () => ({ keys: [...odd, good?.jwk] });
    expect(await outcome(verifier().verify(await lasting()))).toBe('oidc:somebody');
  });
});
