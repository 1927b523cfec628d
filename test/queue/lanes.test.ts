// Group commit under way: a commit that is held up holds up nobody but those in it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { openLanesPool } from '../../src/adapters/postgres/connections.ts';
import { postgresQueue } from '../../src/adapters/postgres/queue.ts';
import type { TaskQueue } from '../../src/domain/ports/queue.ts';
import { submitTask } from '../../src/domain/tasks/submit.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { draft, openVerbs, type Verbs } from '../support/verbs.ts';
import { editor, handsOn, type Hands } from './hands.ts';

const lanes = 2;

let db: TestDatabase;
let verbs: Verbs;
let hands: Hands;
let pool: pg.Pool;
let queue: TaskQueue;
/** The clock of the lanes: it stands still unless a test moves it. */
let clockMs: number;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
  hands = handsOn(verbs, db);
  pool = openLanesPool({ address: db.service, role: 'a2a_app', max: lanes, log: () => {} });
});
beforeEach(() => {
  clockMs = 0;
  queue = postgresQueue({ pool, lanes, elapsedMs: () => clockMs, leaseSeconds: 60, idempotencyHours: 48 });
});
afterAll(async () => {
  await pool.end();
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

/** A commit under way that waits for a lock. */
interface HeldUp extends AsyncDisposable {
  /** Lets it go on; settles when it is over. */
  letGo(): Promise<void>;
  readonly isOver: boolean;
}

async function heldUpCommit(): Promise<HeldUp> {
  const { task, held } = await hands.heldTask();
  const blocker = new pg.Client(db.superuser);
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('select from tasks where id = $1 for update', [task.id]);
  let isOver = false;
  const finish = { taskId: task.id, leaseToken: held.leaseToken, status: 'completed' as const, result: null };
  const finished = queue
    .finish(editor, { ...finish, subject: undefined, error: null, usage: null, artifacts: [] })
    .then(() => void (isOver = true));
  await until('the commit waits for the lock', async () => {
    const waiting = await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  });
  return {
    get isOver() {
      return isOver;
    },
    async letGo() {
      await blocker.query('rollback');
      await finished;
    },
    [Symbol.asyncDispose]: () => blocker.end(),
  };
}

const submit = async (): Promise<void> => void (await submitTask({ ...verbs, queue }, editor, draft()));

describe('while a commit is held up', () => {
  it('calls that come later take the next lane, as often as they come', async () => {
    await using commit = await heldUpCommit();
    clockMs = 1_000;
    for (let i = 0; i < 3; i += 1) await submit();
    expect(commit.isOver).toBe(false);
    await commit.letGo();
  });

  it('a call that came right behind it is taken without another call to wake it', async () => {
    await using commit = await heldUpCommit();
    // By the clock the commit has just begun: the call waits for it.
    const submitted = submit();
    await new Promise(setImmediate);
    clockMs = 1_000;
    await submitted;
    expect(commit.isOver).toBe(false);
    await commit.letGo();
  });
});

it('while a commit is short, calls wait for it and share the next one', async () => {
  await using commit = await heldUpCommit();
  const submits: Promise<void>[] = [];
  for (let i = 0; i < 5; i += 1) {
    submits.push(submit());
    // In turns of their own: together they would go together at any rate.
    await new Promise(setImmediate);
  }
  await commit.letGo();
  await Promise.all(submits);
  const [row] = await db.query<{ n: string }>(
    'select count(distinct xmin::text) as n from tasks where id in (select id from tasks order by id desc limit 5)',
  );
  expect(row?.n).toBe('1');
});
