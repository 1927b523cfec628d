// Who is given which task and when, by the dispatcher alone: no sweep runs here unless a test says so.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { routeKey } from '../../src/domain/model/task/route.ts';
import type { Assignment } from '../../src/domain/model/task/task.ts';
import { cancelTask } from '../../src/domain/tasks/cancel.ts';
import { reap } from '../../src/domain/tasks/reap.ts';
import { beatWorker } from '../../src/domain/workers/claim.ts';
import { openPush } from '../../src/domain/workers/push.ts';
import { PushChannel, type Frame } from '../../src/domain/workers/push-channel.ts';
import { callerOf, draft, openVerbs, type Verbs } from '../support/verbs.ts';
import { until } from '../support/until.ts';
import { agent, editor, handsOn } from './hands.ts';
import { setQueueScene } from './scene.ts';

const scene = setQueueScene();

interface Ear {
  readonly frames: Frame[];
  readonly assigned: Assignment[];
  close(): void;
}

/** Connects a worker and reads what it is sent, until it is closed. */
async function connect(workerId: string, slots: number, on: Verbs = scene().verbs): Promise<Ear> {
  const channel = await openPush(on, agent, workerId, slots, 15_000);
  const frames: Frame[] = [];
  const assigned: Assignment[] = [];
  void (async () => {
    for (let frame = await channel.next(); frame !== undefined; frame = await channel.next()) {
      frames.push(frame);
      if (frame.type === 'task_assigned') assigned.push(frame.assignment);
    }
  })();
  const close = (): void => {
    on.dispatcher.disconnect(channel);
  };
  return { frames, assigned, close };
}

/** Turns of the event loop and of the database, so that what was going to happen has happened. */
async function settled(on: Verbs = scene().verbs): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await on.store.ping();
}

