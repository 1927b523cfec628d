// The local evaluator: the matrix of choices §4, the scopes that narrow it, the tenant, the owner. policies/ says the
// same in Rego; a test holds the two together.
import { permissionsOf, type Permission, type Role } from '../model/permission.ts';
import type { Policy, PolicyQuestion } from '../ports/policy.ts';

/** Decides in this process. document 1 §5.7. */
export const localPolicy: Policy = { allows: evaluate };

/** The decision, from the question alone. */
export function evaluate(question: PolicyQuestion): boolean {
  const { roles, subject, owner, permissions } = question;
  if (question.tenantId !== question.resourceTenantId && !roles.includes('admin')) return false;
  if (owner !== null && owner !== subject && !roles.includes('admin') && !roles.includes('operator')) return false;
  if (permissions.length === 0) return true;
  const held = heldBy(roles);
  return permissions.some((permission) => held.has(permission) && inScope(permission, question.scopes));
}

function inScope(permission: Permission, scopes: readonly string[] | null): boolean {
  if (scopes === null || scopes.includes(permission)) return true;
  return scopes.includes(`${permission.slice(0, permission.indexOf(':'))}:*`);
}

/** What roles hold, worked out once for each credential's list of them. */
function heldBy(roles: readonly Role[]): ReadonlySet<Permission> {
  let held = known.get(roles);
  if (held === undefined) known.set(roles, (held = permissionsOf(roles)));
  return held;
}

const known = new WeakMap<readonly Role[], ReadonlySet<Permission>>();
