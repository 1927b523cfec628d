// Housekeeping on a busy queue: unused routes are deleted, but never one that a task needs.
import { describe, expect, it } from 'vitest';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { retain } from '../../../src/domain/tasks/retain.ts';
import { answerTask } from '../../../src/domain/tasks/exchange/answer.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { editor, outputEvent } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

const policy = { retentionDays: 30, idempotencyHours: 48 };
const runRetentionNow = (): Promise<number> => retain(fixture().verbs, policy, new AbortController().signal);
/** Makes every route unused for two days. */
const age = (): Promise<unknown> => fixture().db.query(`update routes set used_at = now() - interval '2 days'`);
const routesOf = (codebaseId: string): Promise<unknown[]> =>
  fixture().db.query('select route_id from routes where codebase_id = $1', [codebaseId]);

describe('a route that was dropped while its task ran', () => {
  it.each(['released', 'lost', 'answered'] as const)(
    'exists again when the task goes back to pending: %s',
    async (how) => {
      const { driver, verbs } = fixture();
      const { workerId, codebaseId, task, held } = await driver.heldTask();
      await driver.report(held, [outputEvent(1)]);
      if (how === 'answered') await driver.release(held, { status: 'needs_input', question: 'which?' });
      await age();
      await runRetentionNow();
      expect(await routesOf(codebaseId)).toEqual([]);
      if (how === 'released') await driver.release(held, { status: 'pending' });
      if (how === 'lost') await driver.expire(task.id);
      if (how === 'lost') await reap(verbs);
      if (how === 'answered') await answerTask(verbs, editor, task.id, { message: 'this' });
      expect(await routesOf(codebaseId)).toHaveLength(1);
      await driver.endHolds(task.id);
      expect((await driver.claimOne(workerId)).task.id).toBe(task.id);
    },
  );
});

describe('housekeeping at the same moment', () => {
  it('as tasks are submitted and released drops no route that one of them needs', async () => {
    const { db, driver } = fixture();
    const { workerId, codebaseId } = await driver.worker();
    const busy = { over: false };
    const sweeping = (async () => {
      while (!busy.over) {
        await age();
        await runRetentionNow();
      }
    })();
    for (let round = 0; round < 40; round++) {
      await Promise.all([driver.submit(codebaseId), driver.submit(codebaseId)]);
      const held = await driver.claim(workerId, 2);
      await Promise.all(held.map((one) => driver.release(one, { status: 'pending' })));
      for (const one of held) await driver.endHolds(one.task.id);
    }
    busy.over = true;
    await sweeping;
    await assertInvariants(db);
    const waiting = await db.query<{ id: string }>(
      `select id from tasks where codebase_id = $1 and status = 'pending' order by id`,
      [codebaseId],
    );
    const taken = [...(await driver.claim(workerId, 64)), ...(await driver.claim(workerId, 64))];
    expect(taken.map((held) => held.task.id)).toEqual(waiting.map((row) => row.id));
    expect(waiting.length).toBeGreaterThan(60);
  });
});
