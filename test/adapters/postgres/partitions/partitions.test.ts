// Partitions by the time in ids: made ahead, dropped when their time is over, kept while something needs them; and what nobody
// but their owner may do.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../src/adapters/postgres/connection/connections.ts';
import { postgresPartitions } from '../../../../src/adapters/postgres/store/partitions.ts';
import { keepPartitions, type PartitionDeps } from '../../../../src/domain/partitions/keep-partitions.ts';
import type { LoopAudit } from '../../../../src/domain/ports/audit.ts';
import { proveIsolation } from '../../../../src/adapters/postgres/isolation/isolation-proof.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';

let db: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  db = await cloneDatabase();
  pool = openPool({ address: db.service, role: 'a2a_app', max: 2, log: () => {} });
});
afterAll(async () => {
  await pool.end();
  await db[Symbol.asyncDispose]();
});

const changes: { action: string; partitions: unknown }[] = [];
const audit: LoopAudit = {
  async change(caller, { action }, work) {
    const { value, changed } = await work(caller);
    if (changed !== undefined) changes.push({ action, partitions: changed['partitions'] });
    return value;
  },
};
let kept: ReadonlyMap<string, number> = new Map();
const deps = (): PartitionDeps => ({
  partitions: postgresPartitions(pool),
  audit,
  metrics: {
    partitionsKept: (counts) => {
      kept = counts;
    },
  },
});
const round = (days = 400) => keepPartitions(deps(), { analytics_events: days });
const partitionsOf = async (table: string): Promise<string[]> => {
  const rows = await db.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
};
const monthsFrom = (first: Date, count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + i, 1)).toISOString();
    return `analytics_events_${month.slice(0, 7).replace('-', '_')}`;
  });
/** Makes those of a time, as the owner. */
const makeAt = (time: string) => db.query(`select * from make_partitions($1::timestamptz)`, [time]);
const addEvent = (receivedAt: string, at = receivedAt) =>
  db.query(
    `insert into analytics_events (tenant_id, event_id, received_at, at, kind, event, user_id)
     values ('default', (left(uuid7_from($1::timestamptz)::text, 14) || '7000' || right(gen_random_uuid()::text, 18))::uuid, $1, $2, 'track', 'e', 'u')`,
    [receivedAt, at],
  );

/** Undoes what a test does to the partitions of events. */
async function forgetOldPartitions(): Promise<void> {
  for (const name of await partitionsOf('analytics_events'))
    if (name < 'analytics_events_2025') await db.query(`drop table ${name}`);
}

describe('partitions ahead [platform-7.3.1]', () => {
  it('are there from the migration on: this month and four beyond, by UTC [platform-5.1.2]', async () => {
    const now = new Date();
    expect(await partitionsOf('analytics_events')).toEqual(expect.arrayContaining(monthsFrom(now, 5)));
    const [bounds] = await db.query<{ bounds: string; start: string }>(
      `select pg_get_expr(relpartbound, oid) as bounds, uuid7_from(date_trunc('month', now(), 'UTC'))::text as start
       from pg_class where relname = $1`,
      [monthsFrom(now, 1)[0]],
    );
    expect(bounds?.bounds).toContain(`FROM ('${bounds?.start}')`);
  });

  it('are made as time goes on, once, and audited', async () => {
    await db.query(`drop table ${monthsFrom(new Date(), 5)[4] ?? ''}`);
    changes.length = 0;
    await round();
    await round();
    expect(changes).toEqual([{ action: 'partitions.make', partitions: [monthsFrom(new Date(), 5)[4]] }]);
  });

  it('are made by two replicas at once without an error', async () => {
    for (const name of monthsFrom(new Date(), 5).slice(2)) await db.query(`drop table ${name}`);
    await Promise.all([round(), round(), round()]);
    expect(await partitionsOf('analytics_events')).toEqual(expect.arrayContaining(monthsFrom(new Date(), 5)));
  });

  it('cover the hour before a month begins, for a clock that is behind', async () => {
    await makeAt('2023-03-01T00:30:00Z');
    expect(await partitionsOf('analytics_events')).toEqual(
      expect.arrayContaining(monthsFrom(new Date('2023-02-01'), 6)),
    );
    await forgetOldPartitions();
  });

  it('do not follow the time zone of the session', async () => {
    await db.query(
      `set timezone = 'Pacific/Kiritimati'; select make_partitions('2023-05-31T23:00:00Z'); reset timezone`,
    );
    expect((await partitionsOf('analytics_events'))[0]).toBe('analytics_events_2023_05');
    await addEvent('2023-05-01T00:00:00.000Z');
    await addEvent('2023-05-31T23:59:59.999Z');
    expect(await db.query('select count(*)::integer as n from analytics_events_2023_05')).toEqual([{ n: 2 }]);
    await forgetOldPartitions();
  });
});

