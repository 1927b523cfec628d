// What a sender's hands say they may claim: ahead for a receiver that answers quickly, for a slow one what it has hands for.
import { expect, it } from 'vitest';
import { Hands, type Claimed } from '../../src/domain/webhooks/hands.ts';

const host = 'receiver.example:443';

function claimed(n: number): Claimed {
  return {
    tenantId: 'default',
    host,
    due: {
      taskId: `task ${n}`,
      deliveryId: `delivery ${n}`,
      epoch: 1,
      seq: 1,
      url: `https://${host}/`,
      body: '{}',
      contentType: 'application/json',
      tries: 1,
      traceparent: null,
      target: null,
    },
    sign: () => ({}),
  };
}

it('asks for more to a receiver while it answers quickly, and for nothing more once it does not', () => {
  let nowMs = 0;
  const hands = new Hands({ now: () => nowMs, send: () => new Promise(() => {}) });
  for (let n = 0; n < 16; n += 1) hands.take(claimed(n));
  const leftToAsk = (): number => hands.look.perHost - (hands.look.busy[0]?.n ?? 0);
  expect(leftToAsk()).toBe(48);
  expect(hands.room('default')?.hosts).toEqual({ [host]: 48 });
  nowMs = 1_001;
  expect(leftToAsk()).toBe(0);
  expect(hands.room('default')?.hosts).toEqual({ [host]: 0 });
});

it('counts what it may claim ahead among its free hands, and nothing twice', () => {
  const hands = new Hands({ now: () => 0, send: () => new Promise(() => {}) });
  const before = hands.free;
  for (let n = 0; n < 20; n += 1) hands.take(claimed(n));
  expect(before - hands.free).toBe(20);
  expect(hands.isWaitedFor).toBe(true);
});
