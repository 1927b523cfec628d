// Access tokens of an identity provider, verified by its public keys. core-5.4, choices-1 and choices-4.
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { DomainError, unauthenticated } from '../../domain/model/errors.ts';
import type { TokenProvider } from '../../domain/ports/token-provider.ts';
import { callerFromClaims, type ClaimNames } from './claims.ts';
import { VerifiedTokenCache } from './verified-token-cache.ts';
import { ProviderKeys, type ProviderKeysOptions } from './provider-keys.ts';

export interface AccessTokensOptions extends ProviderKeysOptions, ClaimNames {
  /** A token must be meant for one of these. */
  readonly audiences: readonly string[];
  /** Milliseconds since 1970: what the times in a token are held against. */
  readonly now: () => number;
  readonly isTenant: (tenantId: string) => Promise<boolean>;
}

/** Public keys alone: with a shared secret, what everybody may read could sign. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** What kind of token this is, where it says so: other things that the provider signs (logout, events) are no bearers. */
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);
/** Seconds that the clocks of provider and service may be apart. */
const clockTolerance = 30;

/** Nothing is asked of the provider before the first token comes: the start does not depend on it. */
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

/** The claims, once the signature holds and they are meant for us, now. @throws DomainError unauthenticated, unavailable */
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

/** Whether a token that was valid before is valid still: of all that was looked at, only time goes on. */
function isCurrent({ exp = 0 }: JWTPayload, nowMs: number): boolean {
  return exp > Math.floor(nowMs / 1000) - clockTolerance;
}

/** What cannot be one of this provider's tokens is refused before its keys are asked for. @throws JOSEError, TypeError */
function rejectForeignTokens(token: string, issuer: string): void {
  const { crit, typ } = decodeProtectedHeader(token);
  // No extension is understood here. The library understands one, for signatures over bare text.
  if (crit !== undefined) throw new errors.JWTInvalid('it has critical extensions');
  if (!types.has(typ?.toLowerCase())) throw new errors.JWTInvalid('it is another kind of token');
  if (decodeJwt(token).iss !== issuer) throw new errors.JWTInvalid('another issuer made it');
}
