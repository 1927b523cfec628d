// A passed deadline ends its task once, in any state, and notifies its worker and followers.
import { describe, expect, it } from 'vitest';
import type { Wake } from '../../../src/domain/ports/wake.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { claimTasks } from '../../../src/domain/workers/claim.ts';
import { agent, outputEvent } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

const deadlineAt = '2100-01-01T00:00:00.000Z';
const ended = { status: 'failed', error: { code: 'deadline_exceeded' } };

async function pass(taskId: string): Promise<void> {
  await fixture().db.query(`update tasks set deadline_at = now() - interval '1 s' where id = $1`, [taskId]);
}

/** The hints that were announced while something was done. */
async function hintsOf(work: () => Promise<unknown>): Promise<Wake[]> {
  const hints: Wake[] = [];
  const stop = fixture().verbs.wake.listen((hint) => hints.push(hint));
  await work();
  stop();
  return hints;
}

describe('a deadline that passes', () => {
  it('fails a pending task, which no worker gets any more, before and after the reaper runs [choices-2.5, choices-3.33]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, codebaseId } = await driver.worker();
    const task = await driver.submit(codebaseId, { deadlineAt });
    await pass(task.id);
    expect(await driver.claim(workerId)).toEqual([]);
    await expect(claimTasks(verbs, agent, { workerId, limit: 1, taskId: task.id })).rejects.toMatchObject({
      kind: 'conflict',
    });
    await reap(verbs);
    expect(await driver.currentTask(task.id)).toMatchObject({ ...ended, attempt: 0 });
    expect(await driver.claim(workerId)).toEqual([]);
  });

  it('fails a running task, notifies its worker to stop, and refuses its late reports [choices-2.7]', async () => {
    const { driver, verbs } = fixture();
    const { workerId, task, held } = await driver.heldTask({ deadlineAt });
    await driver.report(held, [outputEvent(1)]);
    await pass(task.id);
    const hints = await hintsOf(() => reap(verbs));
    expect(hints).toContainEqual({ kind: 'cancel', tenantId: 'default', workerId, taskId: task.id });
    expect(await driver.currentTask(task.id)).toMatchObject({ ...ended, attempt: 1 });
    expect(await driver.heartbeat(workerId, held)).toMatchObject({ renewed: [], lost: [task.id] });
    await expect(driver.release(held)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(driver.report(held, [outputEvent(2)])).rejects.toMatchObject({ code: 'lease_lost' });
  });

  it('fails a task that waits for an answer [choices-2.9]', async () => {
    const { driver, verbs } = fixture();
    const { task, held } = await driver.heldTask({ deadlineAt });
    await driver.release(held, { status: 'needs_input', question: 'which?' });
    await pass(task.id);
    await reap(verbs);
    expect(await driver.currentTask(task.id)).toMatchObject(ended);
  });

  it('leaves finished tasks and later deadlines alone', async () => {
    const { driver, verbs } = fixture();
    const { task, held } = await driver.heldTask({ deadlineAt });
    await driver.release(held, { status: 'completed', result: 'in time' });
    await pass(task.id);
    const early = await driver.heldTask({ deadlineAt });
    await reap(verbs);
    expect(await driver.currentTask(task.id)).toMatchObject({ status: 'completed', result: 'in time', error: null });
    expect(await driver.currentTask(early.task.id)).toMatchObject({ status: 'running', deadlineAt });
  });

  it('is handled by one of many reapers: the log has one end', async () => {
    const { db, driver, verbs } = fixture();
    const { task } = await driver.heldTask({ deadlineAt });
    await pass(task.id);
    await Promise.all([reap(verbs), reap(verbs), reap(verbs)]);
    const rows = await db.query(`select from task_events where task_id = $1 and (data->>'final')::boolean`, [task.id]);
    expect(rows).toHaveLength(1);
  });
});
