// The cluster manager against a real API server and its controllers: the cases of every server, and what only a real one
// shows. Tests write the statuses of pods as a kubelet would.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeClusterCases } from '../../support/cluster/cluster-cases.ts';
import { accountTokens, findKubernetes, KubernetesServer } from '../../support/cluster/kubernetes-server.ts';
import { deploymentOf, openRealScene, type RealScene } from '../../support/cluster/real-scene.ts';
import { openReplica } from '../../support/cluster/scene.ts';
import { cloneDatabase } from '../../support/database/database.ts';
import { describeDeploymentFiles } from '../../support/deploy/deployment-cases.ts';
import type { ApiReply, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const programs = findKubernetes();
const opened = new AsyncDisposableStack();
let server: KubernetesServer;

const post = (service: TestService, action: string, body: unknown = {}): Promise<ApiReply> =>
  service.call('POST', `/v1/k8s/${action}`, { body });

describe.runIf(programs !== undefined)('a real API server', () => {
  beforeAll(async () => {
    if (programs !== undefined) server = opened.use(await KubernetesServer.start(programs));
  });
  afterAll(() => opened.disposeAsync());

  describeClusterCases('a real API server', (replicas) => openRealScene(server, replicas));

  describeDeploymentFiles(() => server);

  describe('its permissions', () => {
    it('[platform-1.5.2, platform-1.6.1] are enough as the Role grants them; each that is taken away is named', async () => {
      const scene = await openRealScene(server, 2);
      const [pod = ''] = await scene.pods();
      await using service = await openReplica(scene, { pod });
      const needed: readonly [permission: string, action: string, body: unknown][] = [
        ['get pods', 'reconcile', {}],
        ['list pods', 'reconcile', {}],
        ['get replicasets', 'reconcile', {}],
        ['list replicasets', 'reconcile', {}],
        ['get deployments', 'reconcile', {}],
        ['list horizontalpodautoscalers', 'scale', { replicas: 3 }],
        ['get deployments/scale', 'scale', { replicas: 3 }],
        ['patch deployments/scale', 'scale', { replicas: 3 }],
        ['patch deployments', 'health', { restart: 'all' }],
        ['create pods/eviction', 'health', {}],
      ];
      for (const [permission, action, body] of needed) {
        if (permission === 'create pods/eviction') await scene.setPod((await scene.pods())[1] ?? '', 'crash_loop');
        const [verb = '', resource = ''] = permission.split(' ');
        await scene.deny(verb, resource);
        const reply = await until(`${permission} is denied`, async () => {
          const answer = await post(service, action, body);
          return answer.status === 503 ? answer : undefined;
        });
        expect(reply.body.code).toBe('cluster_forbidden');
        const account = 'switchyard-system:switchyard';
        expect(reply.body.detail).toContain(`The service account ${account} may not \`${permission}\``);
        await scene.allowAll();
        await until(`${permission} is granted again`, async () => (await post(service, 'reconcile')).status === 200);
      }
      // This one of the changes was made once it was permitted.
      expect(await scene.evictions()).toHaveLength(1);
      expect(await scene.replicas()).toBe(2);
      await scene.deny('patch', 'deployments/scale');
      await scene.deny('create', 'pods/eviction');
      const missing = await until('the status names what is missing', async () => {
        const { body } = await service.call('GET', '/v1/k8s/status');
        return body.permissions.missing.length === 2 && body.permissions.missing;
      });
      expect(missing).toEqual(['create pods/eviction', 'patch deployments/scale']);
    });
  });

  describe('its faults', () => {
    let scene: RealScene;
    let service: TestService;
    beforeAll(async () => {
      scene = await openRealScene(server, 2);
      const [pod = ''] = await scene.pods();
      service = opened.use(await openReplica(scene, { pod }));
    });

    it('[platform-1.5.3, platform-1.5.10] are reported as they are, and pass: it hangs, it is killed, it is back', async () => {
      await server.suspendApi();
      const hanging = await post(service, 'reconcile');
      expect([hanging.status, hanging.body.code, hanging.headers.get('retry-after')]).toEqual([
        503,
        'cluster_unreachable',
        '10',
      ]);
      expect((await service.call('GET', '/health', { token: null })).status).toBe(200);
      server.resumeApi();
      await until('it answers again', async () => (await post(service, 'reconcile')).status === 200);
      await server.killApi();
      const gone = await post(service, 'reconcile');
      expect([gone.status, gone.body.code]).toEqual([503, 'cluster_unreachable']);
      await server.startApi();
      await until('it is found again', async () => (await post(service, 'reconcile')).status === 200);
    });

    it('[platform-1.1.6, platform-1.5.4] are no longer any once the token file is exchanged', async () => {
      const file = `${scene.connection.serviceAccountDir}/token`;
      writeFileSync(file, 'an-expired-token');
      const denied = await post(service, 'reconcile');
      expect([denied.status, denied.body.code]).toEqual([503, 'cluster_unauthorized']);
      writeFileSync(file, accountTokens[1]);
      expect((await post(service, 'reconcile')).status).toBe(200);
    });
  });

  describe('its Deployments', () => {
    it('[core-4.9.9, platform-1.2.2, platform-1.2.3, platform-1.5.5] are applied once for each manifest, and never taken from others', async () => {
      const scene = await openRealScene(server, 2);
      const [pod = ''] = await scene.pods();
      const manifestFile = `${scene.connection.serviceAccountDir}/deployment.json`;
      const write = (change: (manifest: Record<string, never>) => void): void => {
        const manifest = JSON.parse(JSON.stringify({ ...deploymentOf('switchyard', 2) }));
        delete manifest.spec.replicas;
        change(manifest);
        writeFileSync(manifestFile, JSON.stringify(manifest));
      };
      await using service = await openReplica(scene, { pod, cluster: { manifestFile } });
      const annotate = (version: string) => (manifest: { metadata?: unknown }) => {
        Object.assign(manifest, { metadata: { name: 'switchyard', annotations: { 'example.com/version': version } } });
      };
      write(annotate('1'));
      expect((await post(service, 'reconcile')).body.detail.deployment).toBe('updated');
      expect((await post(service, 'reconcile')).body.detail.deployment).toBe('unchanged');
      const { metadata } = await scene.readDeployment();
      expect(metadata.annotations).toMatchObject({
        'example.com/version': '1',
        'switchyard.dev/applied-sha256': expect.any(String),
      });
      // Somebody else holds the image, by another manager.
      const image = [{ name: 'service', image: 'switchyard:by-hand' }];
      await scene.must(
        'PATCH',
        `/apis/apps/v1/namespaces/${scene.namespace}/deployments/switchyard?fieldManager=by-hand`,
        { spec: { template: { spec: { containers: image } } } },
        'application/strategic-merge-patch+json',
      );
      write(annotate('2'));
      const conflict = await post(service, 'reconcile');
      expect([conflict.status, conflict.body.code]).toEqual([409, 'cluster_conflict']);
      expect(conflict.body.detail).toMatch(/containers\[name="service"\]\.image .*by-hand/);
      expect((await scene.readDeployment()).metadata.annotations['example.com/version']).toBe('1');
      const status = await service.call('GET', '/v1/k8s/status');
      expect(status.body.last_reconcile).toMatchObject({ outcome: 'failed', error: { code: 'cluster_conflict' } });
      write((manifest) =>
        Object.assign(manifest, { spec: { ...(deploymentOf('x', 1)['spec'] as object), replica: 3 } }),
      );
      const misspelt = await post(service, 'reconcile');
      expect([misspelt.status, misspelt.body.code]).toEqual([409, 'cluster_refused']);
      expect(misspelt.body.detail).toContain('replica');
      write((manifest) => Object.assign(manifest, { metadata: { name: 'another' } }));
      expect((await post(service, 'reconcile')).body.code).toBe('invalid_manifest');
    });

    it('[platform-1.2.4] keep their replicas where an autoscaler scales them', async () => {
      const scene = await openRealScene(server, 2);
      const [pod = ''] = await scene.pods();
      const manifestFile = `${scene.connection.serviceAccountDir}/deployment.json`;
      writeFileSync(manifestFile, JSON.stringify(deploymentOf('switchyard', 7)));
      await scene.addAutoscaler({ min: 1, max: 9 });
      await using service = await openReplica(scene, { pod, cluster: { manifestFile } });
      expect((await post(service, 'reconcile')).body.detail.deployment).toBe('updated');
      expect(await scene.replicas()).toBe(2);
    });

    it('[platform-1.2.5, platform-1.5.6] are made of a pod that nothing owns, when a caller asks for it', async () => {
      const scene = await openRealScene(server, 0);
      const core = `/api/v1/namespaces/${scene.namespace}`;
      const labels = { 'app.kubernetes.io/name': 'alone' };
      const mount = { name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
      const container = {
        name: 'service',
        image: 'switchyard:1.2.0',
        env: [{ name: 'A', value: 'b' }],
        volumeMounts: [mount],
      };
      const spec = {
        containers: [container],
        volumes: [{ name: 'token', emptyDir: {} }],
        terminationGracePeriodSeconds: 45,
      };
      await scene.must('POST', `${core}/pods`, { metadata: { name: 'alone', labels }, spec });
      await using service = await openReplica(scene, { pod: 'alone' });
      for (const [action, body] of [
        ['scale', { replicas: 2 }],
        ['health', {}],
      ] as const) {
        const reply = await post(service, action, body);
        expect([reply.status, reply.body.code]).toEqual([409, 'no_deployment']);
      }
      expect((await service.call('GET', '/v1/k8s/status')).body).toMatchObject({ deployment: null, pods: [] });
      const denied = await post(service, 'reconcile');
      expect([denied.status, denied.body.detail]).toEqual([
        503,
        expect.stringContaining('`create deployments` named alone'),
      ]);
      await scene.allow({ apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] });
      const made = await until('the permission holds', async () => {
        const reply = await post(service, 'reconcile');
        return reply.status === 200 && reply;
      });
      expect(made.body).toMatchObject({ accepted: true, detail: { deployment: 'created', checked: 0 } });
      const created = await scene.must('GET', `/apis/apps/v1/namespaces/${scene.namespace}/deployments/alone`);
      expect(created.spec).toMatchObject({ replicas: 1, selector: { matchLabels: labels } });
      const { containers, volumes, terminationGracePeriodSeconds, nodeName } = created.spec.template.spec;
      expect([terminationGracePeriodSeconds, volumes ?? [], nodeName]).toEqual([45, [], undefined]);
      expect(containers).toMatchObject([
        { name: 'service', image: 'switchyard:1.2.0', env: [{ name: 'A', value: 'b' }] },
      ]);
      expect(containers[0].volumeMounts ?? []).toEqual([]);
      const again = await post(service, 'reconcile');
      expect([again.status, again.body.code]).toEqual([409, 'cluster_conflict']);
    });
  });

  describe('its pods', () => {
    it('[platform-1.3.12, platform-1.3.17, platform-1.4.1] of a broken image are restarted after 0, 1, 3 and 7 intervals, by two loops', async () => {
      const scene = await openRealScene(server, 3);
      const names = await scene.pods();
      await using closing = new AsyncDisposableStack();
      const db = closing.use(await cloneDatabase());
      const cluster = { reconcileSeconds: 1, restartIntervalSeconds: 1 };
      const replicas = await Promise.all(names.slice(0, 2).map((pod) => openReplica(scene, { db, pod, cluster })));
      for (const replica of replicas) closing.use(replica);
      await scene.setPod(names[2] ?? '', 'crash_loop');
      const known = new Set(names);
      const evictions = await until('four rounds', async () => {
        // Each successor crashes as soon as it is there.
        const fresh = (await scene.pods()).find((name) => !known.has(name));
        if (fresh !== undefined) await scene.setPod(fresh, 'crash_loop');
        if (fresh !== undefined) known.add(fresh);
        const found = await scene.evictions();
        return found.length >= 4 && found;
      });
      expect(new Set(evictions).size).toBe(evictions.length);
      const rounds = await db.query<{ attempt: number; pause: number | null }>(
        `select attempt, extract(epoch from started_at - lag(started_at) over (order by round))::float8 as pause
         from cluster_rounds order by round limit 4`,
      );
      expect(rounds.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
      for (const [i, least] of [1, 2, 4].entries()) expect(rounds[i + 1]?.pause).toBeGreaterThanOrEqual(least);
    });
  });
});
