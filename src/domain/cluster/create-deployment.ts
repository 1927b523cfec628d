// Makes a Deployment of the pod that this replica runs in, where nothing owns that pod. Only when asked. platform-1.2.
import { DomainError } from '../model/errors.ts';
import type { Cluster, ClusterCalls, PodTemplate } from '../ports/cluster/cluster.ts';
import { changeCluster } from './audited-change.ts';
import type { ClusterDeps } from './cluster-deps.ts';

const nameLabel = 'app.kubernetes.io/name';

/** @returns false: the pod has an owner, so there is nothing to create. @throws DomainError conflict; unavailable */
export async function createDeployment(
  deps: ClusterDeps,
  { cluster, calls, actor }: { readonly cluster: Cluster; readonly calls: ClusterCalls; readonly actor: string },
): Promise<boolean> {
  const [pod, template] = await Promise.all([calls.findPod(cluster.pod), calls.findPodTemplate(cluster.pod)]);
  if (pod === undefined || template === undefined || pod.owner !== null) return false;
  const name = deps.settings.deployment ?? template.labels[nameLabel];
  if (name === undefined) throw unnamed(cluster.pod);
  await changeCluster(deps, {
    about: { actor, action: 'k8s.create', resource: `/v1/k8s/deployments/${cluster.namespace}/${name}` },
    facts: { deployment: name, pod: cluster.pod },
    prepare: (rows) => rows.cluster.lock(`${cluster.namespace}/${name}`).then(() => true),
    work: () => create(cluster, name, template),
  });
  return true;
}

async function create(cluster: Cluster, name: string, template: PodTemplate) {
  const calls = await cluster.connect();
  await calls.createDeployment(name, template);
  return { value: undefined, facts: { deployment: name, pod: cluster.pod } };
}

function unnamed(pod: string): DomainError {
  return new DomainError(
    'conflict',
    'no_deployment',
    `The pod ${pod} has no owner and no label ${nameLabel}: set CLUSTER_DEPLOYMENT to the name of the Deployment to create.`,
  );
}
