// The cases of the cluster manager that hold of every API server, forged or real.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../database/database.ts';
import type { ApiReply, TestService } from '../service.ts';
import { until } from '../until.ts';
import { openReplica, type PodState, type Scene } from './scene.ts';

export type OpenScene = (replicas: number) => Promise<Scene>;

/** @param open makes a scene whose pods are all ready */
export function describeClusterCases(server: string, open: OpenScene): void {
  describeActions(server, open);
  describeHealing(server, open);
}

const get = (service: TestService): Promise<ApiReply> => service.call('GET', '/v1/k8s/status', { as: 'operator' });
const post = (service: TestService, action: string, body: unknown = {}): Promise<ApiReply> =>
  service.call('POST', `/v1/k8s/${action}`, { body });

/** Entries about the cluster in the audit of the tenant `system`, the newest first. */
async function auditOf(
  service: TestService,
): Promise<{ action: string; actor: string; metadata: Record<string, unknown> }[]> {
  const reply = await service.call('GET', '/v1/audit/events?limit=200', { headers: { 'x-tenant-id': 'system' } });
  return reply.body.events.filter(({ action }: { action: string }) => action.startsWith('k8s.'));
}

function describeActions(server: string, open: OpenScene): void {
  describe(`the cluster manager at ${server}`, () => {
    const closing = new AsyncDisposableStack();
    let scene: Scene;
    let service: TestService;
    let names: string[];
    beforeAll(async () => {
      scene = await open(2);
      names = await scene.pods();
      service = closing.use(await openReplica(scene, { pod: names[0] ?? '' }));
    });
    afterAll(() => closing.disposeAsync());

    it('[core-4.9.1, core-4.9.6, core-4.9.8, platform-1.2.1, platform-1.5.1, choices-3.111, choices-3.112, core-1.14.2] shows the Deployment and its pods', async () => {
      const { status, body } = await get(service);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        in_cluster: true,
        namespace: scene.namespace,
        pod: names[0],
        deployment: { name: 'switchyard', replicas: 2, available: 2, updated: 2, ready: 2, paused: false },
        autoscaler: null,
        permissions: { missing: [] },
        last_reconcile: null,
      });
      expect(body.pods.map((pod: { name: string }) => pod.name)).toEqual(names);
      expect(body.pods[0]).toMatchObject({ phase: 'Running', ready: true, current: true, unhealthy_reason: null });
    });

    it('[core-4.9.2, core-4.9.10, platform-1.2.6, choices-3.113] scales within its bounds, and writes nothing for the same number', async () => {
      const same = await post(service, 'scale', { replicas: 2 });
      expect(same.body).toEqual({
        action: 'scale',
        accepted: true,
        detail: { deployment: 'switchyard', from: 2, to: 2, changed: false },
      });
      const none = await post(service, 'scale', { replicas: 0 });
      expect([none.status, none.body.detail]).toEqual([400, expect.stringContaining('use kubectl')]);
      expect((await post(service, 'scale', { replicas: 21 })).body.errors[0].path).toBe('/replicas');
      expect((await post(service, 'scale', { replicas: 1.5 })).status).toBe(400);
      expect(await scene.replicas()).toBe(2);
      const more = await post(service, 'scale', { replicas: 3 });
      expect(more.body.detail).toEqual({ deployment: 'switchyard', from: 2, to: 3, changed: true });
      expect(await scene.replicas()).toBe(3);
      await scene.heal();
      const [entry] = await auditOf(service);
      expect(entry).toMatchObject({
        action: 'k8s.scale',
        actor: 'token:admin',
        metadata: { deployment: 'switchyard', from: 2, to: 3 },
      });
    });

    it('[platform-1.2.9] lets two scalers at once succeed, one after the other', async () => {
      const replies = await Promise.all([4, 5, 4, 5].map((replicas) => post(service, 'scale', { replicas })));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect([4, 5]).toContain(await scene.replicas());
      await post(service, 'scale', { replicas: 3 });
      await scene.heal();
    });

    it('[platform-1.3.8] restarts all pods by the annotation of the template, once no rollout is under way', async () => {
      const { body } = await post(service, 'health', { restart: 'all' });
      expect([body.accepted, body.detail.restarting.length, body.detail.held_back]).toEqual([true, 3, []]);
      const [entry] = await auditOf(service);
      expect(entry).toMatchObject({ action: 'k8s.rollout_restart', metadata: { deployment: 'switchyard', pods: 3 } });
      await scene.beginRollout();
      const held = await post(service, 'health', { restart: 'all' });
      expect([held.body.accepted, held.body.detail.held_back[0].reason]).toEqual([false, 'rollout']);
    });

    it('[platform-1.2.8] does not scale what an autoscaler scales', async () => {
      await scene.addAutoscaler({ min: 2, max: 7 });
      const reply = await post(service, 'scale', { replicas: 4 });
      expect([reply.status, reply.body.code]).toEqual([409, 'autoscaled']);
      expect(reply.body.detail).toMatch(/by-load .* 2 and 7/);
    });
  });
}

