// Housekeeping: deletes rounds of restarts, and reports of clusters that nobody sees, after 30 days. platform-1.4.
import { systemCaller } from '../access/system-caller.ts';
import { systemTenantId } from '../model/audit-entry.ts';
import type { ClusterDeps } from './cluster-deps.ts';

const keptDays = 30;
const batchSize = 5_000;

/** One round; what is left is deleted by the next ones. */
export async function retainClusterRounds({ audit, store }: Pick<ClusterDeps, 'audit' | 'store'>): Promise<void> {
  const about = { action: 'k8s.retain', resource: '/v1/k8s' };
  await audit.change(systemCaller(systemTenantId, 'cluster_retention'), about, async (caller) => {
    const rows = await store.within(caller, (each) => each.cluster.drop(keptDays, batchSize));
    return { value: undefined, changed: rows === 0 ? undefined : { rows, older_than_days: keptDays } };
  });
}
