// Free slots by heartbeats, while an assignment that they do not name may be on its way.
import { expect, it } from 'vitest';
import { recordHeartbeat } from '../../../src/domain/workers/claim.ts';
import { openPushChannel } from '../../../src/domain/workers/push.ts';
import type { Assignment } from '../../../src/domain/model/task/task.ts';
import { until } from '../../support/until.ts';
import type { Verbs } from '../../support/verbs.ts';
import { agent, createQueueDriver } from '../../support/queue/queue-driver.ts';
import { openClocked } from '../../support/queue/separate-dispatcher.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

/** Connects a worker and keeps what it is assigned. */
async function connect(on: Verbs, workerId: string, slots: number | undefined) {
  const channel = await openPushChannel(on, agent, workerId, slots, 15_000);
  const assigned: Assignment[] = [];
  void (async () => {
    for (let frame = await channel.next(); frame !== undefined; frame = await channel.next()) {
      if (frame.type === 'task_assigned') assigned.push(frame.assignment);
    }
  })();
  return { assigned, ids: () => assigned.map(({ task }) => task.id), close: () => on.dispatcher.disconnect(channel) };
}

/** Turns of the database, so that what was going to happen has happened. */
async function settled(on: Verbs): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await on.store.ping();
}

it.each([undefined, 1])(
  'an assignment that heartbeats do not name fills a slot while it may be on its way, and no longer (slots: %s)',
  async (slots) => {
    const { db, verbs } = fixture();
    const clock = { ms: 0 };
    using clocked = openClocked(verbs, clock, 60_000);
    const { on } = clocked;
    const driver = createQueueDriver(on, db);
    const { workerId, codebaseId } = await driver.worker();
    const subscription = await connect(on, workerId, slots);
    const sendHeartbeatNow = (): Promise<unknown> => recordHeartbeat(on, agent, workerId, [], 1);
    await sendHeartbeatNow();
    const lost = await driver.submit(codebaseId);
    await until('it was sent the task', () => subscription.assigned[0]);
    const next = await driver.submit(codebaseId);
    for (const passed of [0, 3_000, 6_000]) {
      clock.ms += passed;
      await sendHeartbeatNow();
      await settled(on);
      expect(subscription.ids()).toEqual([lost.id]);
    }
    clock.ms += 2_000;
    await sendHeartbeatNow();
    await until('it was sent the next', () => subscription.assigned[1]);
    expect(subscription.ids()).toEqual([lost.id, next.id]);
    subscription.close();
  },
);

it('a worker that gives a task back for want of a slot is not sent all the others, until it says that it has one', async () => {
  const { db, verbs } = fixture();
  const clock = { ms: 0 };
  using clocked = openClocked(verbs, clock, 60_000);
  const { on } = clocked;
  const driver = createQueueDriver(on, db);
  const { workerId, codebaseId } = await driver.worker();
  const subscription = await connect(on, workerId, 1);
  for (let count = 0; count < 3; count += 1) await driver.submit(codebaseId);
  const declined = await until('it was sent the first', () => subscription.assigned[0]);
  const error = { code: 'no_free_slot', message: 'the worker has no free slot' };
  await driver.release(declined, { status: 'pending', error });
  await settled(on);
  expect(subscription.ids()).toEqual([declined.task.id]);
  clock.ms += 20_000;
  await recordHeartbeat(on, agent, workerId, [], 1);
  await until('it was sent the second', () => subscription.assigned[1]);
  subscription.close();
});
