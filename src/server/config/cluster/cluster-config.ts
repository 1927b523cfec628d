// The settings of the cluster manager. platform-1.1.
import path from 'node:path';
import type { z } from 'zod';
import type { clusterSettingSchemas } from './cluster-settings.ts';

export interface ClusterConfig {
  readonly enabled: boolean;
  /** The API server; undefined: the service does not run in a cluster. */
  readonly host: string | undefined;
  readonly port: number;
  readonly serviceAccountDir: string;
  /** Undefined: the owner of this replica's pod. */
  readonly deployment: string | undefined;
  /** Absolute path. */
  readonly manifestFile: string | undefined;
  readonly selfHeal: boolean;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly reconcileSeconds: number;
  readonly unhealthySeconds: number;
  readonly restartIntervalSeconds: number;
  /** Undefined: the host name. */
  readonly podName: string | undefined;
  /** Undefined: as the service account names it. */
  readonly podNamespace: string | undefined;
}

const httpsPort = 443;

type ClusterSettings = z.output<z.ZodObject<typeof clusterSettingSchemas>>;

/** @param base the folder against which the manifest's path is resolved */
export function toClusterConfig(values: ClusterSettings, base: string): ClusterConfig {
  // Host and port belong together: a port of the other pair would be another server's.
  const isNamed = values.cluster_service_host !== undefined;
  const port = isNamed ? values.cluster_service_port : (values.cluster_service_port ?? values.kubernetes_service_port);
  const { cluster_manifest_file: manifest } = values;
  return {
    enabled: values.cluster_enabled,
    host: values.cluster_service_host ?? values.kubernetes_service_host,
    port: port ?? httpsPort,
    serviceAccountDir: values.cluster_service_account_dir,
    deployment: values.cluster_deployment,
    manifestFile: manifest === undefined ? undefined : path.resolve(base, manifest),
    selfHeal: values.cluster_self_heal,
    minReplicas: values.cluster_min_replicas,
    maxReplicas: values.cluster_max_replicas,
    reconcileSeconds: values.cluster_reconcile_seconds,
    unhealthySeconds: values.cluster_unhealthy_seconds,
    restartIntervalSeconds: values.cluster_restart_interval_seconds,
    podName: values.pod_name,
    podNamespace: values.pod_namespace,
  };
}