function describeHealing(server: string, open: OpenScene): void {
  describe(`self-healing at ${server}`, () => {
    const closing = new AsyncDisposableStack();
    let scene: Scene;
    let db: TestDatabase;
    let replicas: TestService[];
    let names: string[];
    let leader: TestService;
    beforeAll(async () => {
      scene = await open(5);
      names = await scene.pods();
      db = closing.use(await cloneDatabase());
      replicas = await Promise.all(names.slice(0, 3).map((pod) => openReplica(scene, { db, pod })));
      for (const replica of replicas) closing.use(replica);
      leader = replicas[0] as TestService;
    });
    afterAll(() => closing.disposeAsync());
    const reconcile = (): Promise<ApiReply[]> => Promise.all(replicas.map((replica) => post(replica, 'reconcile')));
    const makeIll = async (state: PodState, name = names[4] ?? ''): Promise<void> => scene.setPod(name, state);

    it('[core-4.9.4, core-4.9.11, core-4.9.14] finds nothing to do while all pods are healthy', async () => {
      const { body } = await post(leader, 'reconcile');
      expect(body).toEqual({
        action: 'reconcile',
        accepted: true,
        detail: { deployment: 'none', checked: 5, unhealthy: [], restarting: [], held_back: [] },
      });
      expect((await get(leader)).body.last_reconcile).toMatchObject({ outcome: 'healthy', checked: 5, error: null });
    });

    it('[platform-1.3.10] leaves a pod that a disruption budget holds, and takes it at the next check', async () => {
      await scene.setBudget(5);
      await makeIll('crash_loop');
      const held = await post(leader, 'reconcile');
      expect(held.body).toMatchObject({
        accepted: false,
        detail: { restarting: [], held_back: [{ pod: names[4], reason: 'disruption_budget' }] },
      });
      expect(await scene.evictions()).toEqual([]);
      await scene.removeBudget();
    });

    it('[core-4.9.12, core-4.9.15, core-1.5.7, platform-1.4.2] evicts a crashed pod once while three replicas reconcile', async () => {
      const replies = [...(await reconcile()), ...(await reconcile())];
      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
      expect(await scene.evictions()).toEqual([names[4]]);
      await scene.heal();
    });

    it('[core-4.9.16, core-6.4.3, platform-1.5.7, platform-1.5.8] audits the eviction and each reason for holding back, once', async () => {
      // The line of another replica is copied to the database a moment after its answer.
      const entries = await until('both entries', async () => {
        const found = (await auditOf(leader)).toReversed();
        return found.length >= 2 && found;
      });
      expect(entries.map(({ action, metadata }) => [action, metadata['pod'] ?? metadata['reasons']])).toEqual([
        ['k8s.held_back', 'disruption_budget'],
        ['k8s.restart_pod', names[4]],
      ]);
      expect(entries[1]?.metadata).toMatchObject({ reason: 'crash_loop', uid: expect.any(String) });
    });

    it('[platform-1.3.11] holds the next pod back for the interval, and lets a caller pass it', async () => {
      await makeIll('crash_loop', names[3]);
      const held = await post(leader, 'reconcile');
      expect(held.body.detail.held_back).toEqual([{ pod: names[3], reason: 'interval', until: expect.any(String) }]);
      const { body } = await get(leader);
      expect(body.last_reconcile).toMatchObject({ outcome: 'held_back', unhealthy: 1, restarted: [] });
      const asked = await post(leader, 'health');
      expect(asked.body).toMatchObject({ accepted: true, detail: { restarting: [names[3]], held_back: [] } });
      expect(await scene.evictions()).toEqual([names[4], names[3]]);
      await scene.heal();
    });

    it('[platform-1.3.6] reports a pod that cannot start, and leaves it', async () => {
      const name = (await scene.pods()).find((each) => !names.includes(each)) ?? '';
      await makeIll('cannot_start', name);
      const before = await scene.evictions();
      const reply = await post(leader, 'health');
      expect(reply.body).toMatchObject({
        accepted: false,
        detail: {
          unhealthy: [{ pod: name, reason: 'cannot_start' }],
          held_back: [{ pod: name, reason: 'cannot_start' }],
        },
      });
      expect(await scene.evictions()).toEqual(before);
      const shown = (await get(replicas[2] as TestService)).body.pods.find(
        (pod: { name: string }) => pod.name === name,
      );
      expect(shown).toMatchObject({ unhealthy_reason: 'cannot_start', since: expect.any(String) });
      await scene.heal();
    });

    it('[platform-1.5.9] counts pods, restarts and failures for Prometheus', async () => {
      const { body } = await leader.call('GET', '/metrics', { as: 'viewer' });
      expect(body).toMatch(/switchyard_cluster_pods\{state="ready"\} \d/);
      expect(body).toMatch(/switchyard_cluster_restarts_total\{reason="crash_loop"\} [12]/);
      expect(body).toMatch(/switchyard_cluster_reconcile_failures_total 0/);
    });

    it('[core-4.9.3, platform-1.3.14] leaves the pod that answers to another replica', async () => {
      await makeIll('not_ready', names[0]);
      const own = await post(leader, 'health');
      expect(own.body).toMatchObject({
        accepted: false,
        detail: { held_back: [{ pod: names[0], reason: 'own_pod' }] },
      });
      const other = await post(replicas[1] as TestService, 'health');
      expect(other.body.detail.restarting).toEqual([names[0]]);
      expect((await scene.evictions()).at(-1)).toBe(names[0]);
      await scene.heal();
    });

    it('[platform-1.3.9] holds back during a rollout, whoever asks', async () => {
      const old = await scene.pods();
      await scene.beginRollout();
      const now = await scene.pods();
      // Controllers delete unhealthy pods of the old template themselves.
      const name = now.find((each) => !old.includes(each)) ?? now.at(-1) ?? '';
      await makeIll('crash_loop', name);
      const before = await scene.evictions();
      for (const action of ['reconcile', 'health']) {
        const { body } = await post(replicas[1] as TestService, action);
        expect(body.detail.held_back).toContainEqual({ pod: name, reason: 'rollout' });
      }
      expect(await scene.evictions()).toEqual(before);
    });
  });
}
