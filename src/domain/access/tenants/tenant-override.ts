// Lets an admin act in another tenant by naming it. choices-4.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import { tenantIdPattern } from '../../model/access/tenant.ts';
import type { Policy } from '../../ports/policy.ts';
import type { KnownTenants } from './known-tenants.ts';
import { buildPolicyQuery } from '../permit.ts';

export interface TenantOverrideDeps {
  readonly policy: Policy;
  readonly tenants: KnownTenants;
}

/**
 * The caller within the tenant that it names; its home tenant stays.
 * @param requestedTenantIds every tenant that the request names; with none, the caller stays in its home tenant
 * @throws DomainError invalid for two names or a malformed one, forbidden (`crossing_refused`) for callers other than
 * admins who may read tenants, not_found (`tenant_not_found`), unavailable
 */
export async function overrideTenant(
  deps: TenantOverrideDeps,
  caller: Caller,
  requestedTenantIds: readonly string[],
): Promise<Caller> {
  const [tenantId, second] = requestedTenantIds;
  if (tenantId === undefined) return caller;
  if (second !== undefined || !tenantIdPattern.test(tenantId)) {
    throw new DomainError('invalid', 'invalid_tenant', 'X-Tenant-Id must be the id of one tenant.');
  }
  const overridden = { ...caller, tenantId };
  // The role is checked here, so that no policy can allow this to other roles.
  if (
    !caller.roles.includes('admin') ||
    !(await deps.policy.allows(buildPolicyQuery(overridden, ['tenants:read'], null)))
  ) {
    throw new DomainError('forbidden', 'crossing_refused', 'Only an admin may name a tenant in X-Tenant-Id.');
  }
  if (!(await deps.tenants.has(tenantId))) throw notFound('tenant');
  return overridden;
}
