// The settings of the cluster manager of a service that runs in no cluster.
import type { ClusterConfig } from '../../../src/server/config/cluster/cluster-config.ts';

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
