// Who a bearer is that no configuration knows: an API key, a sign-in session, an access token, told by its form.
import type { Caller } from '../../model/access/caller.ts';
import { unauthenticated } from '../../model/errors.ts';
import type { Store } from '../../ports/store/store.ts';
import type { TokenProvider } from '../../ports/token-provider.ts';
import { BriefMemory } from './brief-memory.ts';
import type { Identities } from './identify.ts';
import { keyForm, sessionForm } from './secrets.ts';
import type { StoredCredentials } from './stored-credentials.ts';

/** Three parts of base64url, as a JWT in its compact form has. RFC 7515 §3.1. */
const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export interface LookUpDeps {
  readonly stored: StoredCredentials;
  /** Undefined: no identity provider is configured. */
  readonly provider: TokenProvider | undefined;
  readonly store: Store;
  /** A clock that is never set back. */
  readonly elapsedMs: () => number;
}

/** Asks where a token of its form is kept or proven. What has no form of ours is the same 401 as a wrong one. */
export function lookUpWith(deps: LookUpDeps): Identities['lookUp'] {
  const { stored, provider } = deps;
  const blocked = new BriefMemory<boolean>(deps.elapsedMs);
  return async (bearer) => {
    if (keyForm.test(bearer)) return stored.key(bearer);
    if (sessionForm.test(bearer)) return stored.session(bearer);
    if (provider === undefined || !jwtForm.test(bearer)) throw unauthenticated();
    const caller = await provider.verify(bearer);
    if (await isDisabled(deps.store, blocked, caller)) throw unauthenticated();
    return caller;
  };
}

/** The provider may still vouch for somebody whom an admin has disabled here. */
async function isDisabled(store: Store, memory: BriefMemory<boolean>, caller: Caller): Promise<boolean> {
  const disabled = await memory.get(`${caller.tenantId}\0${caller.subject}`, async () => {
    const user = await store.within({ tenantId: caller.homeTenantId }, (rows) => rows.users.find(caller.subject));
    return { value: user?.status === 'disabled', leftMs: Infinity };
  });
  return disabled === true;
}
