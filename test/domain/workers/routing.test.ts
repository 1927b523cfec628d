// The worker that a task goes to, the order of tasks, and the reason that a waiting task shows.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WaitingReason } from '../../../src/domain/model/task/route.ts';
import { viewTask } from '../../../src/domain/tasks/read.ts';
import { registerCodebase } from '../../../src/domain/codebases/register.ts';
import { unregisterWorker } from '../../../src/domain/workers/register.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { callerOf, openVerbs, type Verbs } from '../../support/verbs.ts';
import { createQueueDriver, type QueueDriver } from '../../support/queue/queue-driver.ts';

let db: TestDatabase;
let verbs: Verbs;
/** Each test has a tenant of its own: `global` is one for each. */
let driver: QueueDriver;
let tenantId: string;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
});
beforeEach(async () => {
  tenantId = `t-${randomUUID()}`;
  await verbs.crossTenant.ensureTenants([tenantId]);
  driver = createQueueDriver(verbs, db, {
    submitter: callerOf('editor', tenantId),
    workerCaller: callerOf('agent', tenantId),
  });
});
afterEach(() => assertInvariants(db));
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

async function claimedIds(workerId: string, limit = 10): Promise<string[]> {
  return (await driver.claim(workerId, limit)).map((held) => held.task.id);
}

async function reason(taskId: string): Promise<WaitingReason | null> {
  return (await viewTask(verbs, callerOf('viewer', tenantId), taskId)).waitingReason;
}

describe('a task', () => {
  it('of a codebase goes only to workers that hold it [core-3.4.1]', async () => {
    const [holder, stranger] = [await driver.worker(), await driver.worker()];
    const task = await driver.submit(holder.codebaseId);
    expect(await claimedIds(stranger.workerId)).toEqual([]);
    expect(await claimedIds(holder.workerId)).toEqual([task.id]);
  });

  it('of a codebase kept for one worker goes to that worker alone [core-3.4.2, choices-3.53, core-2.6.4]', async () => {
    const keeper = await driver.worker(undefined, {}, { exclusive: true });
    const other = await driver.worker(keeper.codebaseId);
    const task = await driver.submit(keeper.codebaseId);
    expect(await claimedIds(other.workerId)).toEqual([]);
    expect(await claimedIds(keeper.workerId)).toEqual([task.id]);
  });

  it('of a codebase that several workers hold goes to any of them [choices-3.50]', async () => {
    const first = await driver.worker();
    const others = [await driver.worker(first.codebaseId), await driver.worker(first.codebaseId)];
    const tasks = [await driver.submit(first.codebaseId), await driver.submit(first.codebaseId)];
    const taken = [await claimedIds(others[0]?.workerId ?? '', 1), await claimedIds(others[1]?.workerId ?? '', 1)];
    expect(taken.flat()).toEqual(tasks.map((task) => task.id));
  });

  it('for global goes to every worker that registered one, beside its own codebases’ [core-3.4.3, core-3.4.4]', async () => {
    const both = await driver.worker();
    await driver.worker('global', { name: 'also' });
    await verbs.store.within({ tenantId }, (rows) => rows.codebases.bind('global', both.workerId, '/g'));
    const plain = await driver.worker();
    const [global, own] = [await driver.submit('global'), await driver.submit(both.codebaseId)];
    expect(await claimedIds(plain.workerId)).toEqual([]);
    expect(await claimedIds(both.workerId)).toEqual([global.id, own.id]);
  });

  it('for a global kept for one worker goes to that worker alone [choices-3.53]', async () => {
    const [first, second] = [await driver.worker('global'), await driver.worker('global')];
    const operator = callerOf('operator', tenantId);
    const request = { codebaseId: 'global', name: 'global', path: '/', description: '', workerId: second.workerId };
    await registerCodebase(verbs, operator, request);
    const task = await driver.submit('global');
    expect(await claimedIds(first.workerId)).toEqual([]);
    expect(await claimedIds(second.workerId)).toEqual([task.id]);
  });

  it('goes to a worker that has all it requires, the named agent, and is the named worker [choices-3.30, choices-3.31, choices-3.32]', async () => {
    const plain = await driver.worker();
    const able = await driver.worker(plain.codebaseId, {
      capabilities: ['gpu', 'build'],
      agents: ['codex'],
      name: 'ada',
    });
    const capable = await driver.submit(plain.codebaseId, { requiredCapabilities: ['build', 'gpu'] });
    const byAgent = await driver.submit(plain.codebaseId, { targetAgent: 'codex' });
    const byName = await driver.submit(plain.codebaseId, { targetAgent: 'ada' });
    const byId = await driver.submit(plain.codebaseId, { targetWorkerId: able.workerId });
    expect(await claimedIds(plain.workerId)).toEqual([]);
    expect(await claimedIds(able.workerId)).toEqual([capable, byAgent, byName, byId].map((task) => task.id));
  });

  it('of another tenant is not there, even where the codebase has the same name', async () => {
    const worker = await driver.worker('global');
    const elsewhere = `t-${randomUUID()}`;
    await verbs.crossTenant.ensureTenants([elsewhere]);
    const stranger = createQueueDriver(verbs, db, {
      submitter: callerOf('editor', elsewhere),
      workerCaller: callerOf('agent', elsewhere),
    });
    await stranger.submit('global');
    expect(await claimedIds(worker.workerId)).toEqual([]);
  });
});

