// Applies the Deployment's manifest server-side when it has changed; never takes a field from another manager. platform-1.2.
import { DomainError } from '../model/errors.ts';
import type { Autoscaler, Deployment } from '../model/cluster/objects.ts';
import type { Cluster, ClusterCalls, Manifest } from '../ports/cluster/cluster.ts';
import { changeCluster } from './audited-change.ts';
import type { ClusterDeps } from './cluster-deps.ts';

/** `none`: there is no manifest. */
export type Applied = 'none' | 'unchanged' | 'created' | 'updated';

export interface ApplyRequest {
  readonly cluster: Cluster;
  readonly calls: ClusterCalls;
  /** The Deployment of this replica; undefined: it has none yet. */
  readonly deployment: Deployment | undefined;
  readonly actor: string;
}

/** @throws DomainError conflict `invalid_manifest`, `cluster_conflict`, `cluster_refused`; unavailable */
export async function applyManifest(deps: ClusterDeps, request: ApplyRequest): Promise<Applied> {
  const { cluster, calls, actor } = request;
  const manifest = await cluster.readManifest();
  if (manifest === undefined) return 'none';
  assertOwn(manifest, cluster, deps.settings.deployment ?? request.deployment?.name);
  const { name, sha256 } = manifest;
  const deployment = request.deployment ?? (await calls.findDeployment(name));
  if (deployment?.appliedSha256 === sha256) return 'unchanged';
  const withReplicas = findAutoscaler(await calls.listAutoscalers(), name) === undefined;
  await changeCluster(deps, {
    about: {
      actor,
      action: deployment === undefined ? 'k8s.create' : 'k8s.apply',
      resource: `/v1/k8s/deployments/${cluster.namespace}/${name}`,
    },
    facts: { deployment: name, sha256 },
    prepare: (rows) => rows.cluster.lock(deployment?.uid ?? `${cluster.namespace}/${name}`).then(() => true),
    work: async () => {
      const session = await cluster.connect();
      await session.applyDeployment(manifest, { withReplicas });
      return { value: undefined, facts: { deployment: name, sha256 } };
    },
  });
  return deployment === undefined ? 'created' : 'updated';
}

/** The autoscaler whose target is the Deployment. */
export function findAutoscaler(autoscalers: readonly Autoscaler[], deployment: string): Autoscaler | undefined {
  return autoscalers.find(({ target }) => target.kind === 'Deployment' && target.name === deployment);
}

function assertOwn(manifest: Manifest, cluster: Cluster, own: string | undefined): void {
  const { name, namespace = cluster.namespace } = manifest;
  if (namespace === cluster.namespace && (own === undefined || name === own)) return;
  throw new DomainError(
    'conflict',
    'invalid_manifest',
    `CLUSTER_MANIFEST_FILE names the Deployment ${name} in namespace ${namespace}, but this service runs as ${own ?? name} in namespace ${cluster.namespace}.`,
  );
}
