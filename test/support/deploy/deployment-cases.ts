// The files of deploy/kubernetes on a real API server: every object is taken, and the Deployment rolls out and over.
import { describe, expect, it } from 'vitest';
import { patchTypes, type ApiAnswer } from '../cluster/ask-api.ts';
import type { KubernetesServer } from '../cluster/kubernetes-server.ts';
import { podStatus } from '../cluster/pod-status.ts';
import { until } from '../until.ts';
import { componentNames, findKustomize, renderObjects, type KubernetesObject } from './kubernetes-files.ts';

const namespace = 'rollout';

/** Kinds that servers before Kubernetes 1.23 lack or name otherwise. */
function forOldServer(object: KubernetesObject): KubernetesObject {
  const copy = structuredClone(object);
  if (copy.apiVersion === 'policy/v1') copy.apiVersion = 'policy/v1beta1';
  if (copy.apiVersion === 'autoscaling/v2') copy.apiVersion = 'autoscaling/v2beta2';
  delete copy.spec?.unhealthyPodEvictionPolicy;
  delete copy.spec?.template?.spec?.hostUsers;
  return copy;
}

/** The operator of Prometheus brings it; what it has to look like is not this project's. */
const serviceMonitors = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'servicemonitors.monitoring.coreos.com' },
  spec: {
    group: 'monitoring.coreos.com',
    names: { kind: 'ServiceMonitor', plural: 'servicemonitors' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const plurals: Record<string, string> = { NetworkPolicy: 'networkpolicies' };

function pathOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
  return `${group}/namespaces/${metadata.namespace}/${plural}/${metadata.name}`;
}

export function describeDeploymentFiles(server: () => KubernetesServer): void {
  const kustomize = findKustomize();
  describe.runIf(kustomize !== undefined)('takes the files of deploy/kubernetes', () => {
    const apply = (object: KubernetesObject, query = ''): Promise<ApiAnswer> =>
      server().ask('PATCH', `${pathOf(object)}?fieldManager=test${query}`, object, patchTypes.apply);
    const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const readDeployment = async (): Promise<KubernetesObject> =>
      (await server().ask('GET', `${deployments}/switchyard`)).body;
    const listPods = async (): Promise<KubernetesObject[]> => {
      const selector = encodeURIComponent('app.kubernetes.io/name=switchyard');
      return (await server().ask('GET', `/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`)).body.items;
    };
    const rendered = (components: readonly string[]): KubernetesObject[] =>
      renderObjects(kustomize ?? '', components, namespace).map(forOldServer);

    it('[platform-2.10] each object, tried and for real; a misspelt field and an impossible strategy are refused', async () => {
      await server().ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
      await server().ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', serviceMonitors);
      const objects = rendered(componentNames);
      await until('the kind ServiceMonitor is known', async () => {
        const { status } = await server().ask(
          'GET',
          `/apis/monitoring.coreos.com/v1/namespaces/${namespace}/servicemonitors`,
        );
        return status === 200;
      });
      for (const query of ['&dryRun=All', '']) {
        for (const object of objects) {
          const { status, body } = await apply(object, query);
          expect([object.kind, status < 300, body.message]).toEqual([object.kind, true, undefined]);
        }
      }
      const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'switchyard');
      const misspelt = structuredClone(deployment);
      misspelt.spec.template.spec.containers[0].readinesProbe = {};
      const refused = await apply(misspelt, '&dryRun=All');
      expect([refused.status >= 400, refused.body.message]).toEqual([true, expect.stringContaining('readinesProbe')]);
      const stuck = structuredClone(deployment);
      stuck.spec.strategy.rollingUpdate.maxSurge = 0;
      const invalid = await apply(stuck, '&dryRun=All');
      expect([invalid.status, invalid.body.message]).toEqual([422, expect.stringContaining('maxUnavailable')]);
    });

    it('[platform-2.12] and rolls the Deployment out, and over to the next version, never with fewer ready pods', async () => {
      // As a kubelet: whatever exists becomes ready, one look later.
      const serve = async (): Promise<KubernetesObject> => {
        for (const { metadata, status } of await listPods()) {
          if (status.phase === 'Running' || metadata.deletionTimestamp !== undefined) continue;
          const ready = podStatus('ready');
          await server().ask(
            'PATCH',
            `/api/v1/namespaces/${namespace}/pods/${metadata.name}/status`,
            { status: ready },
            patchTypes.merge,
          );
        }
        return readDeployment();
      };
      // Without the five seconds between ready and available.
      const patch = (spec: KubernetesObject): Promise<ApiAnswer> =>
        server().ask('PATCH', `${deployments}/switchyard`, { spec }, patchTypes.merge);
      await patch({ minReadySeconds: 0, replicas: 2 });
      const isDone = ({ metadata, status }: KubernetesObject): boolean =>
        status.observedGeneration === metadata.generation &&
        status.updatedReplicas === 2 &&
        status.availableReplicas === 2 &&
        status.replicas === 2;
      await until('it has rolled out', async () => isDone(await serve()));
      await patch({ template: { metadata: { annotations: { version: 'next' } } } });
      const seen: number[] = [];
      await until('it has rolled over', async () => {
        const deployment = await serve();
        seen.push(deployment.status.readyReplicas ?? 0);
        return isDone(deployment);
      });
      expect(Math.min(...seen)).toBe(2);
      const hashes = (await listPods()).map(({ metadata }) => metadata.labels['pod-template-hash']);
      expect(new Set(hashes).size).toBe(1);
    });
  });
}