describe('tasks', () => {
  it('come by priority, the higher number first, then in the order they were asked for [core-2.5.3, choices-3.29]', async () => {
    const { workerId, codebaseId } = await driver.worker('global');
    const other = await driver.worker();
    await verbs.store.within({ tenantId }, (rows) => rows.codebases.bind(other.codebaseId, workerId, '/o'));
    const submitted: { id: string; priority: number }[] = [];
    for (const priority of [0, 100, 5, 5, 0, 100, 7]) {
      // Over several routes: the order holds across them.
      const codebase = submitted.length % 2 === 0 ? codebaseId : other.codebaseId;
      submitted.push({ id: (await driver.submit(codebase, { priority })).id, priority });
    }
    const expected = submitted.toSorted((a, b) => b.priority - a.priority).map((task) => task.id);
    const taken: string[] = [];
    for (const limit of [1, 2, 4]) taken.push(...(await claimedIds(workerId, limit)));
    expect(taken).toEqual(expected);
  });

  it('asked for at once come in the order of their ids', async () => {
    const { workerId, codebaseId } = await driver.worker();
    const tasks = await Promise.all(Array.from({ length: 30 }, () => driver.submit(codebaseId)));
    expect(await claimedIds(workerId, 30)).toEqual(tasks.map((task) => task.id).toSorted());
  });
});

describe('a waiting task says', () => {
  it('no_codebase when it has none [choices-3.28, choices-3.39]', async () => {
    const task = await driver.submit(null);
    const { workerId } = await driver.worker('global');
    expect(await reason(task.id)).toBe('no_codebase');
    expect(await claimedIds(workerId)).toEqual([]);
  });

  it('no_worker_for_codebase when no worker holds it, or none that may [choices-3.24, choices-3.23]', async () => {
    const task = await driver.submit('global');
    expect(await reason(task.id)).toBe('no_worker_for_codebase');
    const keeper = await driver.worker(undefined, {}, { exclusive: true });
    await driver.worker(keeper.codebaseId);
    const kept = await driver.submit(keeper.codebaseId);
    await db.query('update workers set unregistered_at = now() where worker_id = $1', [keeper.workerId]);
    expect(await reason(kept.id)).toBe('no_worker_for_codebase');
  });

  it('no_such_worker, no_such_agent and no_worker_with_capability for what nobody is or has [choices-3.25]', async () => {
    const { codebaseId } = await driver.worker();
    const gone = await driver.worker();
    const task = await driver.submit(codebaseId, { targetWorkerId: gone.workerId });
    expect(await reason(task.id)).toBe('no_worker_for_codebase');
    await unregisterWorker(verbs, callerOf('agent', tenantId), gone.workerId);
    expect(await reason(task.id)).toBe('no_such_worker');
    const agentless = await driver.submit(codebaseId, { targetAgent: 'nobody' });
    expect(await reason(agentless.id)).toBe('no_such_agent');
    const unable = await driver.submit(codebaseId, { requiredCapabilities: ['flying'] });
    expect(await reason(unable.id)).toBe('no_worker_with_capability');
  });

  it('worker_offline when the worker that could take it was silent for a lease’s time [choices-3.26]', async () => {
    const { workerId, codebaseId } = await driver.worker();
    const task = await driver.submit(codebaseId);
    await db.query(`update workers set last_heartbeat_at = now() - interval '61 s' where worker_id = $1`, [workerId]);
    expect(await reason(task.id)).toBe('worker_offline');
  });

  it('workers_busy when nobody has a free slot, and nothing once it runs [choices-3.27]', async () => {
    const { workerId, codebaseId } = await driver.worker(undefined, { slots: 1 });
    const [runs, waits] = [await driver.submit(codebaseId), await driver.submit(codebaseId)];
    expect(await reason(waits.id)).toBe('claimable');
    const [held] = await driver.claim(workerId, 1);
    if (held === undefined) throw new Error('nothing claimed');
    expect(await reason(waits.id)).toBe('workers_busy');
    expect(await reason(runs.id)).toBeNull();
    await driver.release(held);
    expect(await reason(waits.id)).toBe('claimable');
  });

  it('held_back when it was given back a moment ago by the only one who is free, and no longer than that', async () => {
    const { codebaseId, task, held } = await driver.heldTask();
    await driver.release(held, { status: 'pending' });
    expect(await reason(task.id)).toBe('held_back');
    const other = await driver.worker(codebaseId, { slots: 1 });
    expect(await reason(task.id)).toBe('claimable');
    await driver.submit(codebaseId, { targetWorkerId: other.workerId, priority: 100 });
    await driver.claimOne(other.workerId);
    expect(await reason(task.id)).toBe('held_back');
    await driver.endHolds(task.id);
    expect(await reason(task.id)).toBe('claimable');
  });
});
