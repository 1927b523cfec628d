// Giving a task back: who is not offered it again, how often that may happen, and what a repeated word is answered.
import { describe, expect, it } from 'vitest';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import type { ReleaseRequest } from '../../../src/domain/workers/release.ts';
import { claimTasks } from '../../../src/domain/workers/claim.ts';
import { unregisterWorker } from '../../../src/domain/workers/register.ts';
import { agent, editor, outputEvent } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

describe('a task given back', () => {
  it('is not offered to that worker for 30 s, and to another at once [choices-2.20]', async () => {
    const { db, driver, verbs } = fixture();
    const { workerId, codebaseId, task, held } = await driver.heldTask();
    const other = await driver.worker(codebaseId);
    await driver.release(held, { status: 'pending' });
    expect(await driver.claim(workerId)).toEqual([]);
    await expect(claimTasks(verbs, agent, { workerId, limit: 1, taskId: task.id })).rejects.toMatchObject({
      kind: 'conflict',
    });
    const [hold] = await db.query<{ left: number }>(
      'select extract(epoch from held_until - now())::float8 as left from task_holds where task_id = $1',
      [task.id],
    );
    expect(hold?.left).toBeGreaterThan(20);
    expect(hold?.left).toBeLessThanOrEqual(30);
    expect((await driver.claimOne(other.workerId)).task.id).toBe(task.id);
  });

  it('is offered to that worker again when the 30 s are over [choices-2.20]', async () => {
    const { driver } = fixture();
    const { workerId, task, held } = await driver.heldTask();
    await driver.release(held, { status: 'pending' });
    await driver.endHolds(task.id);
    expect((await driver.claimOne(workerId)).task.id).toBe(task.id);
  });

  it('does not keep the worker from the tasks behind it', async () => {
    const { driver } = fixture();
    const { workerId, codebaseId, held } = await driver.heldTask({ priority: 9 });
    await driver.release(held, { status: 'pending' });
    const next = await driver.submit(codebaseId);
    expect((await driver.claimOne(workerId)).task.id).toBe(next.id);
  });

  it('fails with released_too_often after 20 releases, and no release before that uses an attempt [choices-2.21]', async () => {
    const { driver } = fixture();
    const { workerId, task, held } = await driver.heldTask({ maxAttempts: 1 });
    let lease = held;
    for (let release = 1; release < 20; release++) {
      expect(await driver.release(lease, { status: 'pending' })).toMatchObject({ status: 'pending' });
      await driver.endHolds(task.id);
      lease = await driver.claimOne(workerId);
      expect(lease.task.attempt).toBe(1);
    }
    const last = await driver.release(lease, { status: 'pending' });
    expect(last).toMatchObject({ status: 'failed' });
    expect(await driver.currentTask(task.id)).toMatchObject({
      status: 'failed',
      error: { code: 'released_too_often' },
    });
    expect(await driver.release(lease, { status: 'pending' })).toEqual(last);
  });
});

