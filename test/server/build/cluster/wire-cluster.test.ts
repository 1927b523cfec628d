// Whether the service manages a cluster: what has to be there, and what it says where something is missing.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scaleCluster } from '../../../../src/domain/cluster/scale.ts';
import { systemCaller } from '../../../../src/domain/access/system-caller.ts';
import type { ClusterConfig } from '../../../../src/server/config/cluster/cluster-config.ts';
import { wireCluster, type WiredCluster } from '../../../../src/server/build/cluster/wire-cluster.ts';
import { testClusterConfig } from '../../../support/builders/part-configs.ts';
import { temporaryFolder } from '../../../support/process/program.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

const untouched = (): never => {
  throw new Error('this must not be asked');
};
const caller = systemCaller('default', 'test', ['k8s:write']);

async function accountFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = opened.use(await temporaryFolder()).path;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

function wire(cluster: Partial<ClusterConfig>, databaseUrl?: string): Promise<WiredCluster> {
  const wiring = {
    config: { cluster: { ...testClusterConfig, ...cluster }, databaseUrl },
    store: { within: untouched, ping: untouched },
    audit: { change: untouched },
    metrics: { looked: untouched, restarted: untouched, failed: untouched },
    replica: 'one',
    now: Date.now,
    elapsedMs: () => performance.now(),
    log: untouched,
  };
  return wireCluster(wiring, opened);
}

describe('the cluster manager', () => {
  it('[platform-1.1.1, core-4.9.5] is off where no host is set, and says nothing', async () => {
    const { deps, description } = await wire({});
    expect([deps.cluster, description]).toEqual([undefined, undefined]);
  });

  it('[platform-1.1.2, core-4.9.7] is off where no token is mounted, and says so', async () => {
    const mounted: Record<string, string>[] = [{}, { token: ' \n' }];
    for (const files of mounted) {
      const wired = await wire({ host: 'kubernetes.default', serviceAccountDir: await accountFolder(files) });
      expect(wired.description).toBe('off, no service account token is mounted');
      await expect(wired.status.read()).rejects.toMatchObject({
        kind: 'unavailable',
        code: 'not_in_cluster',
        message: expect.stringContaining('No service account token is mounted at /'),
      });
      await expect(scaleCluster(wired.deps, caller, 1)).rejects.toMatchObject({ code: 'not_in_cluster' });
    }
  });

  it('[platform-1.1.4] is off where CLUSTER_ENABLED is false', async () => {
    const serviceAccountDir = await accountFolder({ token: 'x', namespace: 'ns' });
    const wired = await wire({ host: 'kubernetes.default', enabled: false, serviceAccountDir });
    expect(wired.description).toBe('off, CLUSTER_ENABLED is false');
    await expect(wired.status.read()).rejects.toMatchObject({ code: 'not_in_cluster' });
  });

  it('is off where nothing says which namespace it is in', async () => {
    const serviceAccountDir = await accountFolder({ token: 'x' });
    expect((await wire({ host: 'h', serviceAccountDir })).description).toMatch(/set POD_NAMESPACE$/);
  });

  it('is on with a host, a token and a namespace; POD_NAME and POD_NAMESPACE win', async () => {
    const serviceAccountDir = await accountFolder({ token: 'x', namespace: 'mounted\n' });
    const mounted = await wire({ host: 'h', serviceAccountDir });
    expect(mounted.deps.cluster?.namespace).toBe('mounted');
    const named = await wire({ host: 'h', serviceAccountDir, podName: 'pod-1', podNamespace: 'named' });
    expect(named.description).toBe('on, pod pod-1 in namespace named');
    expect([named.deps.cluster?.pod, named.deps.cluster?.namespace]).toEqual(['pod-1', 'named']);
  });

  it('[platform-1.2.6, platform-1.2.7] asks nobody about a number that it would not scale to', async () => {
    const serviceAccountDir = await accountFolder({ token: 'x', namespace: 'ns' });
    const cluster = { host: 'h', serviceAccountDir, minReplicas: 2, maxReplicas: 4 };
    const { deps } = await wire(cluster);
    await expect(scaleCluster(deps, caller, 3)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'needs_shared_database',
    });
    const shared = await wire(cluster, 'postgresql://shared.example/switchyard');
    for (const replicas of [0, 1, 5]) {
      const refusal = { kind: 'invalid', errors: [{ path: '/replicas', message: expect.any(String) }] };
      await expect(scaleCluster(shared.deps, caller, replicas)).rejects.toMatchObject(refusal);
    }
  });
});
