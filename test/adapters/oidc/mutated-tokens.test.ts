// Access tokens changed at random: refused, or what they were. Nothing else may come of them.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessTokens } from '../../../src/adapters/oidc/access-tokens.ts';
import type { Caller } from '../../../src/domain/model/access/caller.ts';
import { DomainError } from '../../../src/domain/model/errors.ts';
import type { TokenProvider } from '../../../src/domain/ports/token-provider.ts';
import {
  makeSigningKey,
  openProvider,
  type SigningKey,
  type TestProvider,
} from '../../support/peers/identity-provider.ts';

const numRuns = process.env['SCALE'] === 'full' ? 50_000 : 2_000;

let provider: TestProvider;
let own: SigningKey;
let tokens: TokenProvider;
beforeAll(async () => {
  provider = await openProvider('ES256');
  own = await makeSigningKey('ES256', 'own');
  tokens = accessTokens({
    issuer: provider.issuer,
    audiences: [provider.audience],
    tenantClaim: 'tenant_id',
    rolesClaim: 'roles',
    fetch,
    egress: { send: () => Promise.reject(new Error('nobody is asked')) },
    isTenant: () => Promise.resolve(true),
    now: Date.now,
    elapsedMs: () => performance.now(),
    log: () => {},
  });
});
afterAll(() => provider[Symbol.asyncDispose]());

async function outcome(token: string): Promise<Caller | string> {
  try {
    return await tokens.verify(token);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

/** Signed with the forger's own key. */
async function signature(input: string): Promise<string> {
  const bytes = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, own.privateKey, Buffer.from(input));
  return Buffer.from(bytes).toString('base64url');
}

describe('an access token', () => {
  it(
    'with any part of it changed is refused, or has the claims that it had before',
    async () => {
      const token = await provider.token();
      const caller = await outcome(token);
      expect(caller).toMatchObject({ subject: 'oidc:somebody' });
      const letters = fc.string({
        unit: fc.constantFrom('a', 'b', 'Y', 'Z', '0', '9', '-', '_', '.', '=', '+', '/', ' '),
        maxLength: 4,
      });
      await fc.assert(
        fc.asyncProperty(fc.nat(token.length), fc.nat(4), letters, async (at, gone, put) => {
          const changed = `${token.slice(0, at)}${put}${token.slice(at + gone)}`;
          const found = await outcome(changed);
          // The last letter of base64 has bits that stand for nothing.
          if (found !== 'unauthenticated') expect({ changed, found }).toEqual({ changed, found: caller });
        }),
        { numRuns },
      );
    },
    numRuns * 60,
  );

  it(
    'of another key is refused, whatever its header and its claims say',
    async () => {
      const header = fc.dictionary(
        fc.constantFrom('alg', 'kid', 'typ', 'jwk', 'jku', 'x5c', 'x5u', 'crit', 'b64', 'cty', 'enc', 'zip'),
        fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('first', 'none', 'RS256', 'HS256', 'JWT', own.jwk)),
      );
      const claims = fc.dictionary(
        fc.constantFrom('iss', 'aud', 'exp', 'nbf', 'sub', 'tenant_id', 'roles'),
        fc.jsonValue({ maxDepth: 2 }),
      );
      const [, body = ''] = (await provider.token()).split('.');
      const usual: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString());
      const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      await fc.assert(
        fc.asyncProperty(header, claims, async (head, payload) => {
          const input = `${part({ alg: 'ES256', kid: 'first', ...head })}.${part({ ...usual, ...payload })}`;
          expect(await outcome(`${input}.${await signature(input)}`)).toBe('unauthenticated');
        }),
        { numRuns },
      );
    },
    numRuns * 60,
  );
});
