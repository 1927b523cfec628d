// A backup restored elsewhere is the same installation: embedded to one's own, and the other way.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { unpackArchive } from '../../../../src/adapters/postgres/backup/archive/archive-file.ts';
import { readArchive } from '../../../../src/adapters/postgres/backup/archive/archive-reader.ts';
import { restoreEmbedded } from '../../../../src/adapters/postgres/backup/restore/restore-embedded.ts';
import { restoreOwn } from '../../../../src/adapters/postgres/backup/restore/restore-own.ts';
import { verifyArchive } from '../../../../src/adapters/postgres/backup/restore/verify-archive.ts';
import { leftOut } from '../../../../src/adapters/postgres/backup/tables/archived-tables.ts';
import { loadTables } from '../../../../src/adapters/postgres/backup/tables/load-tables.ts';
import { makeRows } from '../../../../src/adapters/postgres/isolation/isolation-scratch.ts';
import { tenantTables } from '../../../../src/adapters/postgres/isolation/isolation-tables.ts';
import { buildService } from '../../../../src/server/build/build.ts';
import { backUpDatabase, rowsIn } from '../../../support/backup/archives.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { databaseUrl } from '../../../support/database/database-url.ts';
import { start } from '../../../support/embedded-postgres/server-fixture.ts';
import { until } from '../../../support/until.ts';
import { openService, testConfig, type TestService } from '../../../support/service.ts';

let dir: string;
let db: TestDatabase;
let file: string;
/** Databases that restores made on the server of this test run. */
const made: string[] = [];

