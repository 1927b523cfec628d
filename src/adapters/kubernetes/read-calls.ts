// The reading calls: pods, ReplicaSets, the Deployment, its scale, autoscalers.
import type { ClusterCalls } from '../../domain/ports/cluster/cluster.ts';
import type { Autoscaler } from '../../domain/model/cluster/objects.ts';
import { call, expecting, find, listAll, type ApiContext } from './api-calls.ts';
import { toDeployment, toPod, toReplicaSet } from './read-objects.ts';
import { toPodTemplate } from './pod-template.ts';

type ReadCalls = Pick<
  ClusterCalls,
  | 'findPod'
  | 'findPodTemplate'
  | 'findReplicaSet'
  | 'findDeployment'
  | 'listPods'
  | 'listReplicaSets'
  | 'listAutoscalers'
>;

export function readCalls(context: ApiContext): ReadCalls {
  const { library, configuration, namespace } = context;
  const core = new library.CoreV1Api(configuration);
  const apps = new library.AppsV1Api(configuration);
  return {
    findPod: (name) =>
      find(context, { verb: 'get', resource: 'pods', name }, async () =>
        toPod(await core.readNamespacedPod({ name, namespace })),
      ),
    findPodTemplate: (name) =>
      find(context, { verb: 'get', resource: 'pods', name }, async () =>
        toPodTemplate(await core.readNamespacedPod({ name, namespace })),
      ),
    findReplicaSet: (name) =>
      find(context, { verb: 'get', resource: 'replicasets', name }, async () =>
        toReplicaSet(await apps.readNamespacedReplicaSet({ name, namespace })),
      ),
    findDeployment: (name) =>
      find(context, { verb: 'get', resource: 'deployments', name }, async () =>
        toDeployment(await apps.readNamespacedDeployment({ name, namespace })),
      ),
    listPods: (labelSelector) =>
      call(context, { verb: 'list', resource: 'pods' }, () =>
        listAll(
          (limit, after) => core.listNamespacedPod({ namespace, labelSelector, limit, ...continued(after) }),
          toPod,
        ),
      ),
    listReplicaSets: (labelSelector) =>
      call(context, { verb: 'list', resource: 'replicasets' }, () =>
        listAll(
          (limit, after) => apps.listNamespacedReplicaSet({ namespace, labelSelector, limit, ...continued(after) }),
          toReplicaSet,
        ),
      ),
    listAutoscalers: () => listAutoscalers(context),
  };
}

function continued(after: string | undefined): { _continue?: string } {
  return after === undefined ? {} : { _continue: after };
}

interface ListedAutoscaler {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly scaleTargetRef: { readonly kind: string; readonly name: string };
  };
}

/** By the newest version that the server has: before Kubernetes 1.23 there is no `autoscaling/v2`. */
async function listAutoscalers(context: ApiContext): Promise<Autoscaler[]> {
  const { library, configuration, namespace } = context;
  const facts = { verb: 'list', resource: 'horizontalpodautoscalers' };
  const group = await expecting(
    context,
    facts,
    () => new library.AutoscalingApi(configuration).getAPIGroup(),
    ({ code }) => code === 404,
  );
  if (group === undefined) return [];
  return call(context, facts, () => {
    const hasV2 = group.versions.some(({ version }) => version === 'v2');
    const api = hasV2 ? new library.AutoscalingV2Api(configuration) : new library.AutoscalingV1Api(configuration);
    return listAll(
      (limit, after) => api.listNamespacedHorizontalPodAutoscaler({ namespace, limit, ...continued(after) }),
      toAutoscaler,
    );
  });
}

function toAutoscaler({ metadata, spec }: ListedAutoscaler): Autoscaler {
  const { kind = '', name = '' } = spec?.scaleTargetRef ?? {};
  return {
    name: metadata?.name ?? '',
    min: spec?.minReplicas ?? 1,
    max: spec?.maxReplicas ?? 1,
    target: { kind, name },
  };
}
