// Makes the callers of the service's own components, which act without a credential.
import { serviceSubject, type SystemCaller } from '../model/access/caller.ts';
import { permissionsOf, type Permission, type Role } from '../model/access/permission.ts';

/** Narrowest first. */
const rolesByWidth: readonly Role[] = ['viewer', 'editor', 'operator', 'admin'];

/**
 * The caller `service:<component>` in a tenant, with exactly these permissions: none for a component that only writes rows
 * of its own, those of the verbs that it calls for any other. Its role is the narrowest that has all of them, and its
 * scopes leave it nothing else. It owns what it creates, and may change what others own only if one of its permissions
 * takes the role operator. Its changes are audited by `LoopAudit`.
 */
export function systemCaller(
  tenantId: string,
  component: string,
  permissions: readonly Permission[] = [],
): SystemCaller {
  const subject = serviceSubject(component);
  const role = rolesByWidth.find((each) => new Set(permissions).isSubsetOf(permissionsOf([each]))) ?? 'admin';
  return {
    subject,
    name: subject,
    tenantId,
    homeTenantId: tenantId,
    roles: [role],
    scopes: [...permissions],
    credential: 'service',
    credentialId: subject,
  };
}
