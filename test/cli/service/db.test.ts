// `switchyard db setup` and `db status` on PostgreSQL servers of an operator's own, and what is in their way.
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedServer } from '../../../src/adapters/postgres/embedded/server.ts';
import { proveIsolation } from '../../../src/adapters/postgres/isolation/isolation-proof.ts';
import { command, type Outcome } from '../../support/process/cli-io.ts';
import { Program, run, temporaryFolder } from '../../support/process/program.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: EmbeddedServer;

/** A server as an operator has it: nothing of ours on it. */
beforeAll(async () => {
  folder = await temporaryFolder('switchyard-db-');
  const settings = { fsync: 'off' };
  server = await startEmbeddedPostgres({ dataDir: folder.path, log: () => {}, env: process.env, settings });
});
afterAll(async () => {
  await server.stop();
  await folder[Symbol.asyncDispose]();
});

function urlOf(user: string, password: string, database: string): string {
  const { host, port } = server.superuser;
  return `postgresql://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

function ownerUrl(database = 'postgres'): string {
  return urlOf('postgres', server.superuser.password, database);
}

async function setup(args: readonly string[] = [], url = ownerUrl()): Promise<Outcome> {
  return command(['db', 'setup', ...args], { env: { SWITCHYARD_OWNER_URL: url }, cwd: folder.path });
}

async function sql<R extends pg.QueryResultRow>(text: string, database = 'postgres'): Promise<R[]> {
  const client = new pg.Client({ connectionString: ownerUrl(database) });
  await client.connect();
  try {
    const answer: pg.QueryResult<R> | pg.QueryResult<R>[] = await client.query<R>(text);
    return Array.isArray(answer) ? [] : answer.rows;
  } finally {
    await client.end();
  }
}

describe('db setup', () => {
  it('makes roles, database, tables and a login that owns nothing, and prints its address once [choices-1.20, choices-1.16]', async () => {
    const first = await setup();
    expect(first).toMatchObject({ code: 0 });
    const address = first.out.trim();
    expect(address).toMatch(/^postgresql:\/\/switchyard_service:[\w-]{32}@.*\/switchyard$/);
    expect(first.err).toContain('created a2a_app, a2a_admin, switchyard_owner, switchyard_service, switchyard;');
    expect(await proveIsolation({ connectionString: address })).toMatchObject({ holes: [], untried: [] });
    const owners = await sql<{ owner: string }>(
      `select distinct tableowner as owner from pg_tables where schemaname = 'public'`,
      'switchyard',
    );
    expect(owners).toEqual([{ owner: 'switchyard_owner' }]);
    // Again: nothing to do, nothing rotated, and no password printed.
    const again = await setup();
    expect(again).toMatchObject({ code: 0 });
    expect(again.out.trim()).toBe(address.replace(/:[\w-]{32}@/, '@'));
    expect(again.err).toContain('created nothing; migrated nothing');
    expect(await proveIsolation({ connectionString: address })).toMatchObject({ holes: [] });
    const rotated = JSON.parse((await setup(['--rotate-password', '--json'])).out);
    expect(rotated).toMatchObject({ password: 'new', created: [], migrated: [], login: 'switchyard_service' });
    expect(rotated.database_url).not.toBe(address);
    await expect(proveIsolation({ connectionString: address })).rejects.toMatchObject({ code: '28P01' });
    expect(await proveIsolation({ connectionString: rotated.database_url })).toMatchObject({ holes: [] });
  });

  it('leaves the address in a file of its user’s own when asked, from which a service starts without the owner [choices-1.21]', async () => {
    const file = path.join(folder.path, 'address');
    const { code, out } = await setup(['--database', 'second', '--login', 'second_service', '--output', file]);
    expect(code).toBe(0);
    expect(out).not.toContain('postgresql://');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toMatch(/^postgresql:\/\/second_service:[\w-]{32}@.*\/second\n$/);
    const env = { DATABASE_URL_FILE: file };
    await using serve = new Program({ args: ['serve', '--port', '0', '--json'], cwd: folder.path, env });
    const [, line = ''] = await serve.printed(/^(\{"event":"started".*\})$/m);
    expect(JSON.parse(line)).toMatchObject({ warnings: [] });
    serve.signal('SIGTERM');
    await serve.ended;
    // A later version's migration: refused without the owner's address, done with it, in the owner's name.
    await sql(`delete from schema_migrations where name = 'functions'`, 'second');
    const refused = await run(['serve', '--port', '0'], { cwd: folder.path, env });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toMatch(/lacks functions.* Set MIGRATION_DATABASE_URL .* switchyard_owner/);
    const elsewhere = await run(['migrate'], {
      cwd: folder.path,
      env: { ...env, MIGRATION_DATABASE_URL: ownerUrl('postgres') },
    });
    expect(elsewhere).toMatchObject({ code: 1 });
    expect(elsewhere.err).toMatch(
      /^error: MIGRATION_DATABASE_URL names the database "postgres", DATABASE_URL .* "second"/m,
    );
    const migrated = await run(['migrate', '--json'], {
      cwd: folder.path,
      env: { ...env, MIGRATION_DATABASE_URL: ownerUrl('second') },
    });
    expect(migrated.code).toBe(0);
    const owners = await sql(
      `select distinct proowner::regrole::text as o from pg_proc where pronamespace = 'public'::regnamespace`,
      'second',
    );
    expect(owners).toEqual([{ o: 'switchyard_owner' }]);
  });

  it('lets nobody else into the database that it makes', async () => {
    await sql(`create role passer_by login password 'p'`);
    const client = new pg.Client({ connectionString: urlOf('passer_by', 'p', 'switchyard') });
    await expect(client.connect()).rejects.toMatchObject({ code: '42501' });
  });

  it('works for a login that may create roles and databases and is no superuser', async () => {
    await using other = await fresh();
    await other.sql(`create role maker login createrole createdb password 'maker-secret'`);
    const { code, out, err } = await other.setup(['--json'], other.url('maker', 'maker-secret', 'postgres'));
    expect([code, err]).toEqual([0, '']);
    const { database_url: address, password } = JSON.parse(out);
    expect(password).toBe('new');
    expect(await proveIsolation({ connectionString: address })).toMatchObject({ holes: [], untried: [] });
    expect((await other.setup(['--json'], other.url('maker', 'maker-secret', 'postgres'))).code).toBe(0);
    // Changes that nobody should make to the roles are found.
    await other.sql('alter role a2a_app bypassrls createrole; grant a2a_admin to a2a_app');
    const { holes } = await proveIsolation({ connectionString: address });
    expect(holes).toEqual(
      expect.arrayContaining([
        { where: 'role a2a_app', what: 'has BYPASSRLS' },
        { where: 'role a2a_app', what: 'may create roles' },
        { where: 'role a2a_app', what: 'is a member of a2a_admin' },
        { where: 'table tasks', what: 'lets another tenant remove rows of others' },
      ]),
    );
    const refused = await other.setup();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain(
      'error: The role "a2a_app" exists already with more rights than the service may have',
    );
  });

  it('says what is in the way, in one line and with the remedy, and no password', async () => {
    const outputOf = async (args: readonly string[], url?: string): Promise<string> => {
      const { code, out, err } = await setup(args, url);
      expect([code, out]).toEqual([1, '']);
      expect(err).not.toMatch(/hush/);
      return err;
    };
    await sql(`create role nobody_much login password 'hush'`);
    await sql('create database theirs');
    await sql('create table tasks (id integer)', 'theirs');
    expect(await outputOf([], urlOf('postgres', 'hush', 'postgres'))).toMatch(
      /^error: The server refuses the login of the owner address/,
    );
    expect(await outputOf([], 'postgresql://postgres:hush@127.0.0.1:1/postgres')).toMatch(
      /^error: No PostgreSQL can be reached at the owner address: connect ECONNREFUSED/,
    );
    expect(await outputOf([], 'mysql://root:hush@localhost/db')).toMatch(
      /^error: The owner address is not one of PostgreSQL\./,
    );
    expect(await outputOf(['--login', 'unheard_of'], urlOf('nobody_much', 'hush', 'postgres'))).toMatch(
      /^error: The login "nobody_much" may not create roles; missing are unheard_of\.\n.*CREATEROLE/,
    );
    expect(await outputOf(['--database', 'theirs'])).toMatch(/^error: The database holds tables of another program/);
    await setup();
    await sql(
      `create role half login createrole password 'hush'; grant switchyard_owner, a2a_app, a2a_admin to half with admin true`,
    );
    expect(await outputOf(['--database', 'theirs'], urlOf('half', 'hush', 'postgres'))).toMatch(
      /^error: The database "theirs" belongs to "postgres", for whom the login "half" may not act\./,
    );
    expect(await outputOf(['--database', 'nowhere'], urlOf('half', 'hush', 'postgres'))).toMatch(
      /^error: There is no database "nowhere", and the login "half" may not create one\.\n.*CREATEDB/,
    );
  });

  it('takes the address from environment, file or argument, and warns of a password in an argument [choices-1.59]', async () => {
    const file = path.join(folder.path, 'owner');
    await writeFile(file, `${ownerUrl()}\n`);
    const place = { cwd: folder.path };
    expect(await command(['db', 'setup', '--owner-url-file', file], place)).toMatchObject({ code: 0 });
    expect(await command(['db', 'setup'], { ...place, env: { SWITCHYARD_OWNER_URL_FILE: file } })).toMatchObject({
      code: 0,
    });
    const shown = await command(['db', 'setup', '--owner-url', ownerUrl()], place);
    expect(shown.code).toBe(0);
    expect(shown.err).toMatch(
      /^warning: every user of this machine can read a password in an argument\. Set SWITCHYARD_OWNER_URL/,
    );
    expect(await command(['db', 'setup'], place)).toMatchObject({
      code: 2,
      err: expect.stringContaining('SWITCHYARD_OWNER_URL'),
    });
    const both = await command(['db', 'setup', '--owner-url', ownerUrl(), '--owner-url-file', file], place);
    expect(both).toMatchObject({ code: 2 });
    const nowhere = await command(['db', 'setup', '--owner-url-file', file, '--output', '/nowhere/at-all'], place);
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('/nowhere/at-all cannot be written') });
  });
});

describe('db status', () => {
  it('proves the isolation of a database, and fails where it does not hold', async () => {
    const file = path.join(folder.path, 'status');
    await setup(['--database', 'status', '--login', 'status_service', '--output', file]);
    const statusOf = (): Promise<Outcome> =>
      command(['db', 'status'], { env: { DATABASE_URL_FILE: file }, cwd: folder.path });
    const fullStatus = await statusOf();
    expect(fullStatus.code).toBe(0);
    expect(fullStatus.out).toMatch(/^ok {4}isolation +\d+ tables, \d+ accesses across tenants tried, all denied$/m);
    await sql('alter table tasks disable row level security', 'status');
    const broken = await statusOf();
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/^fail {2}isolation +table tasks has no row-level security$/m);
    expect(broken.out).toMatch(/^fail {2}isolation +table tasks shows its rows to another tenant$/m);
  });
});

describe('db status --wait', () => {
  const wait = (url: string, seconds: string): Promise<Outcome> =>
    command(['db', 'status', '--wait', seconds], { env: { DATABASE_URL: url }, cwd: folder.path });

  it('[platform-2.6] waits until the database is there and migrated, and then checks it', async () => {
    await sql('create role late_service login password $$late$$ noinherit');
    const waiting = wait(urlOf('late_service', 'late', 'late'), '5m');
    await setup(['--database', 'late', '--login', 'late_service']);
    const { code, out, err } = await waiting;
    expect([code, err]).toEqual([0, expect.stringContaining('waiting for the database: ')]);
    expect(out).toMatch(/^ok {4}migrations +all applied$/m);
    expect(out).toMatch(/^ok {4}isolation /m);
    expect(out + err).not.toContain(':late@');
  });

  it('[platform-2.6] ends with 1 when the time is over: nobody answers, or a migration is missing', async () => {
    const nobody = await wait('postgresql://a:b@127.0.0.1:1/c', '0.01');
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('cannot be reached')]);
    await setup(['--database', 'behind', '--login', 'behind_service', '--output', path.join(folder.path, 'behind')]);
    const url = (await readFile(path.join(folder.path, 'behind'), 'utf8')).trim();
    await sql("update schema_migrations set hash = 'of the version before' where name = 'functions'", 'behind');
    const behind = await wait(url, '0.01');
    expect([behind.code, behind.err]).toEqual([
      1,
      expect.stringContaining('waiting for the database: it lacks functions'),
    ]);
    await sql("insert into schema_migrations (name, hash) values ('9999-later.sql', 'x')", 'behind');
    const newer = await wait(url, '5m');
    expect([newer.code, newer.err]).toEqual([1, expect.stringContaining('upgraded by a newer version')]);
  });

  it('is refused for the embedded database', async () => {
    const embedded = await command(['db', 'status', '--wait', '5'], { cwd: folder.path });
    expect([embedded.code, embedded.err]).toEqual([2, expect.stringContaining('--wait needs DATABASE_URL')]);
  });
});

interface Fresh extends AsyncDisposable {
  url(user: string, password: string, database: string): string;
  sql(text: string): Promise<void>;
  setup(args?: readonly string[], url?: string): Promise<Outcome>;
}

/** Another server, for roles belong to a whole one. */
async function fresh(): Promise<Fresh> {
  const place = await temporaryFolder('switchyard-db-');
  const settings = { fsync: 'off' };
  const own = await startEmbeddedPostgres({ dataDir: place.path, log: () => {}, env: process.env, settings });
  const { host, port, password } = own.superuser;
  const url = (user: string, secret: string, database: string): string =>
    `postgresql://${user}:${secret}@${encodeURIComponent(host)}:${port}/${database}`;
  return {
    url,
    async sql(text) {
      const client = new pg.Client(own.superuser);
      await client.connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    },
    setup: (args = [], address = url('postgres', password, 'postgres')) =>
      command(['db', 'setup', ...args], { env: { SWITCHYARD_OWNER_URL: address }, cwd: place.path }),
    async [Symbol.asyncDispose]() {
      await own.stop();
      await place[Symbol.asyncDispose]();
    },
  };
}
