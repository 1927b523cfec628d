// Group commit under way: a commit that is held up holds up nobody but those in it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import pg from 'pg';
import { openHouse, type House } from '../house.ts';
import { until } from '../support/until.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

it('one call behind a commit that waits for a lock is taken by the next lane, with no other call to wake it', async () => {
  const worker = await house.worker();
  const task = await house.task();
  const [held] = await worker.claim(1, task.id);
  if (held === undefined) throw new Error('not claimed');
  const blocker = new pg.Client(house.db.superuser);
  await blocker.connect();
  try {
    await blocker.query('begin');
    await blocker.query('select from tasks where id = $1 for update', [task.id]);
    let released = false;
    const release = worker.release(held, { status: 'completed' }).then((reply) => {
      released = true;
      return reply;
    });
    await until('the commit waits for the lock', async () => {
      const waiting = await house.db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    expect((await house.task()).status).toBe('pending');
    expect(released).toBe(false);
    await blocker.query('rollback');
    expect((await release).status).toBe(200);
  } finally {
    await blocker.end();
  }
});
