// The taking of an eviction in the database: one replica makes it, whatever the others judged, and its outcome is kept.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../src/adapters/postgres/connection/connections.ts';
import { postgresStore } from '../../../src/adapters/postgres/store/store.ts';
import type { ClusterDeps } from '../../../src/domain/cluster/cluster-deps.ts';
import { evictNext } from '../../../src/domain/cluster/evict-next.ts';
import { judgeCluster, type NextEviction } from '../../../src/domain/cluster/judge/judge.ts';
import { retainClusterRounds } from '../../../src/domain/cluster/retain-rounds.ts';
import type { Round } from '../../../src/domain/model/cluster/health.ts';
import { DomainError, unavailable } from '../../../src/domain/model/errors.ts';
import type { LoopAudit } from '../../../src/domain/ports/audit.ts';
import type { Cluster, ClusterCalls, Eviction } from '../../../src/domain/ports/cluster/cluster.ts';
import type { Store } from '../../../src/domain/ports/store/store.ts';
import { crashedPod, evidence, healthyPod, loopRules, noon } from '../../support/cluster/cluster-objects.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';

const opened = new AsyncDisposableStack();
let db: TestDatabase;
let store: Store;
beforeAll(async () => {
  db = opened.use(await cloneDatabase());
  const pool = openPool({ address: db.service, role: 'a2a_app', max: 8, log: () => undefined });
  opened.defer(() => pool.end());
  store = postgresStore({ pool, offlineAfterSeconds: 60, idempotencyHours: 48 });
  await db.query("insert into tenants (tenant_id, name) values ('system', 'system') on conflict do nothing");
});
afterAll(() => opened.disposeAsync());

/** A cluster that answers evictions as the test chooses, and everything that was audited. */
function clusterOf(answer: (pod: string) => Promise<Eviction>) {
  const evicted: string[] = [];
  const audited: unknown[] = [];
  const restarts: string[] = [];
  const never = (): never => {
    throw new Error('this must not be called');
  };
  const calls: ClusterCalls = {
    findPod: never,
    findReplicaSet: never,
    findDeployment: never,
    listPods: never,
    listReplicaSets: never,
    listAutoscalers: never,
    missingPermissions: never,
    evict({ name }) {
      evicted.push(name);
      return answer(name);
    },
    findScale: never,
    setScale: never,
    restartDeployment: never,
    applyDeployment: never,
    findPodTemplate: never,
    createDeployment: never,
  };
  const cluster: Cluster = {
    namespace: 'ns',
    pod: 'leader',
    connect: () => Promise.resolve(calls),
    readManifest: never,
  };
  const audit: LoopAudit = {
    async change(caller, { action, resource }, work) {
      const { value, changed } = await work(caller);
      if (changed !== undefined)
        audited.push({ tenantId: caller.tenantId, actor: caller.subject, action, resource, ...changed });
      return value;
    },
  };
  const metrics = { looked: never, failed: never, restarted: (reason: string) => void restarts.push(reason) };
  const deps: ClusterDeps = {
    cluster,
    absence: '',
    store,
    audit,
    metrics,
    settings: {
      deployment: undefined,
      selfHeal: true,
      minReplicas: 1,
      maxReplicas: 20,
      unhealthySeconds: 120,
      restartIntervalSeconds: 300,
      hasSharedDatabase: true,
    },
    replica: 'one',
    now: () => noon,
  };
  return { deps, cluster, evicted, audited, restarts };
}

function nextOf(rounds: readonly Round[] = []): NextEviction {
  const pods = [crashedPod('x'), crashedPod('y'), ...'abcd'.split('').map((name) => healthyPod(name))];
  const { next } = judgeCluster(evidence(pods, { rounds }), loopRules);
  if (next === undefined) throw new Error('nothing is to be evicted');
  return next;
}

const roundsOf = async (clusterId: string): Promise<readonly Round[]> =>
  store.within({ tenantId: 'system' }, async (rows) => (await rows.cluster.read(clusterId)).rounds);

const statesOf = async (clusterId: string): Promise<string[]> =>
  ((await roundsOf(clusterId))[0]?.pods ?? []).map(({ state }) => state);

