// A real worker that listens to a real broker: with no push channel and hours between polls, hints bring its tasks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wakeChannel, wakeMessage } from '../../../src/contracts/wake.ts';
import { subscribeToBroker } from '../../../src/worker/service/broker-subscription.ts';
import { systemClock } from '../../../src/worker/base/clock.ts';
import { openService, type TestService } from '../../support/service.ts';
import { findRedis, TestRedis } from '../../support/peers/redis.ts';
import { until } from '../../support/until.ts';
import { openRecordedLog, createStandingRegistration } from '../../support/worker/worker-parts.ts';
import { fetchThat, localWorker, script, taskIn } from '../../support/worker/local-worker.ts';

const program = findRedis();
const noStream = { fetch: fetchThat((path) => path.endsWith('/tasks/stream') && 'no way through') };

describe.runIf(program !== undefined)('a worker beside a broker', () => {
  let redis: TestRedis;
  let service: TestService;
  let other: TestService;
  beforeAll(async () => {
    redis = await TestRedis.start(program ?? '');
    service = await openService({ config: { brokerUrl: redis.url } });
    other = await openService({ db: service.db, config: { brokerUrl: redis.url } });
  });
  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  it('takes a task from any replica at once, by the broker alone [core-6.3, core-2.7.7, core-2.7.11]', async () => {
    const flags = { poll_interval: 3600, broker_url: redis.url };
    await using local = await localWorker(service, flags, noStream);
    await until('it listens', () => local.logged().includes('subscribed to the broker'));
    for (const replica of [service, other]) {
      const task = await replica.task({ prompt: script('echo hello') });
      expect(await taskIn(service, task.id, 'completed')).toMatchObject({ worker_id: local.id });
    }
  });

  it('loses nothing but time when the broker dies, and receives its hints again when it is back [choices-5.38]', async () => {
    await using local = await localWorker(service, { poll_interval: 0.2, broker_url: redis.url }, noStream);
    await until('it listens', () => local.logged().includes('subscribed to the broker'));
    await redis.kill();
    const task = await other.task({ prompt: script('echo without') });
    await taskIn(service, task.id, 'completed');
    expect(local.logged().match(/broker unreachable/g)).toHaveLength(1);
    await redis.restart();
    await until('it listens again', () => local.logged().split('subscribed to the broker').length > 2);
    const next = await other.task({ prompt: script('echo with') });
    await taskIn(service, next.id, 'completed');
  });

  it('asks no more often for a flood of hints than polling would', async () => {
    let claims = 0;
    const counting: typeof fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname.endsWith('/tasks/claim')) claims += 1;
      return noStream.fetch(input, init);
    };
    await using local = await localWorker(service, { poll_interval: 3600, broker_url: redis.url }, { fetch: counting });
    await until('it listens', () => local.logged().includes('subscribed to the broker'));
    const { route_keys: keys } = (await service.worker({ name: 'same place' })).registered;
    await redis.with(async (client) => {
      for (let i = 0; i < 20_000; i++) await client.publish(wakeChannel, wakeMessage(keys ?? []));
    });
    await until('it has asked', () => claims > 0);
    expect(claims).toBeLessThan(15);
  });

  it('says nothing of a broker that nobody named and that is not there [choices-5.39]', async () => {
    await using gone = await TestRedis.start(program ?? '');
    await gone.kill();
    const registered = { ...createStandingRegistration().current(), routeKeys: new Set(['key']) };
    for (const [brokerNamed, level] of [
      [false, 'debug'],
      [true, 'warn'],
    ] as const) {
      const kept = openRecordedLog();
      await using _subscription = subscribeToBroker({
        settings: { brokerUrl: gone.url, brokerNamed },
        registration: { current: () => registered },
        onHint: () => undefined,
        clock: systemClock,
        random: () => 0,
        log: kept.log,
      });
      const line = await until('a line', () =>
        kept
          .text()
          .split('\n')
          .find((text) => text.includes('broker')),
      );
      expect(line).toContain(` ${level} `);
    }
  });
});