describe('partitions of the past [platform-7.3.3]', () => {
  it('are dropped when all of their time is beyond the retention, and audited', async () => {
    const lastYear = new Date(Date.now() - 400 * 86_400_000);
    const border = `${lastYear.toISOString().slice(0, 7)}-15T00:00:00Z`;
    await makeAt(new Date(Date.parse(border) - 62 * 86_400_000).toISOString());
    const [first, second, third] = await partitionsOf('analytics_events');
    await addEvent(new Date(Date.parse(border) - 62 * 86_400_000).toISOString());
    await addEvent(border);
    changes.length = 0;
    expect(await round()).toEqual(new Set(['analytics_events']));
    // The month that the retention ends in has rows that count.
    const left = await partitionsOf('analytics_events');
    expect([left.includes(first ?? ''), left.includes(second ?? ''), left.includes(third ?? '')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(changes).toEqual([{ action: 'partitions.drop', partitions: [first, second] }]);
    expect(kept).toEqual(new Map([['analytics_events', 0]]));
    expect(await round()).toEqual(new Set());
    // A shorter retention is that of the setting, from the next round on.
    expect(await round(1)).toEqual(new Set(['analytics_events']));
    const [oldest = ''] = await partitionsOf('analytics_events');
    expect(oldest >= (monthsFrom(new Date(Date.now() - 86_400_000), 1)[0] ?? '')).toBe(true);
  });

  it('stay while the keeper of their table needs a row of them, and a metric says so [platform-7.3.4]', async () => {
    await db.query(
      `set role switchyard_owner;
       create table letters (tenant_id text not null, letter_id uuid not null, is_open boolean not null, primary key (tenant_id, letter_id))
         partition by range (letter_id);
       select make_tenant_table('letters');
       create function letters_needed(p regclass) returns boolean language plpgsql as $$
         declare found_one boolean;
         begin execute format('select exists (select from %s where is_open)', p) into found_one; return found_one; end $$;
       insert into partitioned_tables (parent, unit, ahead, keeper) values ('letters', 'day', 1, 'letters_needed');
       select make_partitions(now() - interval '5 days');
       reset role`,
    );
    const names = await partitionsOf('letters');
    expect(names).toHaveLength(2);
    await db.query(`insert into letters select 'default', uuid7_from(now() - interval '5 days'), true`);
    await round();
    expect(await partitionsOf('letters')).toEqual(expect.arrayContaining([names[0]]));
    expect(await partitionsOf('letters')).not.toContain(names[1]);
    expect(kept.get('letters')).toBe(1);
    await db.query('update letters set is_open = false');
    expect(await round()).toEqual(new Set(['letters']));
    expect(await partitionsOf('letters')).not.toContain(names[0]);
    await db.query(
      `delete from partitioned_tables where parent = 'letters'; drop table letters; drop function letters_needed(regclass)`,
    );
  });

  it('that somebody reads wait for the next round, and hold nobody up', async () => {
    await makeAt('2023-01-15T00:00:00Z');
    const reader = openPool({ address: db.superuser, role: 'a2a_admin', max: 1, log: () => {} });
    const client = await reader.connect();
    try {
      await client.query('begin; select from analytics_events limit 1');
      expect(await round()).toEqual(new Set());
      expect(kept.get('analytics_events')).toBeGreaterThan(0);
      expect(await partitionsOf('analytics_events')).toContain('analytics_events_2023_01');
    } finally {
      await client.query('rollback');
      client.release();
      await reader.end();
    }
    expect(await round()).toEqual(new Set(['analytics_events']));
    expect(await partitionsOf('analytics_events')).not.toContain('analytics_events_2023_01');
  });
});

describe('the rights on partitions [platform-7.3.2, platform-7.3.5]', () => {
  it('are the owner’s: requests may neither make nor drop nor read them', async () => {
    const [name = ''] = await partitionsOf('analytics_events');
    const single = openPool({ address: db.service, role: 'a2a_app', max: 1, log: () => {} });
    try {
      const tried = async (role: string, text: string): Promise<string> => {
        const client = await single.connect();
        try {
          await client.query(`set role ${role}`);
          return await client.query(text).then(
            () => 'ok',
            (error: unknown) => (error instanceof Error ? error.message : 'failed'),
          );
        } finally {
          client.release(true);
        }
      };
      for (const role of ['a2a_app', 'a2a_admin']) {
        expect(await tried(role, `select from ${name}`)).toContain('permission denied for table');
        expect(await tried(role, `drop table ${name}`)).toContain('must be owner of table');
      }
      expect(await tried('a2a_app', 'select make_partitions(now())')).toContain('permission denied for function');
      expect(await tried('a2a_app', 'select drop_partitions(now())')).toContain('permission denied for function');
      expect(await tried('a2a_app', 'select from partitioned_tables')).toContain('permission denied');
      expect(await tried('a2a_admin', `update partitioned_tables set parent = 'tasks'`)).toContain('permission denied');
      expect(await tried('a2a_admin', `update partitioned_tables set keep_days = 0`)).toContain('violates check');
    } finally {
      await single.end();
    }
  });

  it('cannot be used to drop what is not over, by a time of the future', async () => {
    const before = await partitionsOf('analytics_events');
    const rows = await db.query(`select * from drop_partitions('2999-01-01')`);
    expect(rows).toEqual([]);
    expect(await partitionsOf('analytics_events')).toEqual(before);
  });

  it('are found by no name of the caller’s: a temporary table of that name changes nothing', async () => {
    const client = await pool.connect();
    try {
      await client.query('begin; set local role a2a_admin');
      await client.query(
        `create temporary table partitioned_tables (parent text, unit text, ahead integer, keep_days integer, keeper text);
         insert into partitioned_tables values ('tasks', 'month', 1, 1, null)`,
      );
      const { rows } = await client.query(
        'select * from make_partitions(now()) union all select parent, partition from drop_partitions(now())',
      );
      expect(rows).toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('stay so when an operator’s default privileges grant them', async () => {
    await db.query('alter default privileges in schema public grant select on tables to a2a_app');
    const [last = ''] = (await partitionsOf('analytics_events')).slice(-1);
    await db.query(`drop table ${last}`);
    await makeAt(new Date().toISOString());
    await db.query('alter default privileges in schema public revoke select on tables from a2a_app');
    expect((await proveIsolation(db.service)).holes).toEqual([]);
  });
});
