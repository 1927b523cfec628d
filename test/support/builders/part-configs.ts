// The configurations of parts of a service in tests: analytics with the service's own hosts of search engines and social
// networks, and the cluster manager outside of a cluster.
import { readChannelHosts } from '../../../src/server/config/catalogues/channel-hosts.ts';
import type { ClusterConfig } from '../../../src/server/config/cluster/cluster-config.ts';
import type { AnalyticsConfig } from '../../../src/server/config/service-config.ts';

export const testAnalyticsConfig: AnalyticsConfig = {
  retentionDays: 400,
  channelHosts: await readChannelHosts(undefined),
};

export const testClusterConfig: ClusterConfig = {
  enabled: true,
  host: undefined,
  port: 443,
  serviceAccountDir: '/var/run/secrets/kubernetes.io/serviceaccount',
  deployment: undefined,
  manifestFile: undefined,
  selfHeal: true,
  minReplicas: 1,
  maxReplicas: 20,
  reconcileSeconds: 30,
  unhealthySeconds: 120,
  restartIntervalSeconds: 300,
  podName: undefined,
  podNamespace: undefined,
};