describe('a repeated release', () => {
  it.each(['completed', 'failed', 'cancelled', 'pending', 'needs_input'] as const)(
    'with %s is answered as the first was, whatever happened since [choices-5.34]',
    async (status) => {
      const { driver, verbs } = fixture();
      const { workerId, task, held } = await driver.heldTask();
      await driver.report(held, [outputEvent(1)]);
      const releaseFields = { status, ...(status === 'needs_input' ? { question: 'which?' } : {}), result: 'r' };
      const first = await driver.release(held, releaseFields);
      expect(await driver.release(held, releaseFields)).toEqual(first);
      if (status === 'pending') {
        await driver.endHolds(task.id);
        await driver.report(await driver.claimOne(workerId), [outputEvent(1), outputEvent(2)]);
      }
      if (status === 'needs_input') await cancelTask(verbs, editor, task.id);
      if (status === 'cancelled') {
        await driver.report(held, [
          { type: 'artifact', n: 2, data: { name: 'late', mime_type: 'text/plain', text: '' } },
        ]);
      }
      expect(await driver.release(held, releaseFields)).toEqual(first);
    },
  );

  it('with another status is refused: the first one counts [choices-5.35]', async () => {
    const { driver } = fixture();
    const { task, held } = await driver.heldTask();
    await driver.release(held, { status: 'completed', result: 'done' });
    await expect(driver.release(held, { status: 'failed' })).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(driver.release(held, { status: 'pending' })).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await driver.currentTask(task.id)).toMatchObject({ status: 'completed', result: 'done', error: null });
  });

  it.each(['completed', 'failed', 'cancelled', 'pending', 'needs_input'] as const)(
    'with %s and anything else about it is refused, and nothing of it is taken [choices-5.72]',
    async (status) => {
      const { db, driver } = fixture();
      const { task, held } = await driver.heldTask();
      const artifact = { name: 'a', mime_type: 'text/plain', text: 'one' };
      const releaseFields = {
        status,
        ...(status === 'needs_input' ? { question: 'which?' } : {}),
        result: 'r',
        error: { code: 'c', message: 'm' },
        usage: { input_tokens: 1 },
        artifacts: [artifact],
      };
      const first = await driver.release(held, releaseFields);
      const log = (): Promise<unknown[]> =>
        db.query('select * from task_events where task_id = $1 order by seq', [task.id]);
      const kept = await log();
      const others: Partial<ReleaseRequest>[] = [
        { result: 'another' },
        { result: undefined },
        { error: { code: 'c', message: 'another' } },
        { error: undefined },
        { usage: { input_tokens: 2 } },
        { usage: undefined },
        { artifacts: [] },
        { artifacts: [{ ...artifact, text: 'two' }] },
        { artifacts: [artifact, { ...artifact, name: 'b' }] },
        { question: 'another?' },
      ];
      for (const other of others)
        await expect(driver.release(held, { ...releaseFields, ...other }), JSON.stringify(other)).rejects.toMatchObject(
          {
            code: 'lease_lost',
          },
        );
      expect(await log()).toEqual(kept);
      expect(await driver.release(held, releaseFields)).toEqual(first);
    },
  );

  it('of a run that a caller cancelled is held against the first word on it [choices-5.72]', async () => {
    const { driver, verbs } = fixture();
    const { task, held } = await driver.heldTask();
    await cancelTask(verbs, editor, task.id);
    const artifact = { name: 'a', mime_type: 'text/plain', text: 'one' };
    const releaseFields = { status: 'cancelled' as const, artifacts: [artifact] };
    const first = await driver.release(held, releaseFields);
    expect(await driver.release(held, releaseFields)).toEqual(first);
    const other = driver.release(held, { ...releaseFields, artifacts: [artifact, { ...artifact, name: 'b' }] });
    await expect(other).rejects.toMatchObject({ code: 'lease_lost' });
  });

  it('at the same moment as another one: one of them counts, and the other is refused [choices-5.72]', async () => {
    const { driver } = fixture();
    for (const status of ['completed', 'pending'] as const) {
      const { held } = await driver.heldTask();
      const releaseFields = Array.from({ length: 8 }, (_, i) => ({ status, result: String(i) }));
      const answers = await Promise.allSettled(releaseFields.map((one) => driver.release(held, one)));
      expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('at the same moment ends the run once [choices-5.34]', async () => {
    const { db, driver } = fixture();
    for (const status of ['completed', 'pending'] as const) {
      const { task, held } = await driver.heldTask();
      const answers = await Promise.all(Array.from({ length: 8 }, () => driver.release(held, { status })));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      const [log] = await db.query<{ n: string }>(
        `select count(*) as n from task_events where task_id = $1 and type = 'status'`,
        [task.id],
      );
      expect(Number(log?.n)).toBe(3);
    }
  });
});

describe('a worker that unregisters', () => {
  it('leaves no task behind, not even those it is given at that very moment [choices-5.6, choices-2.17]', async () => {
    const { driver, verbs } = fixture();
    for (let round = 0; round < 20; round++) {
      const { workerId, codebaseId } = await driver.worker();
      const tasks = await Promise.all(Array.from({ length: 6 }, () => driver.submit(codebaseId)));
      const claims = Array.from({ length: 4 }, async (_, i) => {
        for (let turn = 0; turn < i; turn++) await verbs.store.ping();
        return driver.claim(workerId, 1).catch(() => []);
      });
      await Promise.all([...claims, verbs.store.ping().then(() => unregisterWorker(verbs, agent, workerId))]);
      const left = await Promise.all(tasks.map(async ({ id }) => (await driver.currentTask(id)).status));
      expect(new Set(left)).toEqual(new Set(['pending']));
    }
  });

  it('may come back under its name, and takes tasks again [choices-5.3]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, codebaseId } = await driver.worker(undefined, { name: 'comes back' });
    await unregisterWorker(verbs, agent, workerId);
    const again = await driver.worker(undefined, { name: 'comes back' });
    expect(again).toEqual({ workerId, codebaseId });
    const task = await driver.submit(codebaseId);
    expect((await driver.claimOne(workerId)).task.id).toBe(task.id);
  });
});

describe('reports and releases of two commits', () => {
  it('that touch each other’s tasks do not wait for each other for ever', async () => {
    const { driver } = fixture();
    const { workerId, codebaseId } = await driver.worker();
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 48 }, () => driver.submit(codebaseId)));
      const held = await driver.claim(workerId, 48);
      const [one, two] = [held.slice(0, 24), held.slice(24)];
      // A commit takes each task once: the first reports on one half and ends the other, the second the other way.
      const commits = [
        ...one.map((task) => driver.report(task, [outputEvent(1)])),
        ...two.map((task) => driver.release(task)),
        ...two.map((task) => driver.report(task, [outputEvent(1)])),
        ...one.map((task) => driver.release(task)),
      ];
      const refusals = (await Promise.allSettled(commits)).flatMap((answer) =>
        answer.status === 'rejected' && answer.reason.code !== 'lease_lost' ? [answer.reason] : [],
      );
      expect(refusals).toEqual([]);
      for (const task of held) expect((await driver.currentTask(task.task.id)).status).toBe('completed');
    }
  });
});
