// The broker between replicas: what goes over it, what comes of it, and what nobody can make come of it.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RouteHints } from '../../../src/adapters/redis/route-hints.ts';
import { KnownRoutes } from '../../../src/adapters/redis/route-keys.ts';
import { maxKeysInMessage, routeKeysIn, wakeChannel, wakeMessage } from '../../../src/contracts/wake.ts';
import type { Wake, WakeBus } from '../../../src/domain/ports/wake.ts';
import { findRedis, TestRedis } from '../../support/peers/redis.ts';
import { until } from '../../support/until.ts';

const program = findRedis();

interface HintSubscription extends AsyncDisposable {
  readonly hints: RouteHints;
  readonly received: Wake[];
  /** The hints that went to the bus behind the broker. */
  readonly passed: Wake[];
  readonly logged: string[];
}

const pending = (codebaseId: string, taskId = 't'): Wake => ({
  kind: 'pending',
  tenantId: 'default',
  taskId,
  priority: 0,
  needs: { codebaseId, requiredCapabilities: [], targetAgent: null, targetWorkerId: null },
});

/** Keys in a form that nobody's secret has made. */
const forged = (n: number): string[] => Array.from({ length: n }, () => randomBytes(16).toString('base64url'));

describe.runIf(program !== undefined)('the broker’s hints', () => {
  let redis: TestRedis;
  const secret = randomBytes(32);
  beforeAll(async () => {
    redis = await TestRedis.start(program ?? '');
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  async function openEar(serves: readonly string[] = [], url = redis.url): Promise<HintSubscription> {
    const [received, passed, logged]: [Wake[], Wake[], string[]] = [[], [], []];
    const others: WakeBus = { announce: (wake) => void passed.push(wake), listen: () => () => undefined };
    const routes = new KnownRoutes(secret);
    for (const codebaseId of serves) routes.routeKeyOf('default', codebaseId);
    const hints = new RouteHints({
      url,
      routes,
      others,
      random: () => 0,
      elapsedMs: () => performance.now(),
      log: (line) => logged.push(line),
    });
    hints.listen((wake) => received.push(wake));
    await hints.open();
    return { hints, received, passed, logged, [Symbol.asyncDispose]: () => hints[Symbol.asyncDispose]() };
  }

  it('carry route keys alone, which reveal nothing to a listener [choices-5.37]', async () => {
    await using wire = await redis.listen(wakeChannel);
    await using subscription = await openEar();
    subscription.hints.announce(pending('secret-project', 'task-1'));
    subscription.hints.announce({ kind: 'task', tenantId: 'default', taskId: 'task-1' });
    subscription.hints.announce({ kind: 'cancel', tenantId: 'default', workerId: 'w', taskId: 'task-1' });
    await until('received', () => wire.received.length > 0);
    expect(wire.received).toEqual([new KnownRoutes(secret).routeKeyOf('default', 'secret-project')]);
    expect(wire.received[0]).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(new KnownRoutes(randomBytes(32)).routeKeyOf('default', 'secret-project')).not.toBe(wire.received[0]);
    expect(new KnownRoutes(secret).routeKeyOf('other', 'secret-project')).not.toBe(wire.received[0]);
    expect(subscription.passed).toHaveLength(3);
  });

  it('reach another replica as the route that it serves, and do not come back to who sent them', async () => {
    await using sender = await openEar(['one']);
    await using other = await openEar(['one']);
    sender.hints.announce(pending('one'));
    await until('received', () => other.received.length > 0);
    expect(other.received).toEqual([{ kind: 'route', tenantId: 'default', codebaseId: 'one' }]);
    await redis.with((client) => client.publish(wakeChannel, new KnownRoutes(secret).routeKeyOf('default', 'one')));
    await until('somebody else’s is received', () => sender.received.length > 0);
    expect(sender.received).toHaveLength(1);
  });

  it('that are forged, torn, huge or not ours change nothing', async () => {
    await using subscription = await openEar(['one']);
    const real = new KnownRoutes(secret).routeKeyOf('default', 'one');
    const odd = [
      '',
      ' ',
      real.slice(1),
      `${real} ${real}x`,
      `${real}\n`,
      JSON.stringify({ kind: 'pending', tenantId: 'default' }),
      'x'.repeat(4_000_000),
      wakeMessage(forged(maxKeysInMessage + 1)),
      wakeMessage(forged(maxKeysInMessage)),
    ];
    await redis.with(async (client) => {
      for (const message of odd) await client.publish(wakeChannel, message);
      await client.publish(wakeChannel, Buffer.from([0xff, 0, 0xfe]).toString('latin1'));
      await client.publish(wakeChannel, wakeMessage([...forged(3), real, real]));
    });
    await until('the real one is received', () => subscription.received.length > 0);
    expect(subscription.received).toEqual([{ kind: 'route', tenantId: 'default', codebaseId: 'one' }]);
  });

  it('a message is read as it was written, whatever its keys', () => {
    const keys = forged(maxKeysInMessage);
    expect(routeKeysIn(wakeMessage(keys))).toEqual(keys);
  });

  it('a broker that dies is reported once, and is used again when it is back', async () => {
    await using own = await TestRedis.start(program ?? '');
    await using subscription = await openEar(['one'], own.url);
    await own.kill();
    await until('it is missed', () => subscription.logged.length > 0);
    subscription.hints.announce(pending('one'));
    expect(subscription.passed).toHaveLength(1);
    await own.restart();
    await until('it is back', () => subscription.hints.isUp);
    expect(subscription.logged.map((line) => line.replace(/\d+ s$/, 'N s'))).toEqual([
      `broker ${own.url} unavailable: hints go through PostgreSQL only, workers poll`,
      'broker available again after N s',
    ]);
    await using wire = await own.listen(wakeChannel);
    subscription.hints.announce(pending('one'));
    await until('received', () => wire.received.length > 0);
  });

  it('a broker that is there but answers nothing is given up, and found again', async () => {
    await using own = await TestRedis.start(program ?? '');
    await using subscription = await openEar(['one'], own.url);
    await own.suspend();
    subscription.hints.announce(pending('one'));
    await until('it is given up', () => !subscription.hints.isUp);
    own.thaw();
    await until('it is back', () => subscription.hints.isUp);
    expect(subscription.logged).toHaveLength(2);
  });

  it('a broker that was never there stops no start', async () => {
    const port = await TestRedis.start(program ?? '').then(async (gone) => {
      await gone.kill();
      return gone.port;
    });
    const began = performance.now();
    await using subscription = await openEar(['one'], `redis://user:password-of-broker@127.0.0.1:${port}`);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(subscription.logged).toHaveLength(1);
    expect(subscription.logged.join()).not.toContain('password-of-broker');
  });
});
