// Housekeeping beside a busy queue: routes go when nobody uses them, and never from under a task.
import { describe, expect, it } from 'vitest';
import { reap } from '../../src/domain/tasks/reap.ts';
import { retain } from '../../src/domain/tasks/retain.ts';
import { answerTask } from '../../src/domain/tasks/exchange/answer.ts';
import { mustBeWhole } from '../support/invariants.ts';
import { editor, line } from './hands.ts';
import { setQueueScene } from './scene.ts';

const scene = setQueueScene();

const policy = { retentionDays: 30, idempotencyHours: 48 };
const keepHouse = (): Promise<number> => retain(scene().verbs, policy, new AbortController().signal);
/** Lets every route look unused for two days. */
const age = (): Promise<unknown> => scene().db.query(`update routes set used_at = now() - interval '2 days'`);
const routesOf = (codebaseId: string): Promise<unknown[]> =>
  scene().db.query('select route_id from routes where codebase_id = $1', [codebaseId]);

describe('a route that was dropped while its task ran', () => {
  it.each(['released', 'lost', 'answered'] as const)(
    'is there again when the task goes back to pending: %s',
    async (how) => {
      const { hands, verbs } = scene();
      const { workerId, codebaseId, task, held } = await hands.heldTask();
      await hands.report(held, [line(1)]);
      if (how === 'answered') await hands.release(held, { status: 'needs_input', question: 'which?' });
      await age();
      await keepHouse();
      expect(await routesOf(codebaseId)).toEqual([]);
      if (how === 'released') await hands.release(held, { status: 'pending' });
      if (how === 'lost') await hands.expire(task.id);
      if (how === 'lost') await reap(verbs);
      if (how === 'answered') await answerTask(verbs, editor, task.id, 'this');
      expect(await routesOf(codebaseId)).toHaveLength(1);
      await hands.endHolds(task.id);
      expect((await hands.claimOne(workerId)).task.id).toBe(task.id);
    },
  );
});

describe('housekeeping at the same moment', () => {
  it('as tasks are submitted and given back drops no route that one of them needs', async () => {
    const { db, hands } = scene();
    const { workerId, codebaseId } = await hands.worker();
    const busy = { over: false };
    const sweeping = (async () => {
      while (!busy.over) {
        await age();
        await keepHouse();
      }
    })();
    for (let round = 0; round < 40; round++) {
      await Promise.all([hands.submit(codebaseId), hands.submit(codebaseId)]);
      const held = await hands.claim(workerId, 2);
      await Promise.all(held.map((one) => hands.release(one, { status: 'pending' })));
      for (const one of held) await hands.endHolds(one.task.id);
    }
    busy.over = true;
    await sweeping;
    await mustBeWhole(db);
    const waiting = await db.query<{ id: string }>(
      `select id from tasks where codebase_id = $1 and status = 'pending' order by id`,
      [codebaseId],
    );
    const taken = [...(await hands.claim(workerId, 64)), ...(await hands.claim(workerId, 64))];
    expect(taken.map((held) => held.task.id)).toEqual(waiting.map((row) => row.id));
    expect(waiting.length).toBeGreaterThan(60);
  });
});
