// Caches which tenants exist: every call with an access token needs it.
import type { CrossTenantQueries } from '../../ports/store/cross-tenant-queries.ts';

export interface KnownTenants {
  /** @throws DomainError unavailable */
  has(tenantId: string): Promise<boolean>;
}

/** How long a tenant counts as existing after it was found. */
const ttlMs = 5_000;
const maxEntries = 10_000;

/** Caches only tenants that exist: a new tenant is found at once. */
export function knownTenants(crossTenant: Pick<CrossTenantQueries, 'isTenant'>, now: () => number): KnownTenants {
  const seenAt = new Map<string, number>();
  return {
    async has(tenantId) {
      const seen = seenAt.get(tenantId);
      const age = seen === undefined ? Infinity : now() - seen;
      if (age >= 0 && age < ttlMs) return true;
      seenAt.delete(tenantId);
      if (!(await crossTenant.isTenant(tenantId))) return false;
      if (seenAt.size >= maxEntries) seenAt.clear();
      seenAt.set(tenantId, now());
      return true;
    },
  };
}
