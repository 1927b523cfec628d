// Housekeeping: deletes rounds of restarts, and reports of clusters that nobody sees, after 30 days. platform-1.4.
import { systemTenantId } from '../model/audit-entry.ts';
import type { ClusterDeps } from './cluster-deps.ts';

const keptDays = 30;
const batchSize = 5_000;

/** One round; what is left is deleted by the next ones. */
export async function retainClusterRounds({ audit, store }: Pick<ClusterDeps, 'audit' | 'store'>): Promise<void> {
  const about = {
    actor: 'service:cluster_retention',
    tenantId: systemTenantId,
    action: 'k8s.retain',
    resource: '/v1/k8s',
  };
  await audit.change(about, async (tenant) => {
    const rows = await store.within(tenant, (each) => each.cluster.drop(keptDays, batchSize));
    return { value: undefined, changed: rows === 0 ? undefined : { rows, older_than_days: keptDays } };
  });
}
