// Replicas whose clocks disagree by an hour: what each does goes by the database's clock.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseClock } from '../../../src/adapters/postgres/connection/database-clock.ts';
import { openPool } from '../../../src/adapters/postgres/connection/connections.ts';
import { openService, type TestService } from '../../support/service.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { until } from '../../support/until.ts';

const hourMs = 3_600_000;
/** To the second it is known only as well as the database answers fast. */
const wrong = (how: string): RegExp => new RegExp(`^this machine's clock is 3[56]\\d\\d s ${how} the database's`);
const logged: string[] = [];
let db: TestDatabase;
let ahead: TestService;
let behind: TestService;

beforeAll(async () => {
  db = await cloneDatabase();
  const log = (line: string): void => void logged.push(line);
  ahead = await openService({ db, now: () => Date.now() + hourMs, log });
  behind = await openService({ db, now: () => Date.now() - hourMs });
});
afterAll(async () => {
  await behind[Symbol.asyncDispose]();
  await ahead[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

describe('two replicas, one an hour ahead and one an hour behind', () => {
  it('hand out first what came first, whoever took it', async () => {
    const first = await ahead.task({ title: 'first' });
    // Each knows the database's time only as well as it answered at the start.
    const [row] = await db.query<{ at: Date }>('select clock_timestamp() as at');
    await until('a second has passed', async () => {
      const [now] = await db.query(`select where clock_timestamp() > $1::timestamptz + interval '1 s'`, [row?.at]);
      return now !== undefined;
    });
    const second = await behind.task({ title: 'second' });
    const worker = await ahead.worker();
    const claimed = [...(await worker.claim()), ...(await worker.claim())];
    expect(claimed.map(({ task }) => task.id)).toEqual([first.id, second.id]);
    for (const one of claimed) await worker.release(one, { status: 'completed' });
  });

  it.each([
    ['ahead', () => ahead],
    ['behind', () => behind],
  ])('give a registration by path its time to be found, at the one that is %s', async (_, service) => {
    await service().worker({ name: 'finder' });
    const body = { name: 'by path', path: '/some/where' };
    const reply = await service().call('POST', '/v1/agent/codebases', { body });
    expect(reply.status).toBe(202);
    const [row] = await db.query<{ seconds: number }>(
      'select extract(epoch from deadline_at - created_at)::float8 as seconds from tasks where id = $1',
      [reply.body.task_id],
    );
    expect(row?.seconds).toBeGreaterThan(0);
    expect(row?.seconds).toBeLessThan(hourMs / 1000);
  });

  it('say at the start whose clock is wrong', () => {
    expect(logged).toContainEqual(expect.stringMatching(wrong('ahead of')));
  });
});

it('an answer that took long says less than a quick one', async () => {
  let [ownMs, databaseMs] = [2 * hourMs, hourMs];
  const takes = [4_000, 2, 2];
  const client = {
    query: () => {
      const rows = [{ at: databaseMs }];
      const tookMs = takes.shift() ?? 2;
      ownMs += tookMs;
      databaseMs += tookMs;
      return Promise.resolve({ rows });
    },
    release: () => {},
  };
  const pool = { connect: () => Promise.resolve(client) } as unknown as pg.Pool;
  const clock = new DatabaseClock({ pool, localNow: () => ownMs, log: () => {} });
  await clock.sync();
  expect(Math.abs(clock.now() - databaseMs)).toBeLessThanOrEqual(1);
});

it('a clock that is set right is believed again, and one that keeps time within a second always', async () => {
  await using closing = new AsyncDisposableStack();
  const lines: string[] = [];
  const pool = openPool({ address: db.service, role: 'a2a_app', max: 1, log: () => {} });
  closing.defer(() => pool.end());
  let offsetMs = -hourMs;
  const own = (): number => Date.now() + offsetMs;
  const clock = new DatabaseClock({ pool, localNow: own, log: (line) => lines.push(line) });
  const wrongByMs = (): number => Math.abs(clock.now() - Date.now());
  expect(wrongByMs()).toBeGreaterThan(hourMs / 2);
  await clock.sync();
  expect(wrongByMs()).toBeLessThan(hourMs / 2);
  offsetMs = -200;
  await clock.sync();
  expect(clock.now() - own()).toBeLessThanOrEqual(0);
  expect(lines).toEqual([expect.stringMatching(wrong('behind')), `this machine's clock is right again`]);
});
