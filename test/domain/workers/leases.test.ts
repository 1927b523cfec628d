// Leases: who holds one, how long, and what becomes of an attempt when it ends. The test decides when the reaper comes.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answerTask } from '../../../src/domain/tasks/exchange/answer.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { recordHeartbeat, claimTasks } from '../../../src/domain/workers/claim.ts';
import { unregisterWorker } from '../../../src/domain/workers/register.ts';
import { callerOf } from '../../support/verbs.ts';
import { agent, editor, outputEvent } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

describe('a lease', () => {
  it('begins with a claim, which raises epoch and attempt and opens a run [choices-2.14, choices-2.28, core-3.1.2]', async () => {
    const { db, driver } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    expect(held.task).toMatchObject({ status: 'running', attempt: 1, workerId, attemptId: task.attemptId });
    expect(await driver.counts(task.id)).toEqual({ epoch: 1, attempt: 1 });
    const runs = await db.query('select run_id, worker_id, attempt, status from task_runs where task_id = $1', [
      task.id,
    ]);
    expect(runs).toEqual([{ run_id: task.attemptId, worker_id: workerId, attempt: 1, status: 'running' }]);
  });

  it('is renewed by a heartbeat, on database time [choices-5.4, choices-5.36]', async () => {
    const { db, driver } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    await db.query(`update tasks set lease_expires_at = now() + interval '1 s' where id = $1`, [task.id]);
    const { renewed } = await driver.heartbeat(workerId, held);
    const [after] = await db.query<{ left: number }>(
      'select extract(epoch from lease_expires_at - now())::float8 as left from tasks where id = $1',
      [task.id],
    );
    expect(renewed.map((lease) => lease.taskId)).toEqual([task.id]);
    expect(after?.left).toBeGreaterThan(30);
  });

  it('that ran out cannot be renewed, before and after the reaper came [choices-2.22]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    await driver.expire(task.id);
    expect(await driver.heartbeat(workerId, held)).toMatchObject({ renewed: [], lost: [task.id] });
    await reap(verbs);
    expect(await driver.heartbeat(workerId, held)).toMatchObject({ renewed: [], lost: [task.id] });
  });

  it('that ran out still lets its run complete, until the reaper has put the task back [choices-2.23]', async () => {
    const { driver, verbs } = fixture();
    const { task, held } = await driver.heldTask();
    await driver.expire(task.id);
    expect(await driver.release(held, { status: 'completed', result: 'late' })).toMatchObject({ status: 'completed' });
    await reap(verbs);
    expect(await driver.currentTask(task.id)).toMatchObject({ status: 'completed', result: 'late' });
  });

  it('that was reaped is lost to its worker: report, release and heartbeat say so [choices-5.35, choices-2.8]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    await driver.report(held, [outputEvent(1)]);
    await driver.expire(task.id);
    await reap(verbs);
    expect(await driver.currentTask(task.id)).toMatchObject({ status: 'pending', workerId: null });
    await expect(driver.report(held, [outputEvent(2)])).rejects.toMatchObject({ kind: 'conflict', code: 'lease_lost' });
    await expect(driver.release(held, { status: 'completed' })).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(driver.release(held, { status: 'pending' })).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await driver.heartbeat(workerId, held)).toMatchObject({ lost: [task.id] });
  });

  it('that is live is not touched by the reaper', async () => {
    const { driver, verbs } = fixture();
    const { task } = await driver.heldTask();
    await reap(verbs);
    expect(await driver.currentTask(task.id)).toMatchObject({ status: 'running' });
  });

  it('of another is no lease at all: a made-up token, and the token of another task [choices-5.35]', async () => {
    const { driver } = fixture();
    const [one, two] = [await driver.heldTask(), await driver.heldTask()];
    for (const leaseToken of [randomUUID(), two.held.leaseToken]) {
      await expect(driver.release({ ...one.held, leaseToken }, {})).rejects.toMatchObject({ code: 'lease_lost' });
      await expect(driver.report({ ...one.held, leaseToken }, [outputEvent(1)])).rejects.toMatchObject({
        code: 'lease_lost',
      });
      expect(await driver.heartbeat(one.workerId, { ...one.held, leaseToken })).toMatchObject({ lost: [one.task.id] });
    }
    // A worker may not renew what another holds, even with its token.
    expect(await driver.heartbeat(two.workerId, one.held)).toMatchObject({ renewed: [], lost: [one.task.id] });
  });

  it('is renewed for nobody who is not its worker’s owner, and for no worker that left', async () => {
    const { db, driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    const expiry = async (): Promise<unknown> =>
      (await db.query('select lease_expires_at from tasks where id = $1', [task.id]))[0];
    const before = await expiry();
    const stranger = callerOf('agent', 'default', 'token:stranger');
    const lease = { taskId: held.task.id, leaseToken: held.leaseToken };
    await expect(recordHeartbeat(verbs, stranger, workerId, [lease], undefined)).rejects.toMatchObject({
      kind: 'not_found',
    });
    expect(await expiry()).toEqual(before);
  });
});

