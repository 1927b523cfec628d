// Identifies configured bearer tokens, compared by digest.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { AuthenticatedCaller } from '../../model/access/caller.ts';
import { unauthenticated } from '../../model/errors.ts';
import type { Role } from '../../model/access/permission.ts';

/** A token that an operator configured. choices-4. */
export interface ConfiguredToken {
  readonly name: string;
  readonly token: string;
  readonly role: Role;
  readonly tenantId: string;
  readonly credential: 'service_token' | 'shared_token';
}

/**
 * The use that a token is presented for. `page`: page files, which only the secret of a session's cookie opens.
 * `sign_in`: the creation of a session, where a one-time code stands in for its maker's token. ui-6.14.
 */
export type TokenUse = 'call' | 'page' | 'sign_in';

export interface Identities {
  /** The caller of a configured token, without a query. Undefined: the token is not configured; use `lookUp`. */
  findConfigured(bearer: string): AuthenticatedCaller | undefined;
  /**
   * The caller of any other token, from the database or the identity provider. It is expensive: callers with too many
   * failed attempts are refused before it.
   * @throws DomainError unauthenticated, forbidden, unavailable
   */
  lookUp(bearer: string, use?: TokenUse): Promise<AuthenticatedCaller>;
}

/**
 * Identities over configured tokens; any other token goes to `lookUp`. The token is hashed and found by its digest; the
 * digests are then compared in constant time, so that neither step reveals how much of a token was right.
 */
export function configuredIdentities(
  tokens: readonly ConfiguredToken[],
  lookUp: Identities['lookUp'] = () => Promise.reject(unauthenticated()),
): Identities {
  const byDigest = new Map(
    tokens.map((token) => {
      const digest = digestToken(token.token);
      return [digest.toString('base64'), { digest, caller: configuredCaller(token) }] as const;
    }),
  );
  return {
    findConfigured(bearer) {
      const digest = digestToken(bearer);
      const found = byDigest.get(digest.toString('base64'));
      return found !== undefined && timingSafeEqual(found.digest, digest) ? found.caller : undefined;
    },
    lookUp,
  };
}

function digestToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function configuredCaller(token: ConfiguredToken): AuthenticatedCaller {
  return {
    subject: `token:${token.name}`,
    name: token.name,
    tenantId: token.tenantId,
    homeTenantId: token.tenantId,
    roles: [token.role],
    credential: token.credential,
    credentialId: `token:${token.name}`,
  };
}

/** Generates the token for a service without configured tokens: HMAC-SHA256 over host name and time. core-5.3. */
export function generateToken(hostname: string, at: Date, key: Uint8Array): string {
  return createHmac('sha256', key).update(`${hostname}\n${at.toISOString()}`).digest('base64url');
}
