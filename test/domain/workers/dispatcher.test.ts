// The choice of worker for a task, by the dispatcher alone: no sweep runs here unless a test starts one.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { routeKey } from '../../../src/domain/model/task/route.ts';
import type { Assignment } from '../../../src/domain/model/task/task.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { recordHeartbeat } from '../../../src/domain/workers/claim.ts';
import { openPushChannel } from '../../../src/domain/workers/push.ts';
import { PushChannel, type Frame } from '../../../src/domain/workers/push-channel.ts';
import { callerOf, draft, openVerbs, type Verbs } from '../../support/verbs.ts';
import { until } from '../../support/until.ts';
import { agent, editor, createQueueDriver } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

interface PushSubscription {
  readonly frames: Frame[];
  readonly assigned: Assignment[];
  close(): void;
}

/** Connects a worker and reads what it is sent, until it is closed. */
async function connect(workerId: string, slots: number, on: Verbs = fixture().verbs): Promise<PushSubscription> {
  const channel = await openPushChannel(on, agent, workerId, slots, 15_000);
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
async function settled(on: Verbs = fixture().verbs): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await on.store.ping();
}

describe('the dispatcher', () => {
  it('assigns tasks that became pending during a claim, without a sweep', async () => {
    const { db, driver, verbs } = fixture();
    const neighbour = createQueueDriver(verbs, db, {
      submitter: callerOf('editor', 'other'),
      workerCaller: callerOf('agent', 'other'),
    });
    const { workerId, codebaseId } = await driver.worker();
    const subscription = await connect(workerId, 1);
    await driver.submit(codebaseId);
    for (let round = 0; round < 20; round++) {
      const held = await until(`assignment ${round}`, () => subscription.assigned[round]);
      // One commit ends the run and claims the next task in vain; its neighbour's prompts keep it busy after that.
      const slow = Array.from({ length: 8 }, () => neighbour.submit(null, { prompt: 'x'.repeat(150_000) }));
      const end = driver.release(held);
      await setImmediate();
      await setImmediate();
      // This one goes into another commit, which finds no slot free.
      await driver.submit(codebaseId);
      await Promise.all([end, ...slow]);
    }
    expect((await until('the last assignment', () => subscription.assigned[20])).task.status).toBe('running');
    subscription.close();
  });

  it('frees no slot of the next worker when the former one releases its lost task', async () => {
    const { driver, verbs } = fixture();
    const first = await driver.worker();
    const task = await driver.submit(first.codebaseId);
    const lost = await driver.claimOne(first.workerId);
    await driver.heartbeat(first.workerId, lost);
    await driver.expire(task.id);
    await reap(verbs);
    const second = await driver.worker(first.codebaseId);
    const subscription = await connect(second.workerId, 1);
    await until('the second has it', () => subscription.assigned.length === 1);
    await driver.submit(first.codebaseId);
    await expect(driver.release(lost)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(driver.release(lost, { status: 'pending' })).rejects.toMatchObject({ code: 'lease_lost' });
    await settled();
    expect(subscription.assigned).toHaveLength(1);
    subscription.close();
  });

  it('pushes claimed tasks to the current channel of the worker', async () => {
    const { driver } = fixture();
    const { workerId, codebaseId } = await driver.worker();
    for (let round = 0; round < 15; round++) {
      const older = await connect(workerId, 1);
      const [task, newer] = await Promise.all([driver.submit(codebaseId), connect(workerId, 1)]);
      const held = await until('the task arrived', () => newer.assigned.find((one) => one.task.id === task.id));
      expect(await driver.release(held)).toMatchObject({ status: 'completed' });
      newer.close();
      older.close();
    }
  });

  it('learns from hints of a heartbeat that another replica received', async () => {
    const { db, driver, verbs } = fixture();
    await using other = await openVerbs(db);
    const { workerId, codebaseId } = await driver.worker();
    const subscription = await connect(workerId, 1, other);
    const task = await driver.submit(codebaseId);
    await until('it arrived over there', () => subscription.assigned.length === 1);
    await cancelTask(verbs, editor, task.id);
    await until('the cancel arrived over there', () => subscription.frames.some((frame) => frame.type === 'cancel'));
    await driver.submit(codebaseId);
    // The worker killed its agent, and says here that it is free.
    await recordHeartbeat(verbs, agent, workerId, [], 1);
    const next = await until('the next task arrived over there', () => subscription.assigned[1]);
    expect(next.task.status).toBe('running');
    subscription.close();
  });

  it('finds tasks without a hint by its sweep, behind any number of tasks for other workers', async () => {
    const { db, driver, verbs } = fixture();
    const { workerId, codebaseId } = await driver.worker();
    const subscription = await connect(workerId, 1);
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
    expect(subscription.assigned).toHaveLength(0);
    // Straight into the queue of another replica: as when it dies before it announces the task.
    await using silent = await openVerbs(db);
    const id = verbs.makeId();
    const needs = { codebaseId, requiredCapabilities: [], targetAgent: null, targetWorkerId: null };
    const routeId = createHash('sha256').update(routeKey(needs)).digest('base64url').slice(0, 22);
    await silent.queue.submit(editor, {
      id,
      attemptId: verbs.makeId(),
      draft: draft({ codebaseId }),
      maxAttempts: 3,
      routeId,
      createdBy: 'me',
      idempotency: undefined,
    });
    expect(subscription.assigned).toHaveLength(0);
    await verbs.dispatcher.sweep();
    expect((await until('the sweep assigned it', () => subscription.assigned[0])).task.id).toBe(id);
    subscription.close();
  });

  it('sends resync to workers that take hints only, when hints of other replicas may have been missed', async () => {
    const { driver, verbs } = fixture();
    const { workerId } = await driver.worker();
    const subscription = await connect(workerId, 0);
    verbs.dispatcher.onMissedHints();
    await until('resync', () => subscription.frames.length === 2);
    expect(subscription.frames.map((frame) => frame.type)).toEqual(['connected', 'resync']);
    subscription.close();
  });
});

describe('a push channel without a reader', () => {
  const worker = {
    workerId: 'w',
    names: ['w'],
    agents: [],
    capabilities: [],
    servedCodebaseIds: new Set<string>(),
    online: true,
    drained: false,
  };

  it('keeps at most a bounded number of hints, then one resync in their place; no cancel is dropped [choices-5.12]', async () => {
    const channel = new PushChannel('default', worker, { slots: 1, since: 0, heartbeatMs: 15_000 }, 0);
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