describe('an attempt', () => {
  it('stays used when a lease that was named runs out [choices-2.15]', async () => {
    const { driver, verbs } = fixture();
    const { task, held } = await driver.heldTask();
    await driver.report(held, [outputEvent(1)]);
    await driver.expire(task.id);
    await reap(verbs);
    expect(await driver.counts(task.id)).toEqual({ epoch: 1, attempt: 1 });
  });

  it('is given back when a lease runs out that nobody ever named; the epoch is not [choices-2.19]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, task } = await driver.heldTask({ maxAttempts: 1 });
    for (let epoch = 1; epoch <= 3; epoch++) {
      await driver.expire(task.id);
      await reap(verbs);
      expect(await driver.currentTask(task.id)).toMatchObject({ status: 'pending', error: null });
      expect(await driver.counts(task.id)).toEqual({ epoch, attempt: 0 });
      await driver.claimOne(workerId);
    }
  });

  it('stays used when its lease was first named after it had run out [choices-2.15]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    await driver.expire(task.id);
    await driver.heartbeat(workerId, held);
    await reap(verbs);
    expect(await driver.counts(task.id)).toEqual({ epoch: 1, attempt: 1 });
  });

  it('is given back by a release to pending, the epoch is not [choices-2.16, choices-5.18]', async () => {
    const { driver } = fixture();
    const { task, held } = await driver.heldTask();
    await driver.report(held, [outputEvent(1)]);
    expect(await driver.release(held, { status: 'pending' })).toMatchObject({ status: 'pending' });
    expect(await driver.counts(task.id)).toEqual({ epoch: 1, attempt: 0 });
  });

  it('is given back when the worker unregisters, the epoch is not [choices-2.17, choices-5.6]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    await driver.report(held, [outputEvent(1)]);
    await unregisterWorker(verbs, agent, workerId);
    expect(await driver.currentTask(task.id)).toMatchObject({ status: 'pending' });
    expect(await driver.counts(task.id)).toEqual({ epoch: 1, attempt: 0 });
    await expect(claimTasks(verbs, agent, { workerId, limit: 1 })).rejects.toMatchObject({ kind: 'not_found' });
    await expect(driver.heartbeat(workerId, held)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is given back when the agent asked and was answered, the epoch is not [choices-2.18, choices-2.10]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    await driver.release(held, { status: 'needs_input', question: 'which?' });
    expect(await driver.currentTask(task.id)).toMatchObject({ status: 'needs_input' });
    await answerTask(verbs, editor, task.id, { message: 'that one' });
    expect(await driver.currentTask(task.id)).toMatchObject({ status: 'pending' });
    expect(await driver.counts(task.id)).toEqual({ epoch: 1, attempt: 0 });
    await driver.claimOne(workerId);
    expect(await driver.counts(task.id)).toEqual({ epoch: 2, attempt: 1 });
  });

  it('that was the last one ends its task when the lease runs out, with the reason [choices-2.6]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask({ maxAttempts: 2 });
    await driver.heartbeat(workerId, held);
    await driver.expire(task.id);
    await reap(verbs);
    const again = await driver.claimOne(workerId);
    expect(again.task.attemptId).not.toBe(held.task.attemptId);
    await driver.heartbeat(workerId, again);
    await driver.expire(task.id);
    await reap(verbs);
    expect(await driver.currentTask(task.id)).toMatchObject({
      status: 'failed',
      attempt: 2,
      error: { code: 'attempts_exhausted' },
    });
    expect(await driver.heartbeat(workerId, again)).toMatchObject({ lost: [task.id] });
  });

  it('has a run id of its own, and the task names the newest [choices-2.28]', async () => {
    const { db, driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    await driver.report(held, [outputEvent(1)]);
    await driver.expire(task.id);
    await reap(verbs);
    const again = await driver.claimOne(workerId);
    expect((await driver.currentTask(task.id)).attemptId).toBe(again.task.attemptId);
    const runs = await db.query<{ run_id: string }>('select run_id from task_runs where task_id = $1 order by epoch', [
      task.id,
    ]);
    expect(runs.map((run) => run.run_id)).toEqual([held.task.attemptId, again.task.attemptId]);
  });
});

describe('a cancelled run', () => {
  it('takes artifacts under its old lease for 10 s, and nothing else [choices-2.26]', async () => {
    const { db, driver, verbs } = fixture();
    const { task, held } = await driver.heldTask();
    await cancelTask(verbs, editor, task.id);
    const diff = { type: 'artifact' as const, n: 1, data: { name: 'diff', mime_type: 'text/x-diff', text: '+1' } };
    expect(await driver.report(held, [diff, outputEvent(2)])).toMatchObject({ cancelRequested: true });
    const log = await db.query<{ type: string }>('select type from task_events where task_id = $1 order by seq', [
      task.id,
    ]);
    expect(log.map((event) => event.type)).toEqual(['status', 'status', 'status', 'artifact']);
    // Numbers go on behind what was not kept, and leave no gap here either.
    await expect(driver.report(held, [{ ...diff, n: 4 }])).rejects.toMatchObject({ code: 'event_gap', expected: 3 });
    await db.query(`update tasks set completed_at = completed_at - interval '11 s' where id = $1`, [task.id]);
    await expect(driver.report(held, [{ ...diff, n: 3 }])).rejects.toMatchObject({ code: 'lease_lost' });
  });
});
