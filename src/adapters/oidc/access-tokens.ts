// Verifies access tokens of an identity provider with its public keys. core-5.4, choices-1 and choices-4.
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { DomainError, unauthenticated } from '../../domain/model/errors.ts';
import type { TokenProvider } from '../../domain/ports/token-provider.ts';
import { callerFromClaims, type ClaimNames } from './claims.ts';
import { sha256 } from '../../lib/digest.ts';
import { ProviderKeys, type ProviderKeysOptions } from './provider-keys.ts';

export interface AccessTokensOptions extends ProviderKeysOptions, ClaimNames {
  /** A token must name one of these as its audience. */
  readonly audiences: readonly string[];
  /** Milliseconds since 1970; the times in a token are compared with it. */
  readonly now: () => number;
  readonly isTenant: (tenantId: string) => Promise<boolean>;
}

/** Asymmetric algorithms alone: with an HMAC algorithm, a public key could be abused as the shared secret. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** Accepted values of `typ`: other tokens that the provider signs (logout, security events) are not bearer tokens. */
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);
/** Seconds by which the clocks of provider and service may differ. */
const clockTolerance = 30;

/** Sends no request to the provider before the first token, so that start-up does not depend on it. */
export function accessTokens(options: AccessTokensOptions): TokenProvider {
  const keys = new ProviderKeys(options);
  const cache = new VerifiedTokenCache();
  return {
    async verify(token) {
      const claims = await verifyToken(token, keys, cache, options);
      return callerFromClaims(claims, options, options.isTenant);
    },
  };
}

/** The claims of a token with a valid signature, issuer, audience and time. @throws DomainError unauthenticated, unavailable */
async function verifyToken(
  token: string,
  keys: ProviderKeys,
  cache: VerifiedTokenCache,
  options: AccessTokensOptions,
): Promise<JWTPayload> {
  const { issuer, audiences, now } = options;
  try {
    const known = cache.find(token);
    if (known === undefined) rejectForeignTokens(token, issuer);
    const { inUse, keyFor } = await keys.forToken();
    if (known?.keys === inUse && isCurrent(known.claims, now())) return known.claims;
    const { payload } = await jwtVerify(token, keyFor, {
      algorithms,
      issuer,
      audience: [...audiences],
      clockTolerance,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub'],
    });
    cache.add(token, { claims: payload, keys: inUse });
    return payload;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw unauthenticated(error);
  }
}

/** Whether a token that was valid before is still valid: of all that was verified, only the time changes. */
function isCurrent({ exp = 0 }: JWTPayload, nowMs: number): boolean {
  return exp > Math.floor(nowMs / 1000) - clockTolerance;
}

/** Rejects tokens of other issuers and kinds before any key is fetched. @throws JOSEError, TypeError */
function rejectForeignTokens(token: string, issuer: string): void {
  const { crit, typ } = decodeProtectedHeader(token);
  // No critical extension is supported here. The library supports one, for signatures over unencoded payloads.
  if (crit !== undefined) throw new errors.JWTInvalid('it has critical extensions');
  if (!types.has(typ?.toLowerCase())) throw new errors.JWTInvalid('it is another kind of token');
  if (decodeJwt(token).iss !== issuer) throw new errors.JWTInvalid('another issuer made it');
}

interface VerifiedToken {
  readonly claims: JWTPayload;
  /** The keys that verified the token; it is verified again with other keys. */
  readonly keys: object;
}

/** Each entry holds the claims, about a kilobyte. */
const maxTokens = 5_000;

/**
 * A cache of verified tokens: verifying a signature costs 200 to 400 µs of CPU, a lookup a few. Holds verified tokens
 * only, so that invalid tokens cannot evict any.
 */
class VerifiedTokenCache {
  /** Keyed by the token's digest, the oldest first. */
  readonly #tokens = new Map<string, VerifiedToken>();

  find(token: string): VerifiedToken | undefined {
    return this.#tokens.get(sha256(token, 'base64'));
  }

  add(token: string, verified: VerifiedToken): void {
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size >= maxTokens && oldest !== undefined) this.#tokens.delete(oldest);
    this.#tokens.set(sha256(token, 'base64'), verified);
  }
}
