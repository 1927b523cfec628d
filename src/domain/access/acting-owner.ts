// Lets what an owner made earlier create tasks with the owner's present roles and the scopes it was made with. choices-4.
import type { ActingOwner } from '../model/access/acting-owner.ts';
import type { Caller } from '../model/access/caller.ts';
import { isReservedSubject } from '../model/access/user.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { isPermitted } from './permit.ts';
import { findIssuer } from './identity/credential-issuer.ts';
import type { Principals } from './identity/owners.ts';

export interface ActingDeps {
  readonly store: Store;
  readonly policy: Policy;
  readonly principals: Principals;
  readonly now: () => number;
}

/** The credential to store with something that creates tasks later. */
export async function describeActor(rows: Rows, caller: Caller): Promise<ActingOwner> {
  const isHome = caller.tenantId === caller.homeTenantId;
  return {
    homeTenantId: caller.homeTenantId,
    roles: caller.roles,
    scopes: caller.scopes ?? null,
    // An admin in another tenant has no key there.
    keyId: isHome ? (await findIssuer(rows, caller)).keyId : null,
  };
}

/**
 * Whether the owner may still create tasks in the tenant: it is not disabled, its key is valid, and the policy gives its
 * present roles `tasks:write`.
 * @throws DomainError unavailable when the policy cannot decide
 */
export async function mayStillAct(
  deps: ActingDeps,
  tenantId: string,
  subject: string,
  owner: ActingOwner,
): Promise<boolean> {
  const roles = await findPresentRoles(deps, subject, owner);
  if (roles === undefined) return false;
  const { homeTenantId, scopes } = owner;
  return isPermitted(
    deps.policy,
    { subject, tenantId, homeTenantId, roles, scopes: scopes ?? undefined },
    'tasks:write',
  );
}

async function findPresentRoles(
  { store, principals, now }: ActingDeps,
  subject: string,
  { homeTenantId, roles, keyId }: ActingOwner,
): Promise<ActingOwner['roles'] | undefined> {
  const { user, key } = await store.within({ tenantId: homeTenantId }, async (rows) => ({
    user: await rows.users.find(subject),
    key: keyId === null ? undefined : await rows.apiKeys.find(keyId),
  }));
  if (keyId !== null && (key === undefined || key.revokedAt !== null)) return undefined;
  if (key?.expiresAt != null && Date.parse(key.expiresAt) <= now()) return undefined;
  const principal = principals.find(homeTenantId, subject);
  if (principal !== undefined) return principal.roles;
  if (isReservedSubject(subject)) return undefined;
  // A caller of the identity provider may have no record; then its token's roles are all that is known.
  if (user === undefined) return roles;
  return user.status === 'active' ? user.roles : undefined;
}
