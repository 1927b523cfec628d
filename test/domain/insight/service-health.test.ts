// The service's health: each part with its reason, in bounded time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServiceHealth, type HealthDeps, type HealthPart } from '../../../src/domain/insight/service-health.ts';
import { openService, type ApiReply, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { callerOf } from '../../support/verbs.ts';

const testCaller = callerOf('viewer');
const startedAt = '2026-01-01T00:00:00.000Z';
const nowMs = Date.parse('2026-01-01T12:00:00.000Z');
const ok = (): Promise<HealthPart> => Promise.resolve({ status: 'ok', reason: null });
const hang = (): Promise<never> => new Promise(() => undefined);

function depsOf(overrides: Partial<HealthDeps> = {}): HealthDeps {
  return {
    probes: { store: ok, broker: ok, policy: ok, sandbox: ok, audit: ok, backup: ok, sends: ok, cluster: ok },
    self: { name: 'here', version: '1.2.0', host: 'h', startedAt },
    isDraining: () => false,
    listReplicas: () => Promise.resolve([]),
    listLoops: () => Promise.resolve([]),
    databaseFacts: () => Promise.resolve({ version: '18.1', schema: '0008' }),
    workerVersions: () => Promise.resolve([]),
    node: 'v24',
    now: () => nowMs,
    ...overrides,
  };
}

describe('the health of the service', () => {
  it('is ok where every part is [ui-6.13.1]', async () => {
    expect(await readServiceHealth(depsOf(), testCaller)).toMatchObject({
      status: 'ok',
      reasons: [],
      replica: 'here',
      replicas: [{ name: 'here', status: 'ok' }],
      store: { status: 'ok', reason: null },
      versions: { status: 'ok', service: '1.2.0', node: 'v24', database: '18.1', schema: '0008' },
    });
  });

  it('answers although every part hangs, and says which [ui-6.13.2]', async () => {
    const deps = depsOf({
      probes: {
        store: hang,
        broker: hang,
        policy: hang,
        sandbox: hang,
        audit: hang,
        backup: hang,
        sends: hang,
        cluster: hang,
      },
      listReplicas: hang,
      listLoops: hang,
      databaseFacts: hang,
      workerVersions: hang,
    });
    const health = await readServiceHealth(deps, testCaller);
    expect(health.status).toBe('degraded');
    expect(health.store.reason).toBe('The database does not answer: no answer within 2 s.');
    expect(health.reasons).toHaveLength(8);
    expect(health.versions).toMatchObject({ database: null, schema: null, workers: [] });
  });

  it('says why a part failed, what a silent replica, a late loop and a mixed upgrade mean [ui-6.13.1]', async () => {
    const replica = { host: 'h', startedAt, reasons: [] };
    const loop = { leader: 'here', intervalSeconds: 5, ticks: 1, lastError: undefined };
    const health = await readServiceHealth(
      depsOf({
        probes: { ...depsOf().probes, policy: () => Promise.reject(new Error('connection refused')) },
        isDraining: () => true,
        listReplicas: () =>
          Promise.resolve([
            { ...replica, name: 'silent', version: '1.2.0', lastSeenAt: '2026-01-01T11:59:00.000Z' },
            {
              ...replica,
              name: 'there',
              version: '1.1.0',
              lastSeenAt: '2026-01-01T11:59:55.000Z',
              reasons: ['No disk.'],
            },
          ]),
        listLoops: () =>
          Promise.resolve([
            { ...loop, name: 'late', lastTickAt: '2026-01-01T11:00:00.000Z' },
            { ...loop, name: 'failing', lastTickAt: '2026-01-01T12:00:00.000Z', lastError: 'no such table' },
            { ...loop, name: 'fine', lastTickAt: '2026-01-01T12:00:00.000Z' },
            { ...loop, name: 'new', lastTickAt: undefined },
          ]),
        workerVersions: () =>
          Promise.resolve([
            { version: '1.2.0', workers: 3 },
            { version: '', workers: 1 },
          ]),
      }),
      testCaller,
    );
    expect(health.policy.status).toBe('degraded');
    expect(health.reasons).toEqual([
      'The replica is stopping: it finishes what it has begun.',
      'The policy server does not answer, so calls are denied: connection refused.',
      'The replica silent has not reported since 2026-01-01T11:59:00.000Z: it died, or hangs.',
      'No disk.',
      'The loop late has not run since 2026-01-01T11:00:00.000Z.',
      'The loop failing failed and will retry: no such table',
      'The replicas run different versions: 1.1.0, 1.2.0. Finish the upgrade.',
    ]);
    expect(health.loops.map(({ status }) => status)).toEqual(['degraded', 'degraded', 'ok', 'ok']);
    expect(health.replicas.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'here degraded',
      'silent degraded',
      'there degraded',
    ]);
  });
});

describe('GET /v1/monitor/service-health', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('names every part, the versions and the replica itself [ui-6.13.1]', async () => {
    await service.worker({ version: '1.1.0', name: 'old' });
    await service.worker({ version: '1.2.0', name: 'new' });
    const { status, body } = await service.call('GET', '/v1/monitor/service-health', { as: 'viewer' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      reasons: [],
      replicas: [{ name: body.replica, version: '1.2.0', status: 'ok' }],
      store: { status: 'ok' },
      broker: { status: 'off', reason: 'A2A_BROKER_URL is not set.' },
      policy: { status: 'ok' },
      sandbox: { status: 'off' },
      cluster: { status: 'off', reason: 'This service does not run in a Kubernetes cluster.' },
      audit: { status: 'ok' },
      versions: {
        status: 'ok',
        service: '1.2.0',
        node: process.version,
        reason: 'The workers run several versions: 1.1.0 (1), 1.2.0 (1).',
      },
    });
    expect(body.versions.database).toMatch(/^\d+/);
    expect(body.versions.schema).toMatch(/^\d{4}-/);
    expect(body.loops.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['reaper', 'usage_fold', 'queue_samples', 'replica_report']),
    );
    expect(await service.call('GET', '/v1/monitor/service-health', { token: null })).toMatchObject({ status: 401 });
  });

  it('shows a second replica once it has reported, and no more after it stopped [ui-6.13.1]', async () => {
    const health = async (on: TestService): Promise<ApiReply['body']> =>
      (await on.call('GET', '/v1/monitor/service-health', { as: 'viewer' })).body;
    const second = await openService({ db: service.db });
    try {
      const both = await until('both replicas', async () => {
        const { replicas } = await health(service);
        return replicas.length === 2 && replicas.map(({ name }: { name: string }) => name);
      });
      expect(both).toContain((await health(second)).replica);
    } finally {
      await second[Symbol.asyncDispose]();
    }
    expect((await health(service)).replicas).toHaveLength(1);
  });
});
