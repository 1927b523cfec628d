// Isolation by the database: logins, roles, forced row-level security, and its absence when switched off.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardLogin } from '../../../../src/adapters/postgres/setup/login-guard.ts';
import { migrate } from '../../../../src/adapters/postgres/schema/migrate.ts';
import { openService, type TestService } from '../../../support/service.ts';
import type { Login } from '../../../support/database/cluster.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

/** A login with these attributes, dropped after the test. */
async function login(attributes: string, memberships = ''): Promise<Login & AsyncDisposable> {
  const user = `test_${randomBytes(4).toString('hex')}`;
  await db.query(`create role ${user} login ${attributes} password 'p'`);
  if (memberships !== '') await db.query(`grant ${memberships} to ${user}`);
  return {
    ...db.service,
    user,
    password: 'p',
    async [Symbol.asyncDispose]() {
      await db.query(`drop owned by ${user}`);
      await db.query(`drop role ${user}`);
    },
  };
}

async function as<R extends pg.QueryResultRow>(who: Login, statements: string[]): Promise<R[]> {
  const client = new pg.Client(who);
  await client.connect();
  try {
    let rows: R[] = [];
    for (const statement of statements) rows = (await client.query<R>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** Service roles have no right on partitions, which the proof of isolation checks. */
const tenantTables = `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`;

describe('the login of the service', () => {
  it.each([
    ['a superuser', 'superuser', '', /superuser/],
    ['one that bypasses row-level security', 'bypassrls', 'a2a_app, a2a_admin', /BYPASSRLS/],
    ['one that is not a member of the roles', 'noinherit', '', /not a member/],
    ['one that inherits a2a_admin', 'inherit', 'a2a_app, a2a_admin', /inherits/],
  ])('as %s is refused with the remedy [choices-1.12]', async (_, attributes, memberships, expected) => {
    await using user = await login(attributes, memberships);
    await expect(guardLogin(user)).rejects.toThrow(expected);
  });

  it('that owns the tables is accepted with a warning [choices-1.13]', async () => {
    await using user = await login('noinherit', 'a2a_app, a2a_admin');
    const [owner] = await db.query<{ o: string }>(
      `select relowner::regrole::text as o from pg_class where relname = 'tasks'`,
    );
    await db.query(`alter table tasks owner to ${user.user}`);
    expect(await guardLogin(user)).toEqual([expect.stringContaining('owns the tables')]);
    await db.query(`alter table tasks owner to ${owner?.o}`);
  });

  it('without a role, reaches no row, and a plain login causes no warnings [choices-1.14]', async () => {
    expect(await guardLogin(db.service)).toEqual([]);
    await expect(as(db.service, ['select * from tasks'])).rejects.toThrow(/permission denied/);
  });
});

describe('row-level security', () => {
  it('is enabled and forced on every table with a tenant, with a policy for each role [core-1.5.3, core-2.11.2, core-2.11.3, core-2.11.4, core-2.11.5, core-2.11.6]', async () => {
    const tables = (await db.query<{ relname: string }>(tenantTables)).map((row) => row.relname);
    expect(tables).toEqual(
      expect.arrayContaining(['workers', 'workspaces', 'tasks', 'sessions', 'task_runs', 'task_events']),
    );
    const open = await db.query(`select relname from (${tenantTables}) t join pg_class c using (relname)
      where not (c.relrowsecurity and c.relforcerowsecurity)`);
    expect(open).toEqual([]);
    const policies = await db.query<{ n: string }>(`select count(*) as n from pg_policies where schemaname = 'public'`);
    expect(Number(policies[0]?.n)).toBe(tables.length * 2);
  });

  it('has the tenant first in every key, unique index and foreign key', async () => {
    const loose = await db.query(`select i.indexrelid::regclass::text as index from pg_index i
      join pg_class c on c.oid = i.indrelid join (${tenantTables}) t on t.relname = c.relname
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indisunique and a.attname <> 'tenant_id'`);
    expect(loose).toEqual([]);
    const foreign = await db.query(`select conname from pg_constraint k join pg_class c on c.oid = k.conrelid
      join (${tenantTables}) t on t.relname = c.relname
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
      where k.contype = 'f' and a.attname <> 'tenant_id'`);
    expect(foreign).toEqual([]);
  });

  it('shows the application role only the rows of the tenant that is set: none without a tenant, none of another, none after a commit [core-5.8, core-5.8.2, choices-1.15]', async () => {
    await using service = await openService({ db });
    await service.task();
    const see = async (...before: string[]): Promise<number> =>
      Number(
        (await as<{ n: string }>(db.service, ['set role a2a_app', ...before, 'select count(*) as n from tasks']))[0]?.n,
      );
    expect(await see(`set app.current_tenant_id = 'default'`)).toBe(1);
    expect(await see()).toBe(0);
    expect(await see(`set app.current_tenant_id = ''`)).toBe(0);
    expect(await see(`set app.current_tenant_id = 'other'`)).toBe(0);
    expect(await see(`set app.current_tenant_id = 'default'' or true --'`)).toBe(0);
    expect(await see('begin', `select set_config('app.current_tenant_id', 'default', true)`, 'commit')).toBe(0);
    await expect(
      as(db.service, [
        'set role a2a_app',
        `set app.current_tenant_id = 'default'`,
        `update tasks set tenant_id = 'other'`,
      ]),
    ).rejects.toThrow(/row-level security/);
    await expect(
      as(db.service, [
        'set role a2a_app',
        `set app.current_tenant_id = 'default'`,
        `insert into routes (tenant_id, route_id) values ('other', 'r')`,
      ]),
    ).rejects.toThrow(/row-level security/);
  });

  it('binds the owner too, and admits a2a_admin by a policy and not by BYPASSRLS [core-5.8.3, choices-1.16, choices-1.17]', async () => {
    const count = async (role: string): Promise<number> =>
      Number((await as<{ n: string }>(db.superuser, [`set role ${role}`, 'select count(*) as n from tenants']))[0]?.n);
    expect(await count('a2a_admin')).toBeGreaterThan(0);
    expect(await count('switchyard_owner')).toBe(0);
    expect(
      await db.query(`select from pg_roles where rolname in ('a2a_app', 'a2a_admin', 'switchyard_owner', 'switchyard_service')
      and (rolbypassrls or rolsuper)`),
    ).toEqual([]);
  });

  it('switched off, calls run as a2a_admin and inserts still carry the caller’s tenant [choices-1.18, choices-1.19]', async () => {
    await using service: TestService = await openService({ config: { rlsEnabled: false } });
    const task = await service.task({}, 'other');
    expect(await service.db.query('select tenant_id from tasks where id = $1', [task.id])).toEqual([
      { tenant_id: 'other' },
    ]);
    const roles = await service.db.query<{ usename: string }>(
      `select distinct usename from pg_stat_activity where datname = current_database() and application_name = 'switchyard'`,
    );
    expect(roles.map((row) => row.usename)).toEqual(['switchyard_service']);
  });
});

describe('migrations', () => {
  it('applied again change nothing, and applied by several replicas at once run once [core-9.4]', async () => {
    await using empty = await emptyDatabase();
    const run = (): Promise<string[]> => migrate({ address: empty, ownerRole: 'switchyard_owner', log: () => {} });
    const applied = (await Promise.all([run(), run(), run()])).flat();
    expect(applied.filter((name) => name.startsWith('0001'))).toHaveLength(1);
    expect(await run()).toEqual([]);
  });

  it('reject a database that a newer version has migrated, and one with an edited migration', async () => {
    await using empty = await emptyDatabase();
    const run = (): Promise<string[]> => migrate({ address: empty, ownerRole: 'switchyard_owner', log: () => {} });
    await run();
    await as(empty, [`insert into schema_migrations (name, hash) values ('9999-future.sql', 'x')`]);
    await expect(run()).rejects.toThrow(/newer version/);
    await as(empty, [
      `delete from schema_migrations where name like '9999%'`,
      `update schema_migrations set hash = 'x' where name like '0001%'`,
    ]);
    await expect(run()).rejects.toThrow(/other text/);
  });

  it('reject a database of an unreleased version, change nothing in it and say what to do', async () => {
    await using empty = await emptyDatabase();
    await as(empty, [
      'create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
      'alter table schema_migrations owner to switchyard_owner',
      `insert into schema_migrations (name, hash) values ('0001-foundation.sql', 'x'), ('functions', 'y')`,
    ]);
    const run = migrate({ address: empty, ownerRole: 'switchyard_owner', log: () => {} });
    await expect(run).rejects.toThrow(/unreleased version .* 0001-foundation\.sql.* Use an empty database/);
  });
});

async function emptyDatabase(): Promise<Login & AsyncDisposable> {
  const database = `test_${randomBytes(6).toString('hex')}`;
  await db.query(`create database ${database} owner switchyard_owner template template0`);
  const inside = { ...db.superuser, database };
  await as(inside, [
    'grant create, usage on schema public to switchyard_owner',
    'grant usage on schema public to a2a_app, a2a_admin',
  ]);
  return {
    ...inside,
    async [Symbol.asyncDispose]() {
      await db.query(`drop database ${database} with (force)`);
    },
  };
}
