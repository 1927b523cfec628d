// Whether a tenant exists, remembered for a moment: every call with an access token asks it.
import type { Crossings } from '../ports/store/crossings.ts';

export interface KnownTenants {
  /** @throws DomainError unavailable */
  has(tenantId: string): Promise<boolean>;
}

/** How long a tenant is taken to be there after it was seen. */
const memoryMs = 5_000;
const mostRemembered = 10_000;

/** Only what exists is remembered: a tenant that was just made is known at once. */
export function knownTenants(crossings: Pick<Crossings, 'isTenant'>, now: () => number): KnownTenants {
  const seenAt = new Map<string, number>();
  return {
    async has(tenantId) {
      const seen = seenAt.get(tenantId);
      const age = seen === undefined ? Infinity : now() - seen;
      if (age >= 0 && age < memoryMs) return true;
      seenAt.delete(tenantId);
      if (!(await crossings.isTenant(tenantId))) return false;
      if (seenAt.size >= mostRemembered) seenAt.clear();
      seenAt.set(tenantId, now());
      return true;
    },
  };
}