describe('an eviction', () => {
  it('[platform-1.4.2] that five replicas judged at once is made by one of them, first and later ones of a round alike', async () => {
    const clusterId = randomUUID();
    const { deps, cluster, evicted, audited, restarts } = clusterOf(() => Promise.resolve('evicted'));
    const taker = { cluster, clusterId, actor: 'service:cluster_reconciler' };
    const race = (next: NextEviction) => Promise.all([1, 2, 3, 4, 5].map(() => evictNext(deps, taker, next)));
    expect((await race(nextOf())).toSorted()).toEqual(['evicted', 'taken', 'taken', 'taken', 'taken']);
    expect(await statesOf(clusterId)).toEqual(['evicting', 'waiting']);
    // The first one has been replaced: the second has its turn.
    await store.within({ tenantId: 'system' }, async (rows) => {
      const [round] = (await rows.cluster.lock(clusterId)).rounds;
      if (round === undefined) throw new Error('no round');
      const pods = round.pods.map((entry) => (entry.pod === 'x' ? { ...entry, state: 'replaced' as const } : entry));
      await rows.cluster.updateRound(clusterId, { ...round, pods });
    });
    const [round] = await roundsOf(clusterId);
    const next = { ...nextOf(), pod: 'y', uid: 'uid-y', begins: false, round: withEvicting(round, 'uid-y') };
    expect((await race(next)).toSorted()).toEqual(['evicted', 'taken', 'taken', 'taken', 'taken']);
    expect(evicted).toEqual(['x', 'y']);
    expect(audited).toMatchObject([
      {
        action: 'k8s.restart_pod',
        tenantId: 'system',
        pod: 'x',
        uid: 'uid-x',
        reason: 'crash_loop',
        template: 'hash-1',
      },
      { action: 'k8s.restart_pod', pod: 'y' },
    ]);
    expect(restarts).toEqual(['crash_loop', 'crash_loop']);
  });

  it('[platform-1.3.7] is not made while the one before it in its round has no successor', async () => {
    const clusterId = randomUUID();
    const { deps, cluster, evicted } = clusterOf(() => Promise.resolve('evicted'));
    const taker = { cluster, clusterId, actor: 'somebody' };
    await evictNext(deps, taker, nextOf());
    const [round] = await roundsOf(clusterId);
    const early = { ...nextOf(), pod: 'y', uid: 'uid-y', begins: false, round: withEvicting(round, 'uid-y') };
    expect(await evictNext(deps, taker, early)).toBe('taken');
    expect(evicted).toEqual(['x']);
  });

  it.each<[string, () => Promise<Eviction>, string]>([
    ['blocked by a budget waits for its turn', () => Promise.resolve('blocked'), 'waiting'],
    ['of a pod that is gone is over', () => Promise.resolve('gone'), 'gone'],
    [
      'that is forbidden waits for its turn',
      () => Promise.reject(unavailable('cluster_forbidden', 'no', 10)),
      'waiting',
    ],
    [
      'that the server rejects waits for its turn',
      () => Promise.reject(new DomainError('conflict', 'cluster_refused', 'no')),
      'waiting',
    ],
    [
      'without an answer may have been made',
      () => Promise.reject(unavailable('cluster_unreachable', 'no', 10)),
      'evicting',
    ],
  ])('%s', async (_, answer, state) => {
    const clusterId = randomUUID();
    const { deps, cluster, audited } = clusterOf(answer);
    const outcome = await evictNext(deps, { cluster, clusterId, actor: 'somebody' }, nextOf()).catch(
      (error: unknown) => error,
    );
    expect(await statesOf(clusterId)).toEqual([state, 'waiting']);
    const isUnknown = state === 'evicting';
    expect(outcome instanceof DomainError).toBe(
      await answer().then(
        () => false,
        () => true,
      ),
    );
    expect(audited).toMatchObject(isUnknown ? [{ action: 'k8s.restart_pod', pod: 'x', outcome: 'unknown' }] : []);
  });
});

describe('without the database', () => {
  it('[platform-1.3.20] nothing is evicted', async () => {
    const { deps, cluster, evicted, audited } = clusterOf(() => Promise.resolve('evicted'));
    const gone = unavailable('store_unavailable', 'The database cannot be reached.', 1);
    const down = { ...deps, store: { within: () => Promise.reject(gone), ping: () => Promise.reject(gone) } };
    const taker = { cluster, clusterId: randomUUID(), actor: 'service:cluster_reconciler' };
    await expect(evictNext(down, taker, nextOf())).rejects.toBe(gone);
    expect([evicted, audited]).toEqual([[], []]);
  });
});

function withEvicting(round: Round | undefined, uid: string): Round {
  if (round === undefined) throw new Error('no round');
  const pods = round.pods.map((entry) =>
    entry.uid === uid ? { ...entry, state: 'evicting' as const, evictedAt: noon } : entry,
  );
  return { ...round, pods };
}

describe('the rows of a cluster', () => {
  it('[platform-1.4.3] belong to the tenant system, and are dropped after 30 days', async () => {
    const clusterId = randomUUID();
    const { deps, cluster, audited } = clusterOf(() => Promise.resolve('evicted'));
    await evictNext(deps, { cluster, clusterId, actor: 'somebody' }, nextOf());
    const tables = ['cluster_rounds', 'cluster_status'];
    for (const table of tables) {
      expect(await db.query(`select distinct tenant_id from ${table}`)).toEqual([{ tenant_id: 'system' }]);
    }
    await db.query(`update cluster_rounds set started_at = now() - interval '31 days' where cluster_id = $1`, [
      clusterId,
    ]);
    await db.query(`update cluster_status set seen_at = now() - interval '31 days' where cluster_id = $1`, [clusterId]);
    // Rounds of others began at a noon of long ago or of the future: they are kept as young as they are.
    await db.query(`update cluster_rounds set started_at = now() where cluster_id <> $1`, [clusterId]);
    await retainClusterRounds(deps);
    for (const table of tables) {
      const [kept] = await db.query(`select count(*)::int as n from ${table} where cluster_id = $1`, [clusterId]);
      expect([table, kept]).toEqual([table, { n: 0 }]);
    }
    const [others] = await db.query('select count(*)::int as n from cluster_rounds');
    expect(others?.['n']).toBeGreaterThan(0);
    expect(audited.at(-1)).toMatchObject({ action: 'k8s.retain', actor: 'service:cluster_retention', rows: 2 });
  });
});
