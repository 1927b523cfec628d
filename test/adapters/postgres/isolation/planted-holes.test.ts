// The isolation proof can fail: each hole that a migration could leave is planted, and must be reported. Holes that share no
// object are planted together; SCALE=full plants each alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveIsolation } from '../../../../src/adapters/postgres/isolation/isolation-proof.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';

const full = process.env['SCALE'] === 'full';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const tenant = `(select nullif(current_setting('app.current_tenant_id', true), ''))`;

/** The security of a table as a careful migration makes it. */
const guardNotes = (name: string): string =>
  `alter table ${name} enable row level security; alter table ${name} force row level security;
  create policy tenant_isolation on ${name} to a2a_app using (tenant_id = ${tenant}) with check (tenant_id = ${tenant});
  create policy admin_cross_tenant on ${name} to a2a_admin using (true) with check (true);
  grant select, insert, update, delete on ${name} to a2a_app, a2a_admin;`;

/** A table as a careful migration makes it; each hole leaves one thing of it out. */
const makeNotes = (name: string): string =>
  `create table ${name} (tenant_id text not null references tenants, id uuid not null, title text not null,
    primary key (tenant_id, id));
  ${guardNotes(name)}`;

/** Everything that the proof of this login finds, as `where: what`. */
async function findHoles(login: { user?: string; password?: string } = {}): Promise<string[]> {
  const { holes } = await proveIsolation({ ...db.service, ...login });
  return holes.map(({ where, what }) => `${where}: ${what}`);
}

type PlantedHole = [what: string, sql: string, cure: string, lines: (string | RegExp)[]];

/** Plants the holes, runs the proof, and removes them. */
async function plant(holes: readonly PlantedHole[], find = findHoles): Promise<string[]> {
  await using cures = new AsyncDisposableStack();
  for (const [, sql, cure] of holes) {
    cures.defer(async () => void (await db.query(cure)));
    await db.query(sql);
  }
  return await find();
}

/** One proof for each group of holes; no hole of a group touches an object that another one touches. */
function testGroups(groups: readonly (readonly PlantedHole[])[], find = findHoles): void {
  const rounds = full ? groups.flat().map((hole) => [hole]) : groups;
  describe.each(rounds.map((holes, i) => [i + 1, holes] as const))('in proof %i', (_, holes) => {
    let found: string[];
    beforeAll(async () => {
      found = await plant(holes, find);
    });

    it.each(holes)('names %s', (_what, _sql, _cure, lines) => {
      for (const line of lines) {
        const isNamed = found.some((hole) => (typeof line === 'string' ? hole === line : line.test(hole)));
        expect([line, isNamed, ...(isNamed ? [] : found)]).toEqual([line, true]);
      }
    });
  });
}

