// What a sender's hands say they may claim: ahead for a receiver that answers quickly, for a slow one what it has hands for.
import { expect, it } from 'vitest';
import { DeliveryPool, type ClaimedDelivery } from '../../../src/domain/webhooks/delivery-pool.ts';

const host = 'receiver.example:443';

function claimed(n: number): ClaimedDelivery {
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
  const pool = new DeliveryPool({ now: () => nowMs, send: () => new Promise(() => {}) });
  for (let n = 0; n < 16; n += 1) pool.add(claimed(n));
  const freeForHost = (): number => pool.snapshot.perHost - (pool.snapshot.busy[0]?.n ?? 0);
  expect(freeForHost()).toBe(48);
  expect(pool.capacity('default')?.hosts).toEqual({ [host]: 48 });
  nowMs = 1_001;
  expect(freeForHost()).toBe(0);
  expect(pool.capacity('default')?.hosts).toEqual({ [host]: 0 });
});

it('counts what it may claim ahead among its free hands, and nothing twice', () => {
  const pool = new DeliveryPool({ now: () => 0, send: () => new Promise(() => {}) });
  const before = pool.freeSlots;
  for (let n = 0; n < 20; n += 1) pool.add(claimed(n));
  expect(before - pool.freeSlots).toBe(20);
  expect(pool.hasWaiting).toBe(true);
});
