// Makes the callers of the service's own components, which call verbs without a credential.
import type { SystemCaller } from '../model/access/caller.ts';
import { permissionsOf, type Permission, type Role } from '../model/access/permission.ts';
import type { LoopAudit, LoopChange, LoopOutcome } from '../ports/audit.ts';

/** Narrowest first. */
const rolesByWidth: readonly Role[] = ['viewer', 'editor', 'operator', 'admin'];

/**
 * The caller `system:<component>` in a tenant, with exactly these permissions. Its role is the narrowest that has all of
 * them, and its scopes leave it nothing else. It owns what it creates, and may change what others own only if one of its
 * permissions takes the role operator. Use `changeAs` to audit its changes.
 */
export function systemCaller(tenantId: string, component: string, permissions: readonly Permission[]): SystemCaller {
  const subject = `system:${component}`;
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

/**
 * Calls a verb as a system caller: the caller's subject is the actor of the audit entry.
 * @param verb calls the verb with the caller that it gets, whose intent is committed with the change
 * @throws DomainError unavailable (audit_unavailable) while lines cannot be written; what `verb` throws
 */
export function changeAs<T>(
  audit: LoopAudit,
  caller: SystemCaller,
  about: Pick<LoopChange, 'action' | 'resource'>,
  verb: (caller: SystemCaller) => Promise<LoopOutcome<T>>,
): Promise<T> {
  const { subject, tenantId } = caller;
  return audit.change({ ...about, actor: subject, tenantId }, ({ intent }) =>
    verb(intent === undefined ? caller : { ...caller, intent }),
  );
}
