// Modes of the delivery claimer, on a store in memory: one round at a time, merged requests, and an end that loses nothing.
import { expect, it } from 'vitest';
import type { FoundDelivery } from '../../../src/domain/ports/store/deliveries.ts';
import type { Rows, Store } from '../../../src/domain/ports/store/store.ts';
import { DeliveryClaimer } from '../../../src/domain/webhooks/delivery-claimer.ts';
import { DeliveryPool } from '../../../src/domain/webhooks/delivery-pool.ts';
import { OutcomeRecorder } from '../../../src/domain/webhooks/outcome-recorder.ts';
import { attemptOutcome, claimedDelivery, receiverHost } from '../../support/builders/claimed-delivery.ts';

/** A claimer whose polls end when the test says so. */
function open() {
  const polls: PromiseWithResolvers<FoundDelivery[]>[] = [];
  const recorded: string[] = [];
  const released: string[] = [];
  const sent: string[] = [];
  const logged: string[] = [];
  const now = Date.now;
  let failsToWrite = false;
  const deliveries: Partial<Rows['deliveries']> = {
    claim: (refs) =>
      Promise.resolve({
        due: refs.map(({ deliveryId }) => claimedDelivery(Number(deliveryId.split(' ')[1])).due),
        secrets: [],
        dead: [],
      }),
    record: (outcomes) => {
      recorded.push(...outcomes.map(({ deliveryId }) => deliveryId));
      return Promise.resolve([]);
    },
    release: (claims) => {
      released.push(...claims.map(({ deliveryId }) => deliveryId));
      return Promise.resolve();
    },
  };
  const within: Store['within'] = (_, work) =>
    failsToWrite ? Promise.reject(new Error('no database')) : Promise.resolve(work({ deliveries } as unknown as Rows));
  const pool = new DeliveryPool({
    now,
    send: ({ due }) => {
      sent.push(due.deliveryId);
      return Promise.resolve();
    },
  });
  const log = (line: string): void => void logged.push(line);
  const metrics = { attempted: (): void => {} };
  const recorder = new OutcomeRecorder({ now, metrics, log, onOverdue: () => {}, onDueIn: () => {} });
  const deps = {
    store: { within } as unknown as Store,
    outbox: {
      findDue: async () => {
        const poll = Promise.withResolvers<FoundDelivery[]>();
        polls.push(poll);
        return { found: await poll.promise, next: undefined };
      },
    },
    renderNotification: () => ({ body: '', contentType: '' }),
    signingSecrets: [],
    metrics,
    log,
    now,
    random: () => 0.5,
    backoffSeconds: 1,
  };
  const claimer = new DeliveryClaimer(deps, pool, recorder);
  const failWrites = (fails: boolean): void => void (failsToWrite = fails);
  return { claimer, pool, recorder, polls, recorded, released, sent, logged, failWrites };
}

function found(n: number): FoundDelivery {
  return { tenantId: 'default', taskId: `task ${n}`, deliveryId: `delivery ${n}`, host: receiverHost };
}

/** Lets pending promises settle. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

it('runs one round at a time, and merges the requests made during it into one more', async () => {
  const { claimer, polls, sent } = open();
  const first = claimer.poll();
  const others = [claimer.poll(), claimer.poll()];
  await settle();
  expect(polls).toHaveLength(1);
  polls[0]?.resolve([found(1)]);
  await settle();
  expect(polls).toHaveLength(2);
  expect(sent).toEqual(['delivery 1']);
  polls[1]?.resolve([]);
  await Promise.all([first, ...others]);
  expect(polls).toHaveLength(2);
});

it('is idle again after its rounds, and starts anew with the next request', async () => {
  const { claimer, polls } = open();
  for (let n = 0; n < 3; n += 1) {
    const polled = claimer.poll();
    await settle();
    polls[n]?.resolve([]);
    await polled;
    expect(polls).toHaveLength(n + 1);
  }
});

it('records without polling when only that is requested', async () => {
  const { claimer, recorder, polls, recorded } = open();
  recorder.add(attemptOutcome(1));
  recorder.onCommitFailed(recorder.takeForCommit('default'));
  claimer.record();
  await settle();
  expect(recorded).toEqual(['delivery 1']);
  expect(polls).toHaveLength(0);
});

it('polls when both are requested during a round', async () => {
  const { claimer, polls } = open();
  const polled = [claimer.poll(), claimer.poll()];
  claimer.record();
  await settle();
  polls[0]?.resolve([]);
  await settle();
  expect(polls).toHaveLength(2);
  polls[1]?.resolve([]);
  await Promise.all(polled);
});

it('is idle again after a round that fails, and the next one repeats its work', async () => {
  const { claimer, recorder, polls, recorded, failWrites } = open();
  recorder.add(attemptOutcome(1));
  failWrites(true);
  const failing = claimer.poll();
  await settle();
  polls[0]?.resolve([found(2)]);
  await expect(failing).rejects.toThrow('no database');
  failWrites(false);
  const next = claimer.poll();
  await settle();
  polls[1]?.resolve([]);
  await next;
  expect(recorded).toEqual(['delivery 1']);
});

it('once stopped, completes the round in progress, records the rest, and starts no other', async () => {
  const { claimer, pool, recorder, polls, recorded, released, sent } = open();
  const polled = claimer.poll();
  await settle();
  const more = claimer.poll();
  recorder.release(pool.drain());
  recorder.add(attemptOutcome(3));
  const stopped = claimer.stop();
  polls[0]?.resolve([found(1)]);
  await Promise.all([polled, more, stopped]);
  // The round had claimed it, and the drained pool does not send it.
  expect(sent).toEqual([]);
  expect(released).toEqual(['delivery 1']);
  expect(recorded).toEqual(['delivery 3']);
  recorder.release([claimedDelivery(4)]);
  await claimer.poll();
  claimer.record();
  await settle();
  expect(polls).toHaveLength(1);
  expect(released).toEqual(['delivery 1']);
});

it('logs when the final round fails', async () => {
  const { claimer, recorder, logged, failWrites } = open();
  recorder.add(attemptOutcome(1));
  failWrites(true);
  await claimer.stop();
  expect(logged).toEqual([
    'failed to record the last outcomes; unsent deliveries are retried when their claims expire',
  ]);
});
