// The cluster manager against a forged API server: the cases of every server, and the faults that a real one shows seldom.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeClusterCases } from '../../support/cluster/cluster-cases.ts';
import { ForgedApi, type ApiFault } from '../../support/cluster/forged-api.ts';
import { openReplica } from '../../support/cluster/scene.ts';
import { openService, type ApiReply, type TestService } from '../../support/service.ts';
import { freePort } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';
import { testClusterConfig } from '../../support/builders/part-configs.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

describeClusterCases('a forged API server', async (replicas) => opened.use(await ForgedApi.open(replicas)));

const calls: readonly [method: string, action: string, body?: unknown][] = [
  ['GET', 'status'],
  ['POST', 'scale', { replicas: 3 }],
  ['POST', 'health', {}],
  ['POST', 'reconcile', {}],
];
const callAll = (service: TestService): Promise<ApiReply[]> =>
  Promise.all(calls.map(([method, action, body]) => service.call(method, `/v1/k8s/${action}`, { body })));

describe('an API server that fails', () => {
  let forged: ForgedApi;
  let service: TestService;
  let log: string[];
  beforeAll(async () => {
    forged = opened.use(await ForgedApi.open(2));
    const [pod = ''] = await forged.pods();
    log = [];
    const cluster = { reconcileSeconds: 1 };
    service = opened.use(await openReplica(forged, { pod, cluster, log: (line) => log.push(line) }));
  });

  it.each<[ApiFault, string, string, RegExp]>([
    ['unavailable', 'cluster_unreachable', '7', /answers 503: etcd is away/],
    ['unintelligible', 'cluster_unreachable', '10', /does not answer as a Kubernetes API server/],
    ['not_an_object', 'cluster_unreachable', '10', /does not answer as a Kubernetes API server/],
    ['unauthorized', 'cluster_unauthorized', '10', /token/],
    // The deadline is over for all four at once.
    ['half', 'cluster_unreachable', '10', /no answer within 5 s/],
    ['hang', 'cluster_unreachable', '10', /no answer within 5 s/],
  ])('[platform-1.5.3, platform-1.5.4, platform-1.5.10] that is %s gives 503 %s', async (fault, code, retry, words) => {
    forged.fault = fault;
    for (const reply of await callAll(service)) {
      expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([503, code, retry]);
      expect(reply.body.detail).toMatch(words);
      expect(JSON.stringify(reply.body)).not.toContain('forged-token');
    }
    forged.fault = 'none';
  });

  it('[platform-1.4.1, core-4.9.13, core-8.6] leaves a report of the failure, and the loop goes on by itself', async () => {
    const findLoop = async (): Promise<{ last_error: string | null } | undefined> => {
      const { loops } = (await service.call('GET', '/v1/cognition/status')).body;
      return loops.find(({ name }: { name: string }) => name.startsWith('cluster_reconciler:'));
    };
    await until('the loop runs', findLoop);
    forged.fault = 'unavailable';
    const loop = await until('the loop has failed', async () => {
      const found = await findLoop();
      return found !== undefined && found.last_error !== null && found;
    });
    expect(loop).toMatchObject({
      name: 'cluster_reconciler:deployme',
      interval_seconds: 1,
      leader: expect.any(String),
    });
    forged.fault = 'none';
    const outcome = async (): Promise<string> =>
      (await service.call('GET', '/v1/k8s/status')).body.last_reconcile?.outcome;
    await until('the loop is healthy again', async () => (await outcome()) === 'healthy');
    const { body } = await service.call('GET', '/metrics');
    expect(body).toMatch(/switchyard_cluster_reconcile_failures_total [1-9]/);
  });

  it('[platform-1.5.2] names each permission that is missing', async () => {
    const needed: readonly [permission: string, action: string, body: unknown][] = [
      ['get pods', 'reconcile', {}],
      ['get replicasets', 'reconcile', {}],
      ['get deployments', 'reconcile', {}],
      ['list pods', 'health', {}],
      ['list replicasets', 'health', {}],
      ['patch deployments', 'health', { restart: 'all' }],
      ['list horizontalpodautoscalers', 'scale', { replicas: 3 }],
      ['get deployments/scale', 'scale', { replicas: 3 }],
      ['patch deployments/scale', 'scale', { replicas: 3 }],
    ];
    for (const [permission, action, body] of needed) {
      const [verb = '', resource = ''] = permission.split(' ');
      await forged.deny(verb, resource);
      const reply = await service.call('POST', `/v1/k8s/${action}`, { body });
      expect([reply.status, reply.body.code]).toEqual([503, 'cluster_forbidden']);
      expect(reply.body.detail).toContain(`The service account forged:switchyard may not \`${permission}\``);
      expect(reply.body.detail).toContain('in namespace forged: add it to its Role (docs/DEPLOY.md)');
      await forged.allowAll();
    }
  });

  it('[platform-1.5.2] shows the status without the permission to list autoscalers', async () => {
    await forged.deny('list', 'horizontalpodautoscalers');
    const found = await until('a look without the permission', async () => {
      const reply = await service.call('GET', '/v1/k8s/status');
      return forged.requests.some((request) => request.includes('horizontalpodautoscalers')) && reply;
    });
    expect([found.status, found.body.autoscaler, found.body.pods.length]).toEqual([200, null, 2]);
    await forged.allowAll();
  });

  it('[platform-1.2.9] is scaled although nine others are faster, and left as it is after the tenth', async () => {
    forged.outpacedWrites = 9;
    expect((await service.call('POST', '/v1/k8s/scale', { body: { replicas: 3 } })).status).toBe(200);
    expect(await forged.replicas()).toBe(3);
    forged.outpacedWrites = 10;
    const refused = await service.call('POST', '/v1/k8s/scale', { body: { replicas: 4 } });
    expect([refused.status, refused.body.code, await forged.replicas()]).toEqual([409, 'cluster_conflict', 3]);
    expect(forged.outpacedWrites).toBe(0);
  });

  it('[platform-1.1.6] uses an exchanged token at once', async () => {
    forged.setToken('exchanged-token');
    await service.call('POST', '/v1/k8s/reconcile', { body: {} });
    expect(forged.tokens.at(-1)).toBe('exchanged-token');
  });
});

describe('a service', () => {
  it('[choices-3.114, platform-1.1.2] outside a cluster answers 503 not_in_cluster', async () => {
    await using service = await openService();
    for (const { status, body } of await callAll(service)) {
      expect([status, body.code]).toEqual([503, 'not_in_cluster']);
      expect(body.detail).toBe('This service does not run in a Kubernetes cluster.');
    }
    const { loops } = (await service.call('GET', '/v1/cognition/status')).body;
    expect(loops.filter(({ name }: { name: string }) => name.startsWith('cluster'))).toEqual([]);
    expect(service.instance.cluster).toBeUndefined();
  });

  it('[platform-1.1.3] starts although its cluster does not answer', async () => {
    await using forged = await ForgedApi.open(1);
    const connection = { ...forged.connection, port: await freePort() };
    const cluster = { ...testClusterConfig, ...connection, reconcileSeconds: 1 };
    await using service = await openService({ config: { cluster } });
    expect((await service.call('GET', '/health?ready', { token: null })).status).toBe(200);
    const { status, body } = await service.call('GET', '/v1/k8s/status');
    expect([status, body.code, body.detail]).toEqual([
      503,
      'cluster_unreachable',
      expect.stringContaining('ECONNREFUSED'),
    ]);
  });
});
