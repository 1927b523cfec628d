// The template that a Deployment may have of a running pod: its spec without what belongs to that one pod.
import type { V1Container, V1Pod, V1PodSpec } from '@kubernetes/client-node';
import type { PodTemplate } from '../../domain/ports/cluster/cluster.ts';

const hashLabel = 'pod-template-hash';
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

export function toPodTemplate({ metadata, spec }: V1Pod): PodTemplate {
  const { [hashLabel]: _hash, ...labels } = metadata?.labels ?? {};
  return { labels, spec: spec === undefined ? {} : Object.fromEntries(Object.entries(withoutPlace(spec))) };
}

/** Without the node, and without the token that the cluster mounts into each pod anew. */
function withoutPlace({ nodeName: _node, hostname: _host, ...spec }: V1PodSpec): V1PodSpec {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  const injected = new Set(
    containers.flatMap(({ volumeMounts = [] }) =>
      volumeMounts.filter(({ mountPath }) => mountPath === accountFolder).map(({ name }) => name),
    ),
  );
  const withoutMounts = ({ volumeMounts, ...container }: V1Container): V1Container =>
    volumeMounts === undefined
      ? container
      : { ...container, volumeMounts: volumeMounts.filter(({ name }) => !injected.has(name)) };
  return {
    ...spec,
    containers: spec.containers.map(withoutMounts),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withoutMounts) }),
    ...(spec.volumes === undefined ? {} : { volumes: spec.volumes.filter(({ name }) => !injected.has(name)) }),
  };
}
