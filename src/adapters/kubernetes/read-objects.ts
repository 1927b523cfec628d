// Reads what the service uses of the API server's objects. An answer is not trusted to have the shape that its type promises.
import type {
  V1ContainerStatus,
  V1Deployment,
  V1LabelSelector,
  V1ObjectMeta,
  V1Pod,
  V1ReplicaSet,
} from '@kubernetes/client-node';
import type {
  ClusterPod,
  Deployment,
  ControllerOwner,
  PodContainer,
  Progress,
  ReplicaSet,
} from '../../domain/model/cluster/objects.ts';

const hashLabel = 'pod-template-hash';
const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const appliedAnnotation = 'switchyard.dev/applied-sha256';

/** An answer lacks what every object of its kind has. */
export class MalformedObjectError extends Error {
  override readonly name = 'MalformedObjectError';
}

export function toPod({ metadata, spec, status }: V1Pod): ClusterPod {
  const condition = (type: string) => status?.conditions?.find((each) => each.type === type);
  const ready = condition('Ready');
  return {
    ...toIdentity(metadata),
    owner: toOwner(metadata),
    phase: status?.phase ?? 'Pending',
    ready: ready?.status === 'True',
    readySince: toIso(ready?.lastTransitionTime),
    scheduled: condition('PodScheduled')?.status !== 'False',
    createdAt: toIso(metadata?.creationTimestamp) ?? new Date(0).toISOString(),
    startedAt: toIso(status?.startTime),
    node: spec?.nodeName ?? null,
    templateHash: metadata?.labels?.[hashLabel] ?? null,
    deleting: metadata?.deletionTimestamp !== undefined,
    containers: [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map(toContainer),
  };
}

function toContainer({ name, restartCount, state }: V1ContainerStatus): PodContainer {
  return { name, restarts: restartCount, waiting: state?.waiting?.reason ?? null };
}

export function toReplicaSet({ metadata }: V1ReplicaSet): ReplicaSet {
  return {
    ...toIdentity(metadata),
    owner: toOwner(metadata),
    templateHash: metadata?.labels?.[hashLabel] ?? null,
    revision: metadata?.annotations?.[revisionAnnotation] ?? null,
  };
}

export function toDeployment({ metadata, spec, status }: V1Deployment): Deployment {
  return {
    ...toIdentity(metadata),
    selector: toQuery(spec?.selector),
    generation: metadata?.generation ?? 0,
    observedGeneration: status?.observedGeneration ?? 0,
    replicas: spec?.replicas ?? 1,
    updated: status?.updatedReplicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
    paused: spec?.paused ?? false,
    progress: toProgress(status),
    revision: metadata?.annotations?.[revisionAnnotation] ?? null,
    appliedSha256: metadata?.annotations?.[appliedAnnotation] ?? null,
  };
}

function toProgress(status: V1Deployment['status']): Progress | null {
  const condition = status?.conditions?.find(({ type }) => type === 'Progressing');
  if (condition === undefined) return null;
  return { reason: condition.reason ?? '', since: toIso(condition.lastTransitionTime) };
}

function toIdentity(metadata: V1ObjectMeta | undefined): { readonly name: string; readonly uid: string } {
  const { name, uid } = metadata ?? {};
  if (typeof name !== 'string' || typeof uid !== 'string')
    throw new MalformedObjectError('an object has no name or uid');
  return { name, uid };
}

function toOwner(metadata: V1ObjectMeta | undefined): ControllerOwner | null {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? null : { kind: owner.kind, name: owner.name, uid: owner.uid };
}

/** @throws MalformedObjectError for a date that is none */
function toIso(time: Date | undefined): string | null {
  if (time === undefined) return null;
  if (Number.isNaN(time.getTime())) throw new MalformedObjectError('an object has a time that is none');
  return time.toISOString();
}

/** A selector as the parameter of a list writes it. */
function toQuery(selector: V1LabelSelector | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([name, value]) => `${name}=${value}`);
  const expressions = (selector?.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  return [...labels, ...expressions].join(',');
}
