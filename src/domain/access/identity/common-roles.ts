// Intersects two sets of roles: a session has only the roles that both its creator and its owner have.
import { permissionsOf, roles, type Role } from '../../model/access/permission.ts';

/** The widest roles that neither set exceeds. */
export function commonRoles(a: readonly Role[], b: readonly Role[]): readonly Role[] {
  if (a.length === b.length && a.every((role) => b.includes(role))) return b;
  const [heldByA, heldByB] = [permissionsOf(a), permissionsOf(b)];
  const contained = roles
    .map((role) => ({ role, holds: permissionsOf([role]) }))
    .filter(({ holds }) => holds.isSubsetOf(heldByA) && holds.isSubsetOf(heldByB));
  const exceeded = (role: (typeof contained)[number]): boolean =>
    contained.some((other) => other !== role && role.holds.isSubsetOf(other.holds));
  return contained.filter((role) => !exceeded(role)).map(({ role }) => role);
}
