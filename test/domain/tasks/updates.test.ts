// Changes of many tasks by a cursor: no change is missed, in whatever order transactions begin and commit.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { submitTask } from '../../../src/domain/tasks/submit.ts';
import { listTaskUpdates, type TaskUpdate } from '../../../src/domain/tasks/updates.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { chance } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { callerOf, draft, openVerbs, type Verbs } from '../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
let slow: pg.Client;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
  slow = new pg.Client(db.superuser);
  await slow.connect();
});
afterAll(async () => {
  await slow.end();
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const editor = callerOf('editor');

async function newTask(caller = editor): Promise<string> {
  return (await submitTask(verbs, caller, draft())).task.id;
}

/** All changes after a cursor, page by page. */
async function allAfter(since: string, limit = 3): Promise<{ updates: TaskUpdate[]; next: string }> {
  const updates: TaskUpdate[] = [];
  let next = since;
  for (;;) {
    const page = await listTaskUpdates(verbs, editor, { since: next, limit });
    updates.push(...page.updates);
    next = page.next;
    if (page.updates.length < limit) return { updates, next };
  }
}

/**
 * The updates after a cursor about these tasks, until there are this many. Other test files write in the same
 * cluster: what is committed shows as soon as their transactions are over too.
 */
async function collectUpdates(
  ids: readonly string[],
  since: string,
  count: number,
): Promise<{ received: TaskUpdate[]; next: string }> {
  const received: TaskUpdate[] = [];
  let next = since;
  await until(`${count} updates`, async () => {
    const page = await allAfter(next);
    received.push(...page.updates.filter(({ taskId }) => ids.includes(taskId)));
    next = page.next;
    return received.length >= count;
  });
  return { received, next };
}

async function now(): Promise<string> {
  return (await listTaskUpdates(verbs, editor, { limit: 1 })).next;
}

const summaryOf = ({ taskId, status }: TaskUpdate): string => `${taskId} ${status}`;

describe('updates of tasks', () => {
  it('are the changes of status since the cursor, once and in order [tools-4.2.9]', async () => {
    const start = await now();
    const [a, b] = [await newTask(), await newTask()];
    await cancelTask(verbs, editor, a, { reason: 'not needed' });
    const { received, next } = await collectUpdates([a, b], start, 3);
    expect(received.map(summaryOf)).toEqual([`${a} pending`, `${b} pending`, `${a} cancelled`]);
    expect(received[2]).toMatchObject({ seq: 2, message: 'not needed' });
    expect(received[0]).not.toHaveProperty('message');
    await cancelTask(verbs, editor, b);
    expect((await collectUpdates([a, b], next, 1)).received.map(summaryOf)).toEqual([`${b} cancelled`]);
  });

  it('that commit late are not lost to a reader that has seen later ones', async () => {
    const start = await now();
    const early = await newTask();
    // This transaction is older than the next one, and commits after it.
    await slow.query('begin');
    await slow.query(`select queue_end('default', $1, 'cancelled', null, 'late')`, [early]);
    const later = await newTask();
    const before = await collectUpdates([early, later], start, 1);
    expect(before.received.map(summaryOf)).toEqual([`${early} pending`]);
    expect((await allAfter(before.next)).updates).toEqual([]);
    await slow.query('commit');
    const after = await collectUpdates([early, later], before.next, 2);
    expect(after.received.map(summaryOf)).toEqual([`${early} cancelled`, `${later} pending`]);
  });

  it('leave out what was rolled back, and do not wait for it', async () => {
    const start = await now();
    const kept = await newTask();
    await slow.query('begin');
    await slow.query(`select queue_end('default', $1, 'cancelled', null, 'never')`, [kept]);
    await slow.query('rollback');
    const last = await newTask();
    const { received } = await collectUpdates([kept, last], start, 2);
    expect(received.map(summaryOf)).toEqual([`${kept} pending`, `${last} pending`]);
  });

  it('are complete for a reader among writers that overlap at random', async () => {
    const { below } = chance(7_002);
    const start = await now();
    const clients = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = new pg.Client(db.superuser);
        await client.connect();
        return client;
      }),
    );
    const made: string[] = [];
    const cancelled: string[] = [];
    const writing = new AbortController();
    const write = async (client: pg.Client): Promise<void> => {
      for (let round = 0; round < 15; round += 1) {
        const id = await newTask();
        made.push(id);
        await client.query('begin');
        await client.query(`select queue_end('default', $1, 'cancelled', null, 'x')`, [id]);
        // Held open for a while, so that others begin and commit meanwhile.
        await client.query('select pg_sleep($1)', [below(30) / 1000]);
        const isKept = below(4) > 0;
        await client.query(isKept ? 'commit' : 'rollback');
        if (isKept) cancelled.push(id);
      }
    };
    const seen: TaskUpdate[] = [];
    let cursor = start;
    const read = async (): Promise<void> => {
      while (!writing.signal.aborted) {
        const page = await allAfter(cursor, 4);
        seen.push(...page.updates);
        cursor = page.next;
      }
    };
    const reading = read();
    await Promise.all(clients.map(write));
    writing.abort();
    await reading;
    await Promise.all(clients.map((client) => client.end()));
    const duringWrites = seen.length;
    const known = seen.filter(({ taskId }) => made.includes(taskId));
    const { received } = await collectUpdates(made, cursor, made.length + cancelled.length - known.length);
    seen.push(...received);
    expect(duringWrites).toBeGreaterThan(10);
    expect(seen.map(summaryOf)).toHaveLength(new Set(seen.map(summaryOf)).size);
    expect(
      seen
        .filter(({ status }) => status === 'cancelled')
        .map(({ taskId }) => taskId)
        .toSorted(),
    ).toEqual(cancelled.toSorted());
    expect(cancelled.length).toBeGreaterThan(30);
  });

  it('can be limited to some tasks, to a time on, and to the newest', async () => {
    const old = await newTask();
    await db.query(`update task_events set at = at - interval '1 hour' where task_id = $1`, [old]);
    const a = await newTask();
    // Times are answered in milliseconds: the next task may begin in the same one.
    await db.query(`update task_events set at = at - interval '1 second' where task_id = $1`, [a]);
    const b = await newTask();
    await cancelTask(verbs, editor, a);
    await until(
      'they are final',
      async () => (await listTaskUpdates(verbs, editor, { taskIds: [a], limit: 9 })).updates[1],
    );
    const some = await listTaskUpdates(verbs, editor, { taskIds: [a], limit: 50 });
    expect(some.updates.map(({ status }) => status)).toEqual(['pending', 'cancelled']);
    const newest = await listTaskUpdates(verbs, editor, { limit: 2 });
    expect(newest.updates.map(summaryOf)).toEqual([`${b} pending`, `${a} cancelled`]);
    const since = (await listTaskUpdates(verbs, editor, { taskIds: [b], limit: 1 })).updates[0]?.at ?? '';
    const { updates } = await listTaskUpdates(verbs, editor, { sinceTime: since, limit: 50 });
    expect(updates.map(summaryOf)).toEqual([`${b} pending`, `${a} cancelled`]);
    const long = await listTaskUpdates(verbs, editor, { sinceTime: '2001-01-01T00:00:00Z', limit: 200 });
    expect(long.updates.map(({ taskId }) => taskId)).toContain(old);
    const none = await listTaskUpdates(verbs, editor, { sinceTime: '2101-01-01T00:00:00Z', limit: 200 });
    expect(none.updates).toEqual([]);
  });

  it('of another tenant are invisible, whatever cursor and ids are given', async () => {
    const start = await now();
    const theirs = await newTask(callerOf('editor', 'other'));
    const ours = await newTask();
    await collectUpdates([ours], start, 1);
    expect((await allAfter(start)).updates.map(({ taskId }) => taskId)).not.toContain(theirs);
    expect((await listTaskUpdates(verbs, editor, { taskIds: [theirs], limit: 5 })).updates).toEqual([]);
  });

  it('are refused for a malformed cursor, and for one of another database', async () => {
    await expect(listTaskUpdates(verbs, editor, { since: 'x', limit: 1 })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(listTaskUpdates(verbs, editor, { since: '1.9000000000000000000', limit: 1 })).rejects.toMatchObject({
      code: 'cursor_unknown',
    });
    await expect(listTaskUpdates(verbs, editor, { sinceTime: 'yesterday', limit: 1 })).rejects.toMatchObject({
      kind: 'invalid',
    });
  });
});
