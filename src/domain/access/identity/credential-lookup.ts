// Looks up bearer tokens that are not configured. Their form distinguishes API keys, sessions, access
// tokens, and the secrets of cookies and codes apart.
import type { AuthenticatedCaller } from '../../model/access/caller.ts';
import { unauthenticated } from '../../model/errors.ts';
import type { Store } from '../../ports/store/store.ts';
import type { TokenProvider } from '../../ports/token-provider.ts';
import { ShortTtlCache } from './short-ttl-cache.ts';
import type { Identities } from './configured-tokens.ts';
import { apiKeyPattern, pageSecretPattern, sessionTokenPattern, signInCodePattern } from './secrets.ts';
import type { StoredCredentials } from './stored-credentials.ts';

/** Three parts of base64url, as a JWT in its compact form has. RFC 7515 §3.1. */
const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export interface CredentialLookupDeps {
  readonly stored: StoredCredentials;
  /** Undefined when no identity provider is configured. */
  readonly provider: TokenProvider | undefined;
  readonly store: Store;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
}

/** Chooses the lookup by the token's form. A token of unknown form gets the same 401 as a wrong one. */
export function createCredentialLookup(deps: CredentialLookupDeps): Identities['lookUp'] {
  const { stored, provider } = deps;
  const disabledUsers = new ShortTtlCache<boolean>(deps.elapsedMs);
  return async (bearer, use) => {
    if (use === 'page') {
      if (!pageSecretPattern.test(bearer)) throw unauthenticated();
      return stored.findByPageSecret(bearer);
    }
    if (use === 'sign_in' && signInCodePattern.test(bearer)) return stored.findByCode(bearer);
    if (apiKeyPattern.test(bearer)) return stored.findByKey(bearer);
    if (sessionTokenPattern.test(bearer)) return stored.findBySessionToken(bearer);
    if (provider === undefined || !jwtPattern.test(bearer)) throw unauthenticated();
    const caller = await provider.verify(bearer);
    if (await isDisabled(deps.store, disabledUsers, caller)) throw unauthenticated();
    return caller;
  };
}

/** The provider may still issue tokens for a user whom an admin has disabled here. */
async function isDisabled(store: Store, cache: ShortTtlCache<boolean>, caller: AuthenticatedCaller): Promise<boolean> {
  const disabled = await cache.get(`${caller.tenantId}\0${caller.subject}`, async () => {
    const user = await store.within({ tenantId: caller.homeTenantId }, (rows) => rows.users.find(caller.subject));
    return { value: user?.status === 'disabled', ttlMs: Infinity };
  });
  return disabled === true;
}
