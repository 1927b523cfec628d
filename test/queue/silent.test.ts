// A worker that stands still while its connection looks alive: it is not first in line for what others could do.
import { describe, expect, it } from 'vitest';
import type { Assignment } from '../../src/domain/model/task/task.ts';
import { reap } from '../../src/domain/tasks/reap.ts';
import { beatWorker } from '../../src/domain/workers/claim.ts';
import { openPush } from '../../src/domain/workers/push.ts';
import type { Verbs } from '../support/verbs.ts';
import { until } from '../support/until.ts';
import { agent, handsOn } from './hands.ts';
import { openClocked } from './own-dispatcher.ts';
import { setQueueScene } from './scene.ts';

const scene = setQueueScene();

interface Ear {
  readonly assigned: Assignment[];
  close(): void;
}

async function connect(on: Verbs, workerId: string): Promise<Ear> {
  const channel = await openPush(on, agent, workerId, 4, 15_000);
  const assigned: Assignment[] = [];
  void (async () => {
    for (let frame = await channel.next(); frame !== undefined; frame = await channel.next()) {
      if (frame.type === 'task_assigned') assigned.push(frame.assignment);
    }
  })();
  return { assigned, close: () => on.dispatcher.disconnect(channel) };
}

const silentAfterMs = 60_000;

describe('a worker that says nothing for a lease', () => {
  it('is given nothing that another can do, and what nobody else can only by the sweep', async () => {
    const { db, verbs } = scene();
    const clock = { ms: 0 };
    using clocked = openClocked(verbs, clock, silentAfterMs);
    const { on } = clocked;
    const hands = handsOn(on, db);
    const still = await hands.worker();
    const alive = await hands.worker(still.codebaseId);
    const silent = await connect(on, still.workerId);
    const lost = await hands.submit(still.codebaseId);
    await until('it has the task', () => silent.assigned[0]);
    const heard = await connect(on, alive.workerId);
    for (let beats = 0; beats < 5; beats += 1) {
      clock.ms += silentAfterMs / 4;
      await beatWorker(on, agent, alive.workerId, [], 4);
    }
    // Its lease runs out: the task goes to the other at once, though that one is at the end of the line.
    await hands.expire(lost.id);
    await reap(on);
    await until('the other has it', () => heard.assigned.find(({ task }) => task.id === lost.id));
    for (let i = 0; i < 3; i += 1) await hands.submit(still.codebaseId);
    await until('the other has them all', () => heard.assigned.length === 4);
    expect(silent.assigned).toHaveLength(1);

    heard.close();
    const last = await hands.submit(still.codebaseId);
    for (let turn = 0; turn < 5; turn += 1) await on.store.ping();
    expect(await hands.now(last.id)).toMatchObject({ status: 'pending' });
    await on.dispatcher.sweep();
    await until('the only one there has it', () => silent.assigned.find(({ task }) => task.id === last.id));
    silent.close();
  });

  it('is in line again with its next heartbeat', async () => {
    const { db, verbs } = scene();
    const clock = { ms: 0 };
    using clocked = openClocked(verbs, clock, silentAfterMs);
    const { on } = clocked;
    const hands = handsOn(on, db);
    const { workerId, codebaseId } = await hands.worker();
    const ear = await connect(on, workerId);
    clock.ms += silentAfterMs + 1;
    await beatWorker(on, agent, workerId, [], 4);
    const task = await hands.submit(codebaseId);
    const given = await until('it has the task', () => ear.assigned[0]);
    expect(given.task.id).toBe(task.id);
    ear.close();
  });
});
