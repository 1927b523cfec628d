// The local evaluator: the matrix of choices-4, the scopes that narrow it, the tenant, the owner. policies/ has
// the same rules in Rego, over the same data; a test compares the two.
import {
  tenantOverridePermission,
  permissionsOf,
  rolesOverOthers,
  rolesOverTenants,
  type Permission,
  type Role,
} from '../model/access/permission.ts';
import type { Policy, PolicyQuery } from '../ports/policy.ts';

/** Decides in this process. core-5.7. */
export const localPolicy: Policy = { allows: evaluate };

/** The decision, from the query alone. Every request runs it: it allocates nothing except under scopes. */
export function evaluate(query: PolicyQuery): boolean {
  const { roles, subject, owner, permissions, scopes } = query;
  if (query.tenantId !== query.resourceTenantId) {
    if (!hasAnyRole(roles, rolesOverTenants) || !inScope(tenantOverridePermission, scopes)) return false;
  }
  if (owner !== null && owner !== subject && !hasAnyRole(roles, rolesOverOthers)) return false;
  if (permissions.length === 0) return true;
  for (const permission of permissions) {
    if (isGranted(roles, permission) && inScope(permission, scopes)) return true;
  }
  return false;
}

function hasAnyRole(held: readonly Role[], wanted: readonly Role[]): boolean {
  for (const role of held) if (wanted.includes(role)) return true;
  return false;
}

function isGranted(roles: readonly Role[], permission: Permission): boolean {
  for (const role of roles) if (permissionsOfRole(role).has(permission)) return true;
  return false;
}

/** Whether the scopes hold `resource:action` literally, or `resource:*`. */
function inScope(permission: Permission, scopes: readonly string[] | null): boolean {
  if (scopes === null || scopes.includes(permission)) return true;
  return scopes.includes(`${permission.slice(0, permission.indexOf(':'))}:*`);
}

/** The permissions of a role, computed at its first use. */
function permissionsOfRole(role: Role): ReadonlySet<Permission> {
  let held = permissionsByRole.get(role);
  if (held === undefined) permissionsByRole.set(role, (held = permissionsOf([role])));
  return held;
}

const permissionsByRole = new Map<Role, ReadonlySet<Permission>>();
