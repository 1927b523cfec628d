// The service in a cluster: it finds its Deployment, restarts a crashed pod once, scales. core-4.9. The API server and its
// controllers are real; the walk writes the statuses of pods as a kubelet would.
import { afterAll, describe, expect } from 'vitest';
import { findKubernetes, KubernetesServer } from '../../support/cluster/kubernetes-server.ts';
import { openRealScene, type RealScene } from '../../support/cluster/real-scene.ts';
import { until } from '../../support/until.ts';
import { walks } from '../support/walk.ts';

const programs = findKubernetes();
const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

describe.skipIf(programs === undefined)('the cluster', () => {
  let scene: RealScene;
  const settings = async (): Promise<Record<string, string>> => {
    const server = opened.use(await KubernetesServer.start(programs ?? expect.unreachable()));
    scene = await openRealScene(server, 3);
    const { host, port, serviceAccountDir } = scene.connection;
    return {
      CLUSTER_SERVICE_HOST: host,
      CLUSTER_SERVICE_PORT: String(port),
      CLUSTER_SERVICE_ACCOUNT_DIR: serviceAccountDir,
      // The processes of a walk run in no pod.
      CLUSTER_DEPLOYMENT: scene.deployment,
      CLUSTER_RECONCILE_SECONDS: '1',
    };
  };

  walks('cluster', { on: ['replicas'], settings, oneByOne: true }, (walk) => {
    walk(['cluster-heals'], 'a crashed pod is restarted once, by one of two replicas', async (on) => {
      const [crashed = ''] = await scene.pods();
      await scene.setPod(crashed, 'crash_loop');
      await until('it was evicted', async () => (await scene.evictions()).length > 0);
      await scene.heal();
      await until('the next check finds every pod healthy', async () => {
        const { last_reconcile: last } = await on.must(200, 'GET', '/v1/k8s/status', { as: 'operator' });
        return last?.outcome === 'healthy' && last.checked === 3;
      });
      expect(await scene.evictions()).toEqual([crashed]);
      const found = await until('the entry of the audit', async () => {
        const { events } = await on.must(200, 'POST', '/v1/audit/query', {
          as: 'admin',
          body: { action: 'k8s.restart_pod' },
          headers: { 'x-tenant-id': 'system' },
        });
        return events.length > 0 && events;
      });
      expect(found).toMatchObject([
        { actor: 'service:cluster_reconciler', outcome: 'success', metadata: { pod: crashed, reason: 'crash_loop' } },
      ]);
    });

    walk(['cluster-scales'], 'an admin scales and restarts it by the command line', async (on) => {
      const scaled = await on.cli('admin', 'cluster', 'scale', '4');
      expect([scaled.code, scaled.out]).toEqual([0, 'scaled switchyard from 3 to 4\n']);
      await scene.heal();
      // The answer of the API server is kept for two seconds.
      await until('the status shows four pods', async () => {
        const { out } = await on.cli('operator', 'cluster', 'status');
        return /^deployment +switchyard, 4 of 4 ready, 4 of the newest template$/m.test(out);
      });
      const restarted = await on.cli('admin', 'cluster', 'health', '--restart-all');
      expect([restarted.code, restarted.out.match(/^restarting {2}/gm)?.length]).toEqual([0, 4]);
      const { spec } = await scene.readDeployment();
      expect(spec.template.metadata.annotations).toHaveProperty(['kubectl.kubernetes.io/restartedAt']);
      expect((await on.cli('operator', 'cluster', 'scale', '2')).code).toBe(4);
    });
  });
});
