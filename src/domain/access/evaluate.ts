// The local evaluator: the matrix of choices §4, the scopes that narrow it, the tenant, the owner. policies/ says the
// same in Rego, from the same data; a test holds the two together.
import {
  crossingPermission,
  permissionsOf,
  rolesOverOthers,
  rolesOverTenants,
  type Permission,
  type Role,
} from '../model/access/permission.ts';
import type { Policy, PolicyQuestion } from '../ports/policy.ts';

/** Decides in this process. document 1 §5.7. */
export const localPolicy: Policy = { allows: evaluate };

/** The decision, from the question alone. Every request asks it: it makes no list and no text but under scopes. */
export function evaluate(question: PolicyQuestion): boolean {
  const { roles, subject, owner, permissions, scopes } = question;
  if (question.tenantId !== question.resourceTenantId) {
    if (!oneOf(roles, rolesOverTenants) || !inScope(crossingPermission, scopes)) return false;
  }
  if (owner !== null && owner !== subject && !oneOf(roles, rolesOverOthers)) return false;
  if (permissions.length === 0) return true;
  for (const permission of permissions) {
    if (isHeld(roles, permission) && inScope(permission, scopes)) return true;
  }
  return false;
}

function oneOf(held: readonly Role[], wanted: readonly Role[]): boolean {
  for (const role of held) if (wanted.includes(role)) return true;
  return false;
}

function isHeld(roles: readonly Role[], permission: Permission): boolean {
  for (const role of roles) if (heldBy(role).has(permission)) return true;
  return false;
}

/** `resource:action` word for word, or `resource:*`. */
function inScope(permission: Permission, scopes: readonly string[] | null): boolean {
  if (scopes === null || scopes.includes(permission)) return true;
  return scopes.includes(`${permission.slice(0, permission.indexOf(':'))}:*`);
}

/** What a role holds, worked out when it is first met. */
function heldBy(role: Role): ReadonlySet<Permission> {
  let held = known.get(role);
  if (held === undefined) known.set(role, (held = permissionsOf([role])));
  return held;
}

const known = new Map<Role, ReadonlySet<Permission>>();