/** That of this month. */
const partition = `analytics_events_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;

describe('the isolation proof', () => {
  it('finds nothing in the schema of this version, and tries every table [core-2.11.1, core-2.11.7, core-2.11.8, core-2.11.9, core-2.11.10, core-2.11.11, core-2.11.12, core-2.11.13, core-5.8, platform-5.1.1, platform-7.3.5]', async () => {
    const proof = await proveIsolation(db.service);
    expect(proof).toMatchObject({ holes: [], untried: [] });
    const tables = await db.query<{ t: string }>(
      `select c.relname as t from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`,
    );
    expect([...proof.tables].toSorted()).toEqual(tables.map(({ t }) => t).toSorted());
    expect(proof.tables).toEqual(
      expect.arrayContaining(['cronjobs', 'cronjob_runs', 'okrs', 'okr_key_results', 'okr_runs']),
    );
    expect(proof.tries).toBeGreaterThan(tables.length * 20);
  });

  const inTables: PlantedHole[] = [
    [
      'a table without row-level security',
      `${makeNotes('open_notes')} alter table open_notes disable row level security`,
      'drop table if exists open_notes',
      ['table open_notes: has no row-level security', 'table open_notes: lets another tenant remove rows of others'],
    ],
    [
      'a table without any policy or security',
      'create table bare_notes (tenant_id text not null, id uuid, primary key (tenant_id, id)); grant all on bare_notes to a2a_app, a2a_admin',
      'drop table if exists bare_notes',
      [
        'table bare_notes: has no policy for a2a_app',
        'table bare_notes: shows its rows to a2a_app without a tenant',
        /^table bare_notes: may be emptied by a2a_app/,
      ],
    ],
    [
      'row-level security that its owner goes around',
      'alter table okrs no force row level security',
      'alter table okrs force row level security',
      ['table okrs: does not force row-level security on its owner'],
    ],
    [
      'a policy that lets rows be written for anybody',
      'drop policy tenant_isolation on tasks; create policy tenant_isolation on tasks to a2a_app using (tenant_id = ' +
        `${tenant}) with check (true)`,
      `drop policy tenant_isolation on tasks; create policy tenant_isolation on tasks to a2a_app using (tenant_id = ${tenant}) with check (tenant_id = ${tenant})`,
      [
        /^table tasks: has the policy tenant_isolation, which takes rows for other tenants: WITH CHECK true$/,
        /^table tasks: does not refuse another tenant a row of others by its policy/,
      ],
    ],
    [
      'a policy without WITH CHECK',
      `drop policy tenant_isolation on cronjobs; create policy tenant_isolation on cronjobs to a2a_app using (tenant_id = ${tenant})`,
      `drop policy tenant_isolation on cronjobs; create policy tenant_isolation on cronjobs to a2a_app using (tenant_id = ${tenant}) with check (tenant_id = ${tenant})`,
      ['table cronjobs: has the policy tenant_isolation, which takes rows for other tenants: WITH CHECK is missing'],
    ],
    [
      'a second policy that lets everybody look',
      'create policy for_reports on workers for select using (true)',
      'drop policy for_reports on workers',
      [
        'table workers: has the policy for_reports, which shows rows of other tenants: USING true',
        'table workers: shows its rows to a2a_app with an empty tenant',
      ],
    ],
    [
      'a policy by which an empty tenant is no tenant',
      `create policy lax on sessions for select to a2a_app using (tenant_id = current_setting('app.current_tenant_id', true) or coalesce(current_setting('app.current_tenant_id', true), '') = '')`,
      'drop policy lax on sessions',
      [/^table sessions: has the policy lax/, 'table sessions: shows its rows to a2a_app without a tenant'],
    ],
    [
      'a unique index without the tenant',
      'create unique index notes_title on workspaces (name)',
      'drop index notes_title',
      [
        'table workspaces: has the unique index notes_title, which does not start with tenant_id: it reveals what others have',
        'table workspaces: lets no two tenants have the same: notes_title',
      ],
    ],
    [
      'a foreign key without the tenant',
      `${makeNotes('notes')} alter table notes add unique (id); create table leaves (tenant_id text not null, leaf uuid not null, note uuid not null references notes (id), primary key (tenant_id, leaf));
       alter table leaves enable row level security; alter table leaves force row level security;
       create policy tenant_isolation on leaves to a2a_app using (tenant_id = ${tenant}) with check (tenant_id = ${tenant});
       create policy admin_cross_tenant on leaves to a2a_admin using (true) with check (true);
       grant select, insert, update, delete on leaves to a2a_app, a2a_admin`,
      'drop table if exists leaves, notes',
      [
        'table leaves: has the foreign key leaves_note_fkey to notes, which does not carry tenant_id',
        'table leaves: lets a tenant refer by leaves_note_fkey to a row of another',
      ],
    ],
    [
      'a tenant that may be null, or defaults, or comes second in the key',
      `create table odd_notes (id uuid not null, tenant_id text default 'default', primary key (id)); ${guardNotes('odd_notes')}`,
      'drop table if exists odd_notes',
      [
        'table odd_notes: lets tenant_id be null',
        'table odd_notes: has a default for tenant_id',
        'table odd_notes: has no primary key that starts with tenant_id',
      ],
    ],
    [
      'a table of everybody',
      'create table shared_notes (id uuid primary key, body text); grant select on shared_notes to a2a_app',
      'drop table if exists shared_notes',
      ['table shared_notes: has no tenant_id, and a2a_app may use it'],
    ],
  ];
  const besideTables: PlantedHole[] = [
    [
      'a table that anybody may use, in a schema of its own',
      'create schema reports; grant usage on schema reports to public; create table reports.notes (tenant_id text, body text); grant select on reports.notes to public',
      'drop schema reports cascade',
      ['table reports.notes: has no row-level security'],
    ],
    [
      'a view with the rights of its owner',
      'create view all_tasks as select * from tasks; grant select on all_tasks to a2a_app',
      'drop view all_tasks',
      ['view all_tasks: is not security_invoker: it reads with the rights of its owner'],
    ],
    [
      'a partition that requests may name, around the policies of its parent',
      `grant select on ${partition} to a2a_app`,
      `revoke select on ${partition} from a2a_app`,
      [
        `partition ${partition}: may be used by a2a_app itself, around the policies of its parent`,
        `partition ${partition}: lets a tenant around the policies of its parent`,
      ],
    ],
    [
      'a column of a partition that requests may change',
      `grant update (event) on ${partition} to a2a_admin`,
      `revoke update (event) on ${partition} from a2a_admin`,
      [`partition ${partition}: may be used by a2a_admin itself, around the policies of its parent`],
    ],
    [
      'a function of the owner that drops partitions for anybody',
      'grant execute on function drop_partitions(timestamptz) to public',
      'revoke execute on function drop_partitions(timestamptz) from public',
      [/^function drop_partitions\(timestamp with time zone\): is SECURITY DEFINER/],
    ],
    [
      'a materialized view',
      'create materialized view task_counts as select tenant_id, count(*) from tasks group by 1; grant select on task_counts to a2a_app',
      'drop materialized view task_counts',
      ['materialized view task_counts: may be read by a2a_app, and knows no tenants'],
    ],
    [
      'a function with the rights of its owner',
      `create function peek() returns bigint language sql security definer as 'select count(*) from tasks'`,
      'drop function peek()',
      [/^function peek\(\): is SECURITY DEFINER: it runs as \w+, whoever calls it$/],
    ],
    [
      'a rule',
      'create rule shadow as on insert to tasks do also delete from workers',
      'drop rule shadow on tasks',
      ['table tasks: has the rule shadow, which runs with the rights of its owner'],
    ],
    [
      'a schema in which a2a_app may create',
      'grant create on schema public to public',
      'revoke create on schema public from public',
      ['schema public: lets a2a_app create things in it'],
    ],
  ];
  testGroups([inTables, besideTables]);

  it('finds nothing wrong with a new table that is made as it should be, nor once every hole is cured', async () => {
    const careful: PlantedHole = ['no hole', makeNotes('notes'), 'drop table if exists notes', []];
    expect(await plant([careful])).toEqual([]);
  });

  it('leaves no rows behind', async () => {
    expect(await db.query(`select from tenants where tenant_id like 'proof-%'`)).toEqual([]);
  });
});

/** Roles belong to the whole cluster: the login is of this file alone. */
describe('the isolation proof, of roles', () => {
  const app = `test_holes_${process.pid}`;
  const ofTheLogin: PlantedHole[] = [
    [
      'a login that bypasses row-level security',
      `alter role ${app} bypassrls`,
      `alter role ${app} nobypassrls`,
      [`role ${app}: has BYPASSRLS`],
    ],
    [
      'a login that is a superuser',
      `alter role ${app} superuser`,
      `alter role ${app} nosuperuser`,
      [`role ${app}: is a superuser`],
    ],
    [
      'a login that may create roles, or replicate',
      `alter role ${app} createrole replication`,
      `alter role ${app} nocreaterole noreplication`,
      [`role ${app}: may create roles`, `role ${app}: may replicate: the log has every row`],
    ],
    [
      'a login that starts with a tenant',
      `alter role ${app} set app.current_tenant_id = 'default'`,
      `alter role ${app} reset app.current_tenant_id`,
      [`role ${app}: starts with a tenant already set: app.current_tenant_id=default`],
    ],
  ];
  /** Apart: what a superuser inherits is not reported. */
  const ofMembers: PlantedHole[] = [
    [
      'a login that is a member of something powerful',
      `grant pg_read_all_data to ${app}`,
      `revoke pg_read_all_data from ${app}`,
      [`role ${app}: is a member of pg_read_all_data`],
    ],
    [
      'a login that inherits a2a_admin',
      `grant a2a_admin to ${app} with inherit true`,
      `revoke a2a_admin from ${app}; grant a2a_admin to ${app} with inherit false`,
      [
        `role ${app}: inherits the rights of a2a_admin`,
        'table tasks: shows its rows to the bare login, without a role,',
      ],
    ],
  ];
  const findAsLogin = (): Promise<string[]> => findHoles({ user: app, password: 'p' });
  beforeAll(async () => {
    await db.query(`create role ${app} login noinherit password 'p'`);
    await db.query(`grant a2a_app, a2a_admin to ${app}`);
  });
  afterAll(async () => {
    await db.query(`drop owned by ${app}; drop role ${app}`);
  });

  testGroups([ofTheLogin, ofMembers], findAsLogin);

  it('finds nothing once every hole is cured', async () => {
    expect(await findAsLogin()).toEqual([]);
  });
});
