// Replicas whose clocks disagree by an hour: what each does goes by the database's clock.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseClock } from '../../src/adapters/postgres/database-clock.ts';
import { openPool } from '../../src/adapters/postgres/connections.ts';
import { openHouse, type House } from '../house.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';

const hourMs = 3_600_000;
/** To the second it is known only as well as the database answers fast. */
const wrong = (how: string): RegExp => new RegExp(`^this machine's clock is 3[56]\\d\\d s ${how} the database's`);
const logged: string[] = [];
let db: TestDatabase;
let ahead: House;
let behind: House;

beforeAll(async () => {
  db = await cloneDatabase();
  const log = (line: string): void => void logged.push(line);
  ahead = await openHouse({ db, now: () => Date.now() + hourMs, log });
  behind = await openHouse({ db, now: () => Date.now() - hourMs });
});
afterAll(async () => {
  await behind[Symbol.asyncDispose]();
  await ahead[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

describe('two replicas, one an hour ahead and one an hour behind', () => {
  it('hand out first what came first, whoever took it', async () => {
    const first = await ahead.task({ title: 'first' });
    const second = await behind.task({ title: 'second' });
    const worker = await ahead.worker();
    const claimed = [...(await worker.claim()), ...(await worker.claim())];
    expect(claimed.map(({ task }) => task.id)).toEqual([first.id, second.id]);
    for (const one of claimed) await worker.release(one, { status: 'completed' });
  });

  it.each([
    ['ahead', () => ahead],
    ['behind', () => behind],
  ])('give a registration by path its time to be found, at the one that is %s', async (_, house) => {
    await house().worker({ name: 'finder' });
    const body = { name: 'by path', path: '/some/where' };
    const reply = await house().call('POST', '/v1/agent/codebases', { body });
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

it('a clock that is set right is believed again, and one that keeps time within a second always', async () => {
  await using closing = new AsyncDisposableStack();
  const lines: string[] = [];
  const pool = openPool({ address: db.service, role: 'a2a_app', max: 1, log: () => {} });
  closing.defer(() => pool.end());
  let offsetMs = -hourMs;
  const own = (): number => Date.now() + offsetMs;
  const clock = new DatabaseClock({ pool, own, log: (line) => lines.push(line) });
  const wrongByMs = (): number => Math.abs(clock.now() - Date.now());
  expect(wrongByMs()).toBeGreaterThan(hourMs / 2);
  await clock.ask();
  expect(wrongByMs()).toBeLessThan(hourMs / 2);
  offsetMs = -200;
  await clock.ask();
  expect(clock.now() - own()).toBeLessThanOrEqual(0);
  expect(lines).toEqual([expect.stringMatching(wrong('behind')), `this machine's clock is right again`]);
});
