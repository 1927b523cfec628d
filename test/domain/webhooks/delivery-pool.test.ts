// Capacity of the delivery pool: prefetch for fast receivers only, nothing once it drains.
import { expect, it } from 'vitest';
import { DeliveryPool, type ClaimedDelivery } from '../../../src/domain/webhooks/delivery-pool.ts';
import { claimedDelivery, receiverHost as host } from '../../support/builders/claimed-delivery.ts';

const neverEnds = (): Promise<void> => new Promise(() => {});

it('prefetches for a receiver while it answers quickly, and stops when it does not', () => {
  let nowMs = 0;
  const pool = new DeliveryPool({ now: () => nowMs, send: neverEnds });
  for (let n = 0; n < 16; n += 1) pool.add(claimedDelivery(n));
  const freeForHost = (): number => pool.snapshot.perHost - (pool.snapshot.busy[0]?.n ?? 0);
  expect(freeForHost()).toBe(48);
  expect(pool.capacity('default')?.hosts).toEqual({ [host]: 48 });
  nowMs = 1_001;
  expect(freeForHost()).toBe(0);
  expect(pool.capacity('default')?.hosts).toEqual({ [host]: 0 });
});

it('counts requests in flight and waiting deliveries against its capacity, each once', () => {
  const pool = new DeliveryPool({ now: () => 0, send: neverEnds });
  const before = pool.freeSlots;
  for (let n = 0; n < 20; n += 1) pool.add(claimedDelivery(n));
  expect(before - pool.freeSlots).toBe(20);
  expect(pool.hasWaiting).toBe(true);
});

it('once it drains, returns what waits, accepts nothing and has no capacity; requests in flight go on', async () => {
  const sent: ClaimedDelivery[] = [];
  const ended = Promise.withResolvers<void>();
  const send = (claimed: ClaimedDelivery): Promise<void> => {
    sent.push(claimed);
    return ended.promise;
  };
  const pool = new DeliveryPool({ now: () => 0, send });
  for (let n = 0; n < 20; n += 1) expect(pool.add(claimedDelivery(n))).toBe(true);
  expect(pool.drain().map(({ due }) => due.deliveryId)).toEqual(
    [16, 17, 18, 19].map((n) => claimedDelivery(n).due.deliveryId),
  );
  expect(pool.add(claimedDelivery(20))).toBe(false);
  expect(pool.freeSlots).toBe(0);
  expect(pool.capacity('default')).toBeUndefined();
  ended.resolve();
  await pool.waitUntilIdle();
  expect(sent).toHaveLength(16);
});
