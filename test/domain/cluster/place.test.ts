// The objects around a replica: its Deployment by the owners of its pod or by name, and the pods that belong to it.
import { expect, it } from 'vitest';
import { findDeployment, listDeploymentPods } from '../../../src/domain/cluster/place.ts';
import type { ReplicaSet } from '../../../src/domain/model/cluster/objects.ts';
import type { ClusterCalls } from '../../../src/domain/ports/cluster/cluster.ts';
import { healthyPod, settledDeployment } from '../../support/cluster/cluster-objects.ts';

const deployment = settledDeployment(2);
const cluster = {
  namespace: 'ns',
  pod: 'here',
  connect: () => Promise.reject(new Error('unused')),
  readManifest: () => Promise.resolve(undefined),
};
const set = (name: string, hash: string, overrides: Partial<ReplicaSet> = {}): ReplicaSet => ({
  name,
  uid: `uid-${name}`,
  owner: { kind: 'Deployment', name: 'switchyard', uid: deployment.uid },
  templateHash: hash,
  revision: '1',
  ...overrides,
});

type Reads = Pick<ClusterCalls, 'findPod' | 'findReplicaSet' | 'findDeployment' | 'listPods' | 'listReplicaSets'>;

/** Calls of a cluster in which only these reads are made. */
function callsOf(reads: Partial<Reads>): ClusterCalls {
  const refuse = (): never => {
    throw new Error('this must not be asked');
  };
  const all = {
    findPod: refuse,
    findReplicaSet: refuse,
    findDeployment: refuse,
    listPods: refuse,
    listReplicaSets: refuse,
  };
  const changes = {
    evict: refuse,
    findScale: refuse,
    setScale: refuse,
    restartDeployment: refuse,
    applyDeployment: refuse,
  };
  const others = {
    listAutoscalers: refuse,
    missingPermissions: refuse,
    findPodTemplate: refuse,
    createDeployment: refuse,
  };
  return { ...all, ...changes, ...others, ...reads };
}

it('[platform-1.2.1] is found by owners: pod, ReplicaSet, Deployment', async () => {
  const asked: string[] = [];
  const calls = callsOf({
    findPod: (name) => Promise.resolve(asked.push(name) > 0 ? healthyPod(name) : undefined),
    findReplicaSet: (name) => Promise.resolve(asked.push(name) > 0 ? set(name, 'hash-1') : undefined),
    findDeployment: (name) => Promise.resolve(asked.push(name) > 0 ? deployment : undefined),
  });
  expect(await findDeployment(calls, cluster, { deployment: undefined })).toBe(deployment);
  expect(asked).toEqual(['here', 'switchyard-1', 'switchyard']);
});

it('[platform-1.2.1] is none for a pod that nothing or something else owns', async () => {
  const owners = [null, { kind: 'StatefulSet', name: 'x', uid: 'x' }];
  for (const owner of owners) {
    const calls = callsOf({ findPod: (name) => Promise.resolve(healthyPod(name, { owner })) });
    expect(await findDeployment(calls, cluster, { deployment: undefined })).toBeUndefined();
  }
  const gone = callsOf({ findPod: () => Promise.resolve(undefined) });
  expect(await findDeployment(gone, cluster, { deployment: undefined })).toBeUndefined();
});

it('[platform-1.2.1] is the one that CLUSTER_DEPLOYMENT names, without a look at the pod', async () => {
  const calls = callsOf({ findDeployment: (name) => Promise.resolve(name === 'named' ? deployment : undefined) });
  expect(await findDeployment(calls, cluster, { deployment: 'named' })).toBe(deployment);
});

it('[platform-1.3.1] has the pods of its own ReplicaSets, whatever else has its labels', async () => {
  const owned = (name: string, by: string) =>
    healthyPod(name, { owner: { kind: 'ReplicaSet', name: by, uid: `uid-${by}` } });
  const stranger = { kind: 'Deployment', name: 'another', uid: 'uid-of-another' };
  const { pods, currentHash } = await listDeploymentPods(
    callsOf({
      listPods: () =>
        Promise.resolve([
          owned('a', 'old'),
          owned('b', 'new'),
          owned('c', 'foreign'),
          healthyPod('d', { owner: null }),
        ]),
      listReplicaSets: () =>
        Promise.resolve([
          set('old', 'h1', { revision: '1' }),
          set('new', 'h2', { revision: '2' }),
          set('foreign', 'h3', { owner: stranger, revision: '2' }),
        ]),
    }),
    settledDeployment(2, { revision: '2' }),
  );
  expect([pods.map(({ name }) => name), currentHash]).toEqual([['a', 'b'], 'h2']);
});
