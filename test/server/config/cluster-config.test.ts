// The settings of the cluster manager: their defaults, both names of the API server, bounds that exclude each other.
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config/config.ts';
import type { ClusterConfig } from '../../../src/server/config/cluster/cluster-config.ts';

async function load(env: Readonly<Record<string, string>>): Promise<ClusterConfig> {
  const fixed = { hostname: 'testhost', now: () => 0, randomBytes: (size: number) => new Uint8Array(size) };
  const sources = { flags: {}, configFile: undefined, env, cwd: '/somewhere' };
  return (await loadConfig({ ...sources, ...fixed })).config.cluster;
}

describe('the settings of the cluster manager', () => {
  it('[core-8.6, core-4.9.13] have their defaults: a check each 30 seconds', async () => {
    expect(await load({})).toEqual({
      enabled: true,
      host: undefined,
      port: 443,
      serviceAccountDir: '/var/run/secrets/kubernetes.io/serviceaccount',
      deployment: undefined,
      manifestFile: undefined,
      selfHeal: true,
      minReplicas: 1,
      maxReplicas: 20,
      reconcileSeconds: 30,
      unhealthySeconds: 120,
      restartIntervalSeconds: 300,
      podName: undefined,
      podNamespace: undefined,
    });
  });

  it('[core-4.9.5, choices-1.51] take either name of the API server, and never the port of the other one', async () => {
    const kubernetes = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' };
    expect(await load(kubernetes)).toMatchObject({ host: '10.0.0.1', port: 6443 });
    expect(await load({ ...kubernetes, CLUSTER_SERVICE_HOST: 'api.example' })).toMatchObject({
      host: 'api.example',
      port: 443,
    });
    const named = { CLUSTER_SERVICE_HOST: 'fd00::1', CLUSTER_SERVICE_PORT: '8443' };
    expect(await load(named)).toMatchObject({ host: 'fd00::1', port: 8443 });
  });

  it('read the manifest from the folder of the start, and seconds from 1 on', async () => {
    const env = {
      CLUSTER_MANIFEST_FILE: 'deployment.yaml',
      CLUSTER_RECONCILE_SECONDS: '1',
      CLUSTER_SELF_HEAL: 'false',
    };
    expect(await load(env)).toMatchObject({
      manifestFile: '/somewhere/deployment.yaml',
      reconcileSeconds: 1,
      selfHeal: false,
    });
  });

  it('stop the start where they exclude each other or are none', async () => {
    await expect(load({ CLUSTER_MIN_REPLICAS: '3', CLUSTER_MAX_REPLICAS: '2' })).rejects.toThrow(/is more than/);
    await expect(load({ CLUSTER_MIN_REPLICAS: '0' })).rejects.toThrow(/CLUSTER_MIN_REPLICAS/);
    await expect(load({ CLUSTER_SERVICE_HOST: 'https://api.example' })).rejects.toThrow(/without scheme and port/);
    await expect(load({ CLUSTER_DEPLOYMENT: 'Not A Name' })).rejects.toThrow(/CLUSTER_DEPLOYMENT/);
  });
});
