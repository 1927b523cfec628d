// Housekeeping: deletes keys that have long been revoked or expired, and sessions and codes that have
// expired.
import { retainEachTenant, type RetainDeps } from './retain-each-tenant.ts';

/** One round over every tenant. @param olderThanDays how long a dead key is still listed */
export function retainCredentials(deps: RetainDeps, olderThanDays: number, signal: AbortSignal): Promise<void> {
  const about = { component: 'credential_retention', action: 'credentials.retain', resource: '/v1/auth' };
  return retainEachTenant(
    deps,
    about,
    async (rows) => ({
      keys: await rows.apiKeys.dropInactive(olderThanDays),
      sessions: await rows.signIns.dropExpired(),
    }),
    signal,
  );
}
