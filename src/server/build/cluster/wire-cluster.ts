// Wires the cluster manager: whether the service runs in a cluster, its verbs, its loop.
import { hostname } from 'node:os';
import { openKubernetes } from '../../../adapters/kubernetes/cluster.ts';
import { hasToken, readNamespace } from '../../../adapters/kubernetes/service-account.ts';
import type { ClusterDeps } from '../../../domain/cluster/cluster-deps.ts';
import { ClusterReconciler, type ClusterHealth } from '../../../domain/cluster/reconciler.ts';
import { ClusterStatusReader } from '../../../domain/cluster/read-status.ts';
import { retainClusterRounds } from '../../../domain/cluster/retain-rounds.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import type { ClusterConfig } from '../../config/cluster/cluster-config.ts';
import type { LoopScheduler } from '../../loops/loop-scheduler.ts';

export interface ClusterWiring extends Omit<ClusterDeps, 'cluster' | 'absence' | 'settings'> {
  readonly config: Pick<ServiceConfig, 'cluster' | 'databaseUrl'>;
  /** Milliseconds by a clock that is never set back. */
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

export interface WiredCluster {
  readonly deps: ClusterDeps;
  readonly status: ClusterStatusReader;
  /** For the start message; undefined: no setting names a cluster. */
  readonly description: string | undefined;
  /** Its part of the health of the service. */
  readonly health: () => Promise<ClusterHealth>;
  /** Starts its loops; outside a cluster there are none. */
  startLoops(loops: LoopScheduler): void;
}

/** How long a replica whose own pod is unhealthy leaves the decision to another one. platform-1.3. */
const yieldMs = 60_000;
const hourMs = 3_600_000;

/** Calls nobody: the first check is the first contact with the cluster. */
export async function wireCluster(wiring: ClusterWiring, closing: AsyncDisposableStack): Promise<WiredCluster> {
  const { config, log, elapsedMs } = wiring;
  const place = await findPlace(config.cluster);
  const cluster = 'options' in place ? closing.use(openKubernetes(place.options)) : undefined;
  const deps: ClusterDeps = {
    ...wiring,
    cluster,
    absence: 'absence' in place ? place.absence : '',
    settings: { ...config.cluster, hasSharedDatabase: config.databaseUrl !== undefined },
  };
  const status = new ClusterStatusReader({ ...deps, elapsedMs });
  const reconciler = new ClusterReconciler({ ...deps, missingPermissions: () => status.missingPermissions(), log });
  const startLoops = (loops: LoopScheduler): void => {
    if (cluster === undefined) return;
    const intervalMs = config.cluster.reconcileSeconds * 1000;
    loops.everyReplica('cluster_discovery', intervalMs, async () => {
      const name = await reconciler.discover();
      if (name === undefined) return;
      loops.leaderOnly(name, intervalMs, () => reconciler.tick(() => loops.yieldLead(name, yieldMs)));
    });
    loops.leaderOnly('cluster_retention', hourMs, () => retainClusterRounds(deps));
  };
  return { deps, status, description: place.description, health: () => reconciler.health(), startLoops };
}

type Place =
  | { readonly absence: string; readonly description: string | undefined }
  | { readonly options: Parameters<typeof openKubernetes>[0]; readonly description: string };

async function findPlace(config: ClusterConfig): Promise<Place> {
  const { host, port, serviceAccountDir, manifestFile, podName } = config;
  if (host === undefined) {
    return { absence: 'This service does not run in a Kubernetes cluster.', description: undefined };
  }
  if (!config.enabled) {
    return {
      absence: 'This service does not manage its cluster: CLUSTER_ENABLED is false.',
      description: 'off, CLUSTER_ENABLED is false',
    };
  }
  if (!(await hasToken(serviceAccountDir))) {
    return {
      absence: `No service account token is mounted at ${serviceAccountDir}. Set automountServiceAccountToken, or CLUSTER_SERVICE_ACCOUNT_DIR.`,
      description: 'off, no service account token is mounted',
    };
  }
  const namespace = config.podNamespace ?? (await readNamespace(serviceAccountDir));
  if (namespace === undefined) {
    return {
      absence: 'The namespace of this service is not known: set POD_NAMESPACE.',
      description: 'off, the namespace is not known: set POD_NAMESPACE',
    };
  }
  const pod = podName ?? hostname();
  return {
    options: { host, port, serviceAccountDir, manifestFile, namespace, pod },
    description: `on, pod ${pod} in namespace ${namespace}`,
  };
}
