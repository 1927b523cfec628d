// The settings of the cluster manager, as rows of the table of settings. platform-1.1.
import { z } from 'zod';
import type { SettingRow } from '../../../lib/settings/table.ts';

/** A name or an address without scheme and port. */
const clusterHost = z.string().regex(/^[\w.:-]{1,253}$/);
const kubernetesName = z.string().regex(/^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/);

export const clusterSettingSchemas = {
  cluster_enabled: z.boolean().default(true),
  cluster_service_host: clusterHost.optional(),
  cluster_service_port: z.int().min(1).max(65_535).optional(),
  kubernetes_service_host: clusterHost.optional(),
  kubernetes_service_port: z.int().min(1).max(65_535).optional(),
  cluster_service_account_dir: z.string().min(1).max(4096).default('/var/run/secrets/kubernetes.io/serviceaccount'),
  cluster_deployment: kubernetesName.optional(),
  cluster_manifest_file: z.string().min(1).max(4096).optional(),
  cluster_self_heal: z.boolean().default(true),
  cluster_min_replicas: z.int().min(1).max(10_000).default(1),
  cluster_max_replicas: z.int().min(1).max(10_000).default(20),
  cluster_reconcile_seconds: z.int().min(1).max(86_400).default(30),
  cluster_unhealthy_seconds: z.int().min(1).max(86_400).default(120),
  cluster_restart_interval_seconds: z.int().min(1).max(86_400).default(300),
  pod_name: kubernetesName.optional(),
  pod_namespace: kubernetesName.optional(),
};
export type ClusterSettingName = keyof typeof clusterSettingSchemas;

export const clusterSettingRows: Record<ClusterSettingName, SettingRow & { readonly help: string }> = {
  cluster_enabled: {
    kind: 'flag',
    write: 'true or false',
    help: 'manage the Deployment that the service runs as, where it runs in a Kubernetes cluster',
  },
  cluster_service_host: {
    kind: 'text',
    write: 'a host name or address, without scheme and port',
    help: "the cluster's API server; without it KUBERNETES_SERVICE_HOST, which a cluster sets",
  },
  cluster_service_port: { kind: 'number', write: 'a port, 1 to 65535', help: 'its port; 443 by default' },
  kubernetes_service_host: {
    kind: 'text',
    write: 'a host name or address, without scheme and port',
    help: 'set by a cluster in each pod',
  },
  kubernetes_service_port: { kind: 'number', write: 'a port, 1 to 65535', help: 'set by a cluster in each pod' },
  cluster_service_account_dir: {
    kind: 'text',
    write: 'the path of a folder',
    help: 'folder with token, ca.crt and namespace of the service account',
  },
  cluster_deployment: {
    kind: 'text',
    write: 'a name of lower-case letters, digits, - and .',
    help: "name of the Deployment; without it the owner of this replica's pod",
  },
  cluster_manifest_file: {
    kind: 'text',
    write: 'the path of a YAML or JSON file',
    help: 'manifest of the Deployment, applied server-side whenever it changes',
  },
  cluster_self_heal: {
    kind: 'flag',
    write: 'true or false',
    help: 'restart unhealthy pods; false: they are reported only',
  },
  cluster_min_replicas: {
    kind: 'number',
    write: 'a whole number, 1 to 10000',
    help: 'fewest replicas that a call may scale to',
  },
  cluster_max_replicas: {
    kind: 'number',
    write: 'a whole number, 1 to 10000',
    help: 'most replicas that a call may scale to',
  },
  cluster_reconcile_seconds: {
    kind: 'number',
    write: 'seconds, 1 to 86400',
    help: 'how often the pods of the Deployment are checked',
  },
  cluster_unhealthy_seconds: {
    kind: 'number',
    write: 'seconds, 1 to 86400',
    help: 'how long a pod may run without being ready before it is restarted',
  },
  cluster_restart_interval_seconds: {
    kind: 'number',
    write: 'seconds, 1 to 86400',
    help: 'shortest time between two rounds of restarts; doubles while the same version falls ill again',
  },
  pod_name: {
    kind: 'text',
    write: 'the name of a pod',
    help: 'name of the pod that this replica runs in; without it the host name',
  },
  pod_namespace: {
    kind: 'text',
    write: 'the name of a namespace',
    help: 'its namespace; without it the one in CLUSTER_SERVICE_ACCOUNT_DIR',
  },
};
