// The changing calls: evict, scale, restart, apply, create. None forces, and each names what it expects to change.
import type { V1PodSpec } from '@kubernetes/client-node';
import { DomainError } from '../../domain/model/errors.ts';
import type { ClusterCalls } from '../../domain/ports/cluster/cluster.ts';
import { call, find, type ApiContext } from './api-calls.ts';
import { evict } from './evict.ts';
import { appliedAnnotation } from './read-objects.ts';

type ChangeCalls = Pick<
  ClusterCalls,
  'evict' | 'findScale' | 'setScale' | 'restartDeployment' | 'applyDeployment' | 'createDeployment'
>;

const fieldManager = 'switchyard';
/** As `kubectl rollout restart` names it. */
const restartedAnnotation = 'kubectl.kubernetes.io/restartedAt';

export function changeCalls(context: ApiContext): ChangeCalls {
  const { library, configuration, namespace } = context;
  const apps = new library.AppsV1Api(configuration);
  const merge = library.setHeaderOptions('Content-Type', library.PatchStrategy.MergePatch);
  return {
    evict: (pod) => evict(context, pod),
    findScale: (name) =>
      find(context, { verb: 'get', resource: 'deployments/scale', name }, async () => {
        const { metadata, spec } = await apps.readNamespacedDeploymentScale({ name, namespace });
        return { replicas: spec?.replicas ?? 0, resourceVersion: metadata?.resourceVersion ?? '' };
      }),
    async setScale(name, { replicas, resourceVersion }) {
      const body = { metadata: { resourceVersion }, spec: { replicas } };
      await call(context, { verb: 'patch', resource: 'deployments/scale', name }, () =>
        apps.patchNamespacedDeploymentScale({ name, namespace, body, fieldManager }, merge),
      );
    },
    async restartDeployment(name, at) {
      const body = { spec: { template: { metadata: { annotations: { [restartedAnnotation]: at } } } } };
      await call(context, { verb: 'patch', resource: 'deployments', name }, () =>
        apps.patchNamespacedDeployment({ name, namespace, body, fieldManager }, merge),
      );
    },
    async applyDeployment({ name, sha256, content }, { withReplicas }) {
      const body = toApplied(content, { namespace, sha256, withReplicas });
      const apply = library.setHeaderOptions('Content-Type', library.PatchStrategy.ServerSideApply);
      await call(context, { verb: 'patch', resource: 'deployments', name }, () =>
        apps.patchNamespacedDeployment({ name, namespace, body, fieldManager }, apply),
      );
    },
    async createDeployment(name, template) {
      const labels = Object.keys(template.labels).length === 0 ? { 'app.kubernetes.io/name': name } : template.labels;
      const spec = toPodSpec(template.spec);
      const body = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name, namespace, labels },
        spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      };
      await call(context, { verb: 'create', resource: 'deployments', name }, () =>
        apps.createNamespacedDeployment({ namespace, body, fieldManager }),
      );
    },
  };
}

/** The manifest as it is applied: with its hash, and without what the server does not want to see twice. */
function toApplied(
  content: Readonly<Record<string, unknown>>,
  { namespace, sha256, withReplicas }: { namespace: string; sha256: string; withReplicas: boolean },
): Record<string, unknown> {
  const metadata = toRecord(content['metadata']);
  const { replicas, ...spec } = toRecord(content['spec']);
  return {
    ...content,
    metadata: {
      ...metadata,
      namespace,
      annotations: { ...toRecord(metadata['annotations']), [appliedAnnotation]: sha256 },
    },
    spec: { ...spec, ...(withReplicas && replicas !== undefined ? { replicas } : {}) },
  };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** @throws DomainError for a pod without containers, which the API server does not have */
function toPodSpec(spec: Readonly<Record<string, unknown>>): V1PodSpec {
  const { containers } = spec;
  if (!Array.isArray(containers)) throw new DomainError('conflict', 'no_deployment', 'The pod has no containers.');
  return { ...spec, containers };
}
