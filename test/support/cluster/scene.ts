// The objects that a case of the cluster manager needs at an API server, forged or real: a namespace with a Deployment of the service.
import type { TestDatabase } from '../database/database.ts';
import { openService, type TestService } from '../service.ts';
import { testClusterConfig } from '../builders/part-configs.ts';
import type { ClusterConfig } from '../../../src/server/config/cluster/cluster-config.ts';

/** As a kubelet reports it. */
export type PodState = 'ready' | 'crash_loop' | 'not_ready' | 'failed' | 'cannot_start';

export interface Scene {
  readonly namespace: string;
  /** The Deployment is called `switchyard`. */
  readonly deployment: string;
  /** The API server and the account, as the service finds them. */
  readonly connection: Pick<ClusterConfig, 'host' | 'port' | 'serviceAccountDir' | 'podNamespace'>;
  /** The names of the pods that are not being deleted, sorted. */
  pods(): Promise<string[]>;
  /** Settles once the Deployment shows it. */
  setPod(name: string, state: PodState): Promise<void>;
  /** Makes every pod ready, whatever it was. */
  heal(): Promise<void>;
  /** Takes a verb out of the Role. */
  deny(verb: string, resource: string): Promise<void>;
  addAutoscaler(bounds: { readonly min: number; readonly max: number }): Promise<void>;
  /** A budget that lets no pod go. */
  setBudget(minAvailable: number): Promise<void>;
  removeBudget(): Promise<void>;
  replicas(): Promise<number>;
  /** Begins a rollout that does not end: the image of the template is another one. */
  beginRollout(): Promise<void>;
  /** The pods that were evicted, by the server's own record. */
  evictions(): Promise<string[]>;
}

export interface ReplicaOptions {
  readonly db?: TestDatabase;
  /** The pod that the replica runs in. */
  readonly pod: string;
  readonly cluster?: Partial<ClusterConfig>;
  /** False: without a database that replicas share. */
  readonly sharesDatabase?: boolean;
  readonly log?: (line: string, details: unknown) => void;
}

/** A replica of the service in a pod of the scene. Its loop runs hourly unless set otherwise: a case asks for its checks. */
export function openReplica(scene: Scene, options: ReplicaOptions): Promise<TestService> {
  const { db, pod, cluster, sharesDatabase = true, log } = options;
  const settings = { ...testClusterConfig, reconcileSeconds: 3600, ...scene.connection, podName: pod, ...cluster };
  const databaseUrl = sharesDatabase ? { databaseUrl: 'postgresql://shared.example/switchyard' } : {};
  return openService({
    config: { cluster: settings, ...databaseUrl },
    ...(db === undefined ? {} : { db }),
    ...(log === undefined ? {} : { log }),
  });
}
