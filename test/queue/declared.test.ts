// A worker that tells of its free slots in heartbeats alone: what it was sent and does not name fills a slot for a while.
import { expect, it } from 'vitest';
import { beatWorker } from '../../src/domain/workers/claim.ts';
import { openPush } from '../../src/domain/workers/push.ts';
import { until } from '../support/until.ts';
import { agent, handsOn } from './hands.ts';
import { openClocked } from './own-dispatcher.ts';
import { setQueueScene } from './scene.ts';

const scene = setQueueScene();

it('an assignment that heartbeats do not name fills a slot while it may be on its way, and no longer', async () => {
  const { db, verbs } = scene();
  const clock = { ms: 0 };
  using clocked = openClocked(verbs, clock, 60_000);
  const { on } = clocked;
  const hands = handsOn(on, db);
  const { workerId, codebaseId } = await hands.worker();
  const channel = await openPush(on, agent, workerId, undefined);
  const assigned: string[] = [];
  void (async () => {
    for (let frame = await channel.next(); frame !== undefined; frame = await channel.next()) {
      if (frame.type === 'task_assigned') assigned.push(frame.assignment.task.id);
    }
  })();
  const beat = (): Promise<unknown> => beatWorker(on, agent, workerId, [], 1);
  await beat();
  const lost = await hands.submit(codebaseId);
  await until('it was sent the task', () => assigned[0]);
  const next = await hands.submit(codebaseId);
  for (const passed of [0, 3_000, 6_000]) {
    clock.ms += passed;
    await beat();
    for (let turn = 0; turn < 5; turn += 1) await on.store.ping();
    expect(assigned).toEqual([lost.id]);
  }
  clock.ms += 2_000;
  await beat();
  await until('it was sent the next', () => assigned[1]);
  expect(assigned).toEqual([lost.id, next.id]);
  on.dispatcher.disconnect(channel);
});
