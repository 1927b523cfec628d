// Lets what an owner made earlier create tasks with the owner's present roles and the scopes it was made with. choices-4.
import type { ActingOwner, OwnerRecords } from '../model/access/acting-owner.ts';
import type { Caller } from '../model/access/caller.ts';
import type { Permission } from '../model/access/permission.ts';
import { isReservedSubject } from '../model/access/user.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { isPermitted, type PolicySubject } from './permit.ts';
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

/** The owner with its present roles, for what it created earlier; undefined: it may no longer act. */
export function findActingSubject(
  principals: Principals,
  tenantId: string,
  subject: string,
  owner: ActingOwner,
  records: OwnerRecords,
): PolicySubject | undefined {
  const roles = findPresentRoles(principals, subject, owner, records);
  if (roles === undefined) return undefined;
  const { homeTenantId, scopes } = owner;
  return { subject, tenantId, homeTenantId, roles, scopes: scopes ?? undefined };
}

/** The permission that whatever acts for its owner needs: it creates tasks. */
export const actingPermission = 'tasks:write' satisfies Permission;

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
  const records = await readOwner(deps, subject, owner);
  const acting = findActingSubject(deps.principals, tenantId, subject, owner, records);
  return acting !== undefined && isPermitted(deps.policy, acting, actingPermission);
}

async function readOwner(
  { store, now }: ActingDeps,
  subject: string,
  { homeTenantId, keyId }: ActingOwner,
): Promise<OwnerRecords> {
  const { user, key } = await store.within({ tenantId: homeTenantId }, async (rows) => ({
    user: await rows.users.find(subject),
    key: keyId === null ? undefined : await rows.apiKeys.find(keyId),
  }));
  const isExpired = key?.expiresAt != null && Date.parse(key.expiresAt) <= now();
  return { user, isKeyValid: keyId === null || (key !== undefined && key.revokedAt === null && !isExpired) };
}

function findPresentRoles(
  principals: Principals,
  subject: string,
  { homeTenantId, roles }: ActingOwner,
  { user, isKeyValid }: OwnerRecords,
): ActingOwner['roles'] | undefined {
  if (!isKeyValid) return undefined;
  const principal = principals.find(homeTenantId, subject);
  if (principal !== undefined) return principal.roles;
  if (isReservedSubject(subject)) return undefined;
  // A caller of the identity provider may have no record; then its token's roles are all that is known.
  if (user === undefined) return roles;
  return user.status === 'active' ? user.roles : undefined;
}
