// A worker that hangs while its connection looks alive is not first in line for tasks that others can run.
import { describe, expect, it } from 'vitest';
import type { Assignment } from '../../../src/domain/model/task/task.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { recordHeartbeat } from '../../../src/domain/workers/claim.ts';
import { openPushChannel } from '../../../src/domain/workers/push.ts';
import type { Verbs } from '../../support/verbs.ts';
import { until } from '../../support/until.ts';
import { agent, createQueueDriver } from '../../support/queue/queue-driver.ts';
import { openClocked } from '../../support/queue/separate-dispatcher.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

interface PushSubscription {
  readonly assigned: Assignment[];
  close(): void;
}

async function connect(on: Verbs, workerId: string): Promise<PushSubscription> {
  const channel = await openPushChannel(on, agent, workerId, 4, 15_000);
  const assigned: Assignment[] = [];
  void (async () => {
    for (let frame = await channel.next(); frame !== undefined; frame = await channel.next()) {
      if (frame.type === 'task_assigned') assigned.push(frame.assignment);
    }
  })();
  return { assigned, close: () => on.dispatcher.disconnect(channel) };
}

const silentAfterMs = 60_000;

describe('a worker that sends nothing for the length of a lease', () => {
  it('gets no task that another worker can run, and other tasks only by the sweep', async () => {
    const { db, verbs } = fixture();
    const clock = { ms: 0 };
    using clocked = openClocked(verbs, clock, silentAfterMs);
    const { on } = clocked;
    const driver = createQueueDriver(on, db);
    const still = await driver.worker();
    const alive = await driver.worker(still.codebaseId);
    const silent = await connect(on, still.workerId);
    const lost = await driver.submit(still.codebaseId);
    await until('it has the task', () => silent.assigned[0]);
    const aliveChannel = await connect(on, alive.workerId);
    for (let round = 0; round < 5; round += 1) {
      clock.ms += silentAfterMs / 4;
      await recordHeartbeat(on, agent, alive.workerId, [], 4);
    }
    // Its lease runs out: the task goes to the other at once, though that one is at the end of the line.
    await driver.expire(lost.id);
    await reap(on);
    await until('the other has it', () => aliveChannel.assigned.find(({ task }) => task.id === lost.id));
    for (let i = 0; i < 3; i += 1) await driver.submit(still.codebaseId);
    await until('the other has them all', () => aliveChannel.assigned.length === 4);
    expect(silent.assigned).toHaveLength(1);

    aliveChannel.close();
    const last = await driver.submit(still.codebaseId);
    for (let turn = 0; turn < 5; turn += 1) await on.store.ping();
    expect(await driver.currentTask(last.id)).toMatchObject({ status: 'pending' });
    await on.dispatcher.sweep();
    await until('the only one there has it', () => silent.assigned.find(({ task }) => task.id === last.id));
    silent.close();
  });

  it('is in line again with its next heartbeat', async () => {
    const { db, verbs } = fixture();
    const clock = { ms: 0 };
    using clocked = openClocked(verbs, clock, silentAfterMs);
    const { on } = clocked;
    const driver = createQueueDriver(on, db);
    const { workerId, codebaseId } = await driver.worker();
    const subscription = await connect(on, workerId);
    clock.ms += silentAfterMs + 1;
    await recordHeartbeat(on, agent, workerId, [], 4);
    const task = await driver.submit(codebaseId);
    const assignment = await until('it has the task', () => subscription.assigned[0]);
    expect(assignment.task.id).toBe(task.id);
    subscription.close();
  });
});
