// A real worker that listens to a real broker: with no push channel and hours between polls, hints bring its tasks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wakeChannel, wakeMessage } from '../../src/contracts/wake.ts';
import { listenToBroker } from '../../src/worker/service/broker.ts';
import { systemClock } from '../../src/worker/base/clock.ts';
import { openHouse, type House } from '../house.ts';
import { findRedis, TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { keptLog, standing } from './support/given.ts';
import { fetchThat, localWorker, script, taskIn } from './support/local-worker.ts';

const program = findRedis();
const noStream = { fetch: fetchThat((path) => path.endsWith('/tasks/stream') && 'no way through') };

describe.runIf(program !== undefined)('a worker beside a broker', () => {
  let redis: TestRedis;
  let house: House;
  let other: House;
  beforeAll(async () => {
    redis = await TestRedis.start(program ?? '');
    house = await openHouse({ config: { brokerUrl: redis.url } });
    other = await openHouse({ db: house.db, config: { brokerUrl: redis.url } });
  });
  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    await house[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  it('takes a task from any replica at once, by the broker alone [core-6.3, core-2.7.7, core-2.7.11]', async () => {
    const flags = { poll_interval: 3600, broker_url: redis.url };
    await using local = await localWorker(house, flags, noStream);
    await until('it listens', () => local.logged().includes('listens to the broker'));
    for (const replica of [house, other]) {
      const task = await replica.task({ prompt: script('echo hello') });
      expect(await taskIn(house, task.id, 'completed')).toMatchObject({ worker_id: local.id });
    }
  });

  it('loses nothing but time when the broker dies, and hears it again when it is back [choices-5.38]', async () => {
    await using local = await localWorker(house, { poll_interval: 0.2, broker_url: redis.url }, noStream);
    await until('it listens', () => local.logged().includes('listens to the broker'));
    await redis.kill();
    const task = await other.task({ prompt: script('echo without') });
    await taskIn(house, task.id, 'completed');
    expect(local.logged().match(/broker is away/g)).toHaveLength(1);
    await redis.again();
    await until('it listens again', () => local.logged().split('listens to the broker').length > 2);
    const next = await other.task({ prompt: script('echo with') });
    await taskIn(house, next.id, 'completed');
  });

  it('asks no more often for a flood of hints than polling would', async () => {
    let claims = 0;
    const counting: typeof fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname.endsWith('/tasks/claim')) claims += 1;
      return noStream.fetch(input, init);
    };
    await using local = await localWorker(house, { poll_interval: 3600, broker_url: redis.url }, { fetch: counting });
    await until('it listens', () => local.logged().includes('listens to the broker'));
    const { route_keys: keys } = (await house.worker({ name: 'same place' })).registered;
    await redis.with(async (client) => {
      for (let i = 0; i < 20_000; i++) await client.publish(wakeChannel, wakeMessage(keys ?? []));
    });
    expect(claims).toBeGreaterThan(0);
    expect(claims).toBeLessThan(15);
  });

  it('says nothing of a broker that nobody named and that is not there [choices-5.39]', async () => {
    await using gone = await TestRedis.start(program ?? '');
    await gone.kill();
    const registered = { ...standing().current(), routeKeys: new Set(['key']) };
    for (const [brokerNamed, level] of [
      [false, 'debug'],
      [true, 'warn'],
    ] as const) {
      const kept = keptLog();
      await using _ear = listenToBroker({
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
