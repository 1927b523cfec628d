// Whether the caller may act in the tenant that an address names.
import { queryClient } from '../api/query-client.ts';
import { currentSession } from './session.ts';
import { mayCrossTenants, meQuery } from './use-me.ts';

/** `unknown`: nobody is signed in, or the service did not answer; it is asked again with the next session. */
export type TenantVerdict = 'none' | 'unknown' | 'own' | 'foreign' | 'allowed';

export async function checkTenant(tenant: string | undefined): Promise<TenantVerdict> {
  if (tenant === undefined) return 'none';
  if (currentSession() === undefined) return 'unknown';
  const me = await queryClient.ensureQueryData(meQuery).catch(() => undefined);
  if (me === undefined) return 'unknown';
  if (me.tenant_id === tenant) return 'own';
  return mayCrossTenants(me) ? 'allowed' : 'foreign';
}
