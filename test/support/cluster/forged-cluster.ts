// A forged cluster around a service, for tests of all operations: those on the cluster have something to answer.
import { testClusterConfig } from '../builders/part-configs.ts';
import type { ClusterConfig } from '../../../src/server/config/cluster/cluster-config.ts';
import { ForgedApi } from './forged-api.ts';

/** The settings of a service in it; it ends with `closing`. */
export async function joinForgedCluster(closing: AsyncDisposableStack): Promise<ClusterConfig> {
  const forged = closing.use(await ForgedApi.open(1));
  const [podName] = await forged.pods();
  return { ...testClusterConfig, ...forged.connection, podName, reconcileSeconds: 3_600 };
}
