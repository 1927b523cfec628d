// The ledger's batches: each credential's result is at its place, also with concurrent sessions.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresWindowLedger } from '../../../../src/adapters/postgres/store/window-ledger.ts';
import type { WindowEntry } from '../../../../src/domain/ports/window-ledger.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
  await db.query(
    `insert into tenants (tenant_id, name) values ('default', 'd'), ('other', 'o') on conflict do nothing`,
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const windowMs = 60_000;
const ledger = (): PostgresWindowLedger =>
  new PostgresWindowLedger({ address: db.service, role: 'a2a_app', limit: 60, windowMs, randomBytes });

const entryOf = (credentialId: string, calls: number, more: Partial<WindowEntry> = {}): WindowEntry => ({
  tenantId: 'default',
  credentialId,
  calls,
  keep: false,
  reported: undefined,
  ...more,
});

const age = (credentialId: string, ms: number) =>
  db.query('update call_windows set started_ms = started_ms - $2 where credential_id = $1', [credentialId, ms]);

describe('a batch of windows', () => {
  it('has each result at its place: new, shared, full, over, another replica’s, a dead replica’s', async () => {
    await using one = ledger();
    const dead = ledger();
    await using two = ledger();
    await one.settle([
      entryOf('shared', 10),
      entryOf('full', 60),
      entryOf('past', 60),
      entryOf('held', 5, { keep: true }),
    ]);
    await dead.settle([entryOf('orphan', 7, { keep: true })]);
    await dead[Symbol.asyncDispose]();
    await age('past', windowMs);
    const wanted = Promise.withResolvers<string>();
    one.onWanted(({ credentialId }) => wanted.resolve(credentialId));
    const answers = await two.settle([
      entryOf('shared', 3),
      entryOf('held', 1),
      entryOf('orphan', 2),
      entryOf('full', 4),
      entryOf('new', 70),
      entryOf('past', 1, { keep: true }),
      entryOf('shared', 1, { tenantId: 'other' }),
    ]);
    expect(answers).toMatchObject([
      { used: 13, granted: 3, kept: false },
      'elsewhere',
      { used: 9, granted: 2, kept: false },
      { used: 60, granted: 0 },
      { used: 60, granted: 60 },
      { used: 1, granted: 1, kept: true },
      { used: 1, granted: 1 },
    ]);
    expect(await wanted.promise).toBe('held');
  });

  it('accepts a count for the current window only, and creates none from a count of a deleted window', async () => {
    await using one = ledger();
    const [first] = await one.settle([entryOf('reported', 1, { keep: true })]);
    if (typeof first !== 'object') throw new Error('the window is counted here');
    const reported = { startedAt: first.startedAt, used: 30 };
    expect(await one.settle([entryOf('reported', 0, { reported })])).toMatchObject([
      { used: 30, granted: 0, kept: false },
    ]);
    const older = { startedAt: first.startedAt - windowMs, used: 50 };
    expect(await one.settle([entryOf('reported', 2, { reported: older })])).toMatchObject([{ used: 32, granted: 2 }]);
    await age('reported', windowMs);
    expect(await one.settle([entryOf('reported', 0, { reported }), entryOf('forgotten', 0, { reported })])).toEqual([
      'over',
      'over',
    ]);
    expect(await db.query(`select from call_windows where credential_id = 'forgotten'`)).toEqual([]);
  });

  it('of many credentials is exact while sessions count the same credentials in other orders at once', async () => {
    await using one = ledger();
    await using two = ledger();
    await using three = ledger();
    const keys = Array.from({ length: 300 }, (_, i) => `many ${i}`);
    const ledgers: [PostgresWindowLedger, string[]][] = [
      [one, keys],
      [two, keys.toReversed()],
      [three, keys],
    ];
    const batches = ledgers.flatMap(([ledgerOf, order]) =>
      [11, 7, 5].map((calls) => ledgerOf.settle(order.map((key) => entryOf(key, calls)))),
    );
    const granted = (await Promise.all(batches))
      .flat()
      .map((answer) => (typeof answer === 'object' ? answer.granted : 0));
    expect(granted.reduce((sum, n) => sum + n, 0)).toBe(60 * keys.length);
    const [row] = await db.query(
      `select count(*)::integer as n, min(used), max(used) from call_windows where credential_id like 'many %'`,
    );
    expect(row).toEqual({ n: keys.length, min: 60, max: 60 });
  });

  it('deletes a few old windows', async () => {
    await using one = ledger();
    await one.settle([entryOf('long ago', 1), entryOf('an hour ago', 1)]);
    await age('long ago', windowMs + 3_700_000);
    await age('an hour ago', 3_500_000);
    await one.settle([entryOf('today', 1)]);
    expect(await db.query(`select credential_id from call_windows where credential_id like '% ago'`)).toEqual([
      { credential_id: 'an hour ago' },
    ]);
  });
});