describe('the dispatcher', () => {
  it('forgets no task that came while a claim was under way: there is no sweep here to make up for it', async () => {
    const { db, hands, verbs } = scene();
    const neighbour = handsOn(verbs, db, { asks: callerOf('editor', 'other'), works: callerOf('agent', 'other') });
    const { workerId, codebaseId } = await hands.worker();
    const ear = await connect(workerId, 1);
    await hands.submit(codebaseId);
    for (let round = 0; round < 20; round++) {
      const held = await until(`assignment ${round}`, () => ear.assigned[round]);
      // One commit ends the run and claims the next task in vain; its neighbour's prompts keep it busy after that.
      const slow = Array.from({ length: 8 }, () => neighbour.submit(null, { prompt: 'x'.repeat(150_000) }));
      const end = hands.release(held);
      await setImmediate();
      await setImmediate();
      // This one goes into another commit, which finds no slot free.
      await hands.submit(codebaseId);
      await Promise.all([end, ...slow]);
    }
    expect((await until('the last assignment', () => ear.assigned[20])).task.status).toBe('running');
    ear.close();
  });

  it('frees no slot of the next worker when the one before speaks of its lost task', async () => {
    const { hands, verbs } = scene();
    const first = await hands.worker();
    const task = await hands.submit(first.codebaseId);
    const lost = await hands.claimOne(first.workerId);
    await hands.beat(first.workerId, lost);
    await hands.expire(task.id);
    await reap(verbs);
    const second = await hands.worker(first.codebaseId);
    const ear = await connect(second.workerId, 1);
    await until('the second has it', () => ear.assigned.length === 1);
    await hands.submit(first.codebaseId);
    await expect(hands.release(lost)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(hands.release(lost, { status: 'pending' })).rejects.toMatchObject({ code: 'lease_lost' });
    await settled();
    expect(ear.assigned).toHaveLength(1);
    ear.close();
  });

  it('hands what a claim brought to the channel that the worker has now', async () => {
    const { hands } = scene();
    const { workerId, codebaseId } = await hands.worker();
    for (let round = 0; round < 15; round++) {
      const older = await connect(workerId, 1);
      const [task, newer] = await Promise.all([hands.submit(codebaseId), connect(workerId, 1)]);
      const held = await until('the task arrived', () => newer.assigned.find((one) => one.task.id === task.id));
      expect(await hands.release(held)).toMatchObject({ status: 'completed' });
      newer.close();
      older.close();
    }
  });

  it('hears on one replica what a heartbeat told another', async () => {
    const { db, hands, verbs } = scene();
    await using other = await openVerbs(db);
    const { workerId, codebaseId } = await hands.worker();
    const ear = await connect(workerId, 1, other);
    const task = await hands.submit(codebaseId);
    await until('it arrived over there', () => ear.assigned.length === 1);
    await cancelTask(verbs, editor, task.id);
    await until('the cancel arrived over there', () => ear.frames.some((frame) => frame.type === 'cancel'));
    await hands.submit(codebaseId);
    // The worker killed its agent, and says here that it is free.
    await beatWorker(verbs, agent, workerId, [], 1);
    const next = await until('the next task arrived over there', () => ear.assigned[1]);
    expect(next.task.status).toBe('running');
    ear.close();
  });

  it('finds by its sweep what no hint told of, past any number of tasks for others', async () => {
    const { db, hands, verbs } = scene();
    const { workerId, codebaseId } = await hands.worker();
    const ear = await connect(workerId, 1);
    // Written behind the service's back, as by a replica whose hint was lost; more routes than any page of them.
    await db.query(
      `with others as (select format('absent-%s', n) as agent, format('route-%s', n) as route from generate_series(1, 400) n
       ), route as (
         insert into routes (tenant_id, route_id, codebase_id, target_agent)
         select 'default', route, $1, agent from others
       )
       insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, created_by, codebase_id, target_agent)
       select 'default', gen_random_uuid(), route, gen_random_uuid(), 3, 't', 'p', 'nobody', $1, agent from others`,
      [codebaseId],
    );
    await db.query(
      `insert into task_events (tenant_id, task_id, seq, type, data)
       select tenant_id, id, 1, 'status', '{"status": "pending", "final": false}' from tasks where created_by = 'nobody'`,
    );
    await verbs.dispatcher.sweep();
    await settled();
    expect(ear.assigned).toHaveLength(0);
    // Straight into the queue of another replica: as when it dies before it tells.
    await using silent = await openVerbs(db);
    const id = verbs.makeId();
    const needs = { codebaseId, requiredCapabilities: [], targetAgent: null, targetWorkerId: null };
    const routeId = createHash('sha256').update(routeKey(needs)).digest('base64url').slice(0, 22);
    await silent.queue.submit(editor, {
      id,
      runId: verbs.makeId(),
      draft: draft({ codebaseId }),
      maxAttempts: 3,
      routeId,
      createdBy: 'me',
      idempotency: undefined,
    });
    expect(ear.assigned).toHaveLength(0);
    await verbs.dispatcher.sweep();
    expect((await until('the sweep brought it', () => ear.assigned[0])).task.id).toBe(id);
    ear.close();
  });

  it('tells workers that take hints alone to look, when hints of other replicas may have been missed', async () => {
    const { hands, verbs } = scene();
    const { workerId } = await hands.worker();
    const ear = await connect(workerId, 0);
    verbs.dispatcher.missedHints();
    await until('resync', () => ear.frames.length === 2);
    expect(ear.frames.map((frame) => frame.type)).toEqual(['connected', 'resync']);
    ear.close();
  });
});

describe('a push channel that nobody reads', () => {
  const worker = {
    workerId: 'w',
    names: ['w'],
    agents: [],
    capabilities: [],
    servedCodebaseIds: new Set<string>(),
    online: true,
  };

  it('keeps at most a bounded number of hints, then one resync in their place; no cancel is dropped [choices-5.12]', async () => {
    const channel = new PushChannel('default', worker, { slots: 1, since: 0, beatMs: 15_000 }, 0);
    for (let i = 0; i < 10_000; i++) {
      channel.push({ type: 'task_available', taskId: String(i), priority: 0 });
      if (i % 1000 === 0) channel.push({ type: 'cancel', taskId: String(i) });
    }
    channel.push({ type: 'heartbeat' });
    const frames: Frame[] = [];
    while (frames.at(-1)?.type !== 'heartbeat') {
      const frame = await channel.next();
      if (frame === undefined) break;
      frames.push(frame);
    }
    expect(frames.length).toBeLessThan(300);
    expect(frames.filter((frame) => frame.type === 'resync')).toHaveLength(1);
    expect(frames.filter((frame) => frame.type === 'cancel')).toHaveLength(10);
  });
});
