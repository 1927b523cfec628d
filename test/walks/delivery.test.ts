// How tasks reach workers: by polling, by push, by a broker, and by what is left when the broker dies. core-6.3.
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { findRedis, TestRedis } from '../support/peers/redis.ts';
import { ForwardingProxy } from './support/forwarding-proxy.ts';
import type { WalkContext } from './support/walk-context.ts';
import { walks } from './support/walk.ts';

const channel = /^\/v1\/worker\/tasks\/stream/;
const claim = /^\/v1\/worker\/tasks\/claim/;

/** A repository at a worker that reaches the service through a forwarder. */
async function behind(on: WalkContext, refused: RegExp | undefined, env: Record<string, string>) {
  const forwarder = on.use(await ForwardingProxy.start(on.deployment.next().url, refused));
  return { forwarder, ...(await on.workplace({ url: forwarder.url, env })) };
}

walks('delivery without a broker', { on: ['embedded', 'replicas'] }, (walk) => {
  walk(['delivered-by-poll'], 'a worker whose channel does not come through polls, and takes the task', async (on) => {
    const { forwarder, repository, codebaseId } = await behind(on, channel, { A2A_POLL_INTERVAL: '1' });
    for (const text of ['one', 'two']) {
      expect(await on.made(await on.task(codebaseId, [`echo ${text} > made.txt`]), repository, 'made.txt')).toBe(
        `${text}\n`,
      );
    }
    expect(forwarder.calls.filter((path) => claim.test(path)).length).toBeGreaterThanOrEqual(2);
    expect(forwarder.calls.some((path) => channel.test(path))).toBe(true);
  });

  walk(
    ['delivered-by-push'],
    'a worker that may not claim has its tasks through the channel, cut and moved included',
    async (on) => {
      const { forwarder, worker, repository, codebaseId } = await behind(on, claim, { A2A_POLL_INTERVAL: '3600' });
      await worker.logged(/push channel open/);
      expect(await on.made(await on.task(codebaseId, ['echo one > made.txt']), repository, 'made.txt')).toBe('one\n');
      forwarder.switchTo(on.deployment.next().url);
      expect(await on.made(await on.task(codebaseId, ['echo two > made.txt']), repository, 'made.txt')).toBe('two\n');
    },
  );
});

const program = findRedis();

describe.runIf(program !== undefined)('with redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start(program ?? '');
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  const settings = (): Promise<Record<string, string>> => Promise.resolve({ A2A_BROKER_URL: redis.url });
  walks('delivery with a broker', { on: ['embedded', 'replicas'], settings, oneByOne: true }, (walk) => {
    // Without a channel and with an hour between polls, nothing but the broker brings a task before the walk's patience ends.
    const brokerAlone = (): Record<string, string> => ({ A2A_POLL_INTERVAL: '3600', A2A_BROKER_URL: redis.url });

    walk(
      ['delivered-by-broker'],
      'a worker without a channel has its tasks by the broker, from each replica',
      async (on) => {
        const { worker, repository, codebaseId } = await behind(on, channel, brokerAlone());
        await worker.logged(/subscribed to the broker/);
        for (const text of ['one', 'two']) {
          expect(await on.made(await on.task(codebaseId, [`echo ${text} > made.txt`]), repository, 'made.txt')).toBe(
            `${text}\n`,
          );
        }
      },
    );

    walk(
      ['broker-gone'],
      'while the broker is dead tasks still arrive, and by the broker again when it is back',
      async (on) => {
        const polls = { A2A_POLL_INTERVAL: '2', A2A_BROKER_URL: redis.url };
        const polling = await behind(on, channel, polls);
        const pushed = await on.workplace({ env: polls });
        await polling.worker.logged(/subscribed to the broker/);
        await redis.kill();
        for (const { codebaseId, repository } of [polling, pushed]) {
          expect(await on.made(await on.task(codebaseId, ['echo without > made.txt']), repository, 'made.txt')).toBe(
            'without\n',
          );
        }
        await redis.restart();
        const { worker, codebaseId, repository } = await behind(on, channel, brokerAlone());
        await worker.logged(/subscribed to the broker/);
        expect(await on.made(await on.task(codebaseId, ['echo with > made.txt']), repository, 'made.txt')).toBe(
          'with\n',
        );
      },
    );
  });
});