const noAudit = { findChain: () => Promise.resolve(undefined) };
/** Tables whose rows a restore has to change. */
const changedByRestore = ['restores', 'usage_marks'];

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'round-trip-'));
  db = await cloneDatabase();
  await fill(db);
  file = path.join(dir, 'source');
  await backUpDatabase(db.service, file);
});
afterAll(async () => {
  for (const name of made) await onServer(`drop database if exists ${name} with (force)`);
  await db[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

/** A row in every table, and tasks whose end usage has counted, or not yet. */
async function fill({ superuser }: TestDatabase): Promise<void> {
  await using service = await openService({ db });
  await endTask(service, 'folded');
  await db.query(`select fold_usage('default', 1000)`);
  await endTask(service, 'open');
  await service.task({ title: 'pending' });
  await inTransaction(superuser, async (client) => {
    await client.query('set local role a2a_admin');
    await makeRows(client, await tenantTables(client), 'scratch');
  });
}

async function endTask(service: TestService, title: string): Promise<void> {
  const worker = await service.worker({ name: title });
  const task = await service.task({ title });
  const [assignment] = await worker.claim(1, task.id);
  if (assignment === undefined) throw new Error('nothing was claimed');
  await worker.release(assignment, { status: 'completed', result: 'done\ttwice\\n' });
}

async function inTransaction<T>(login: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(login);
  await client.connect();
  try {
    await client.query('begin');
    const value = await work(client);
    await client.query('commit');
    return value;
  } finally {
    await client.end();
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ ...inject('superuser'), database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The owner's address of a database that may not be there yet. */
function ownerUrl(database: string): string {
  made.push(database);
  return databaseUrl({ service: { ...inject('service'), database } }, inject('superuser'));
}

function without(tables: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(tables).filter(([name]) => !changedByRestore.includes(name)));
}

async function queryAt<R extends pg.QueryResultRow>(login: pg.ClientConfig, text: string): Promise<R[]> {
  return inTransaction(login, async (client) => (await client.query<R>(text)).rows);
}

describe('a backup', () => {
  it('has every table of the schema but those that are listed, with rows of each [platform-6.1.3]', async () => {
    const rows = await rowsIn(file);
    const all = await db.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition order by 1`,
    );
    const missing = all
      .map(({ name }) => name)
      .filter((name) => rows[name] === undefined && leftOut[name] === undefined);
    expect(missing).toEqual([]);
    expect(Object.keys(leftOut).filter((name) => !all.some((table) => table.name === name))).toEqual([]);
    // Scratch rows are made from the catalogue, so a table without one could not have been shown to come back.
    expect(Object.keys(rows).filter((name) => rows[name]?.length === 0)).toEqual(['restores']);
  });

  it('has no counter of its own that a restore would set back [platform-6.1.3]', async () => {
    expect(
      await db.query(`select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`),
    ).toEqual([]);
  });

  it('is equal table by table: own, embedded, own; tenants are apart [platform-6.1.1] [platform-6.1.2] [platform-6.1.12]', async () => {
    const source = await rowsIn(file);
    const dataDir = path.join(dir, 'embedded');
    const summary = await verifyArchive({ file, identities: [] });
    const location = { file, identities: [], summary, asClone: false };
    await restoreEmbedded({ ...location, dataDir, env: process.env, log: () => undefined, audit: () => noAudit });
    const again = path.join(dir, 'again');
    {
      await using server = await start(dataDir);
      await backUpDatabase({ ...server.superuser, database: 'switchyard' }, again);
    }
    expect(without(await rowsIn(again))).toEqual(without(source));

    const back = await verifyArchive({ file: again, identities: [] });
    const own = await restoreOwn({
      file: again,
      identities: [],
      summary: back,
      asClone: false,
      ...noAudit,
      ownerUrl: ownerUrl('round_trip_own'),
    });
    expect(own).toMatchObject({ proven: true, database: 'round_trip_own' });
    const third = path.join(dir, 'third');
    const superuser = { ...inject('superuser'), database: 'round_trip_own' };
    await backUpDatabase({ ...inject('service'), database: 'round_trip_own' }, third);
    expect(without(await rowsIn(third))).toEqual(without(source));

    // Usage: what was counted is not counted again, what was not is.
    const [before] = await db.query<{ open: string[] }>(`select unfolded_ends('default', 1000) as open`);
    expect(before?.open).toHaveLength(1);
    expect(await queryAt(superuser, `select unfolded_ends('default', 1000) as open`)).toEqual([before]);
    await queryAt(superuser, `select fold_usage('default', 1000)`);
    expect(
      await queryAt(
        superuser,
        `select sum(tasks)::int as n from usage_days where tenant_id = 'default' and dimension = 'day'`,
      ),
    ).toEqual([{ n: 2 }]);
    // Row-level security binds the owner again, and triggers fire.
    expect(
      await queryAt(
        superuser,
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity and not relforcerowsecurity
         union all select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`,
      ),
    ).toEqual([]);
  });

  it('counts each ended task once over a restore [platform-6.1.13]', async () => {
    const superuser = { ...inject('superuser'), database: 'round_trip_own' };
    expect(await queryAt(superuser, `select unfolded_ends('default', 1000) as open`)).toEqual([{ open: [] }]);
  });

  it('that was restored and not settled keeps a service from starting; the same restore goes on [platform-6.3.6]', async () => {
    const superuser = { ...inject('superuser'), database: 'round_trip_own' };
    await queryAt(superuser, 'update restores set settled_at = null, released_at = null');
    const address = { ...inject('service'), database: 'round_trip_own' };
    const build = buildService({
      config: testConfig(),
      address,
      version: '1.2.0',
      now: Date.now,
      log: () => undefined,
    });
    await expect(build).rejects.toMatchObject({ code: 'restore_unfinished' });
    const again = path.join(dir, 'again');
    const summary = await verifyArchive({ file: again, identities: [] });
    const same = { file: again, identities: [], summary, asClone: false, ...noAudit };
    await restoreOwn({ ...same, ownerUrl: ownerUrl('round_trip_own') });
    expect(
      await queryAt(superuser, 'select settled_at is null as open, count(*)::int as n from restores group by 1'),
    ).toEqual([{ open: false, n: 2 }]);
  });

  it('is restored into an empty place alone, and changes no other [platform-6.1.9]', async () => {
    const summary = await verifyArchive({ file, identities: [] });
    const restore = { file, identities: [], summary, asClone: false, ...noAudit };
    await expect(restoreOwn({ ...restore, ownerUrl: ownerUrl('round_trip_own') })).rejects.toMatchObject({
      code: 'restore_not_empty',
    });
    await onServer('create database round_trip_foreign');
    const foreign = ownerUrl('round_trip_foreign');
    await queryAt({ ...inject('superuser'), database: 'round_trip_foreign' }, 'create table theirs ()');
    await expect(restoreOwn({ ...restore, ownerUrl: foreign })).rejects.toMatchObject({ code: 'restore_not_empty' });
    const taken = path.join(dir, 'taken');
    await mkdir(taken);
    await writeFile(path.join(taken, 'notes.txt'), 'mine');
    const embedded = { ...restore, env: process.env, log: () => undefined, audit: () => noAudit };
    await expect(restoreEmbedded({ ...embedded, dataDir: taken })).rejects.toMatchObject({ code: 'restore_not_empty' });
    expect((await readdir(taken)).filter((name) => !name.startsWith('lock'))).toEqual(['notes.txt']);
  });

  it('brings the partitions that its rows need [platform-6.1.4]', async () => {
    await using source = await cloneDatabase();
    await using target = await cloneDatabase();
    const parent = `create table parted (tenant_id text not null, at timestamptz not null, note text,
        primary key (tenant_id, at)) partition by range (at); select make_tenant_table('parted');
      create table parted_now partition of parted for values from ('2026-01-01Z') to ('2026-02-01Z');`;
    for (const each of [source, target]) await each.query(`set role switchyard_owner; ${parent}; reset role`);
    await source.query(`set role switchyard_owner;
      create table parted_old partition of parted for values from (minvalue) to ('2026-01-01Z');
      alter table parted_old enable row level security;
      create table parted_rest partition of parted default; reset role;
      insert into parted values ('a', '2025-05-05Z', 'old'), ('a', '2026-01-02Z', 'now'), ('b', '2031-01-01Z', E'far\\t')`);
    const parted = path.join(dir, 'parted');
    await backUpDatabase(source.service, parted);
    await loadTables({
      address: target.superuser,
      read: async (sink) => readArchive((await unpackArchive(parted, [])).content, sink),
      finish: () => Promise.resolve(),
    });
    const rows = 'select tableoid::regclass::text as place, note from parted order by at';
    expect(await target.query(rows)).toEqual(await source.query(rows));
    expect(await target.query(`select relrowsecurity from pg_class where relname = 'parted_old'`)).toEqual([
      { relrowsecurity: true },
    ]);
  });

  it('of an older schema is migrated after its rows are there [platform-6.1.6]', async () => {
    const summary = await verifyArchive({ file, identities: [] });
    const fresh = ownerUrl('round_trip_fresh');
    const { setUpDatabase } = await import('../../../../src/adapters/postgres/setup/setup-external.ts');
    await setUpDatabase({ ownerUrl: fresh, database: undefined, login: undefined, rotatePassword: false });
    // As `db setup` of a later version would have left it: its own migrations must find the rows of the backup.
    const superuser = { ...inject('superuser'), database: 'round_trip_fresh' };
    await queryAt(superuser, `insert into schema_migrations (name, hash) values ('9999-later.sql', 'x')`);
    const restored = await restoreOwn({ file, identities: [], summary, asClone: false, ...noAudit, ownerUrl: fresh });
    expect(restored.migrated).toContain('0001-installation.sql');
    expect(restored.migrated.at(-1)).toBe('functions');
  });

  it('has every task that was acknowledged before it began [platform-6.1.11]', async () => {
    await using loaded = await cloneDatabase();
    await using service = await openService({ db: loaded });
    const acknowledged: string[] = [];
    const over = new AbortController();
    const submit = async (): Promise<void> => {
      while (!over.signal.aborted) acknowledged.push((await service.task({ title: 'load' })).id);
    };
    const load = [submit(), submit(), submit()];
    const wanted = async (count: number): Promise<void> => {
      await until(`${count} tasks`, () => (acknowledged.length < count ? undefined : true));
    };
    await wanted(30);
    const before = [...acknowledged];
    const under = path.join(dir, 'under-load');
    await backUpDatabase(loaded.service, under, () => wanted(before.length + 30));
    over.abort();
    await Promise.all(load);
    const ids = new Set((await rowsIn(under))['tasks']?.map((line) => line.split('\t')[1]));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBeLessThan(acknowledged.length);
  });
});
