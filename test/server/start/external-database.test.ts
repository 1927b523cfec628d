// The service on a database of the operator's own: which logins it takes, what it says of them. choices-1.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { databaseEnvironment, databaseUrl } from '../../support/database/database-url.ts';
import { Program, run, temporaryFolder, type Ended } from '../../support/process/program.ts';

let db: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const owner = { user: 'test_owner_login', password: 'hush-owner' };

beforeAll(async () => {
  db = await cloneDatabase();
  folder = await temporaryFolder('switchyard db ');
  await asSuperuser(async (client) => {
    await client.query(`drop owned by ${owner.user}`).catch(() => undefined);
    await client.query(`drop role if exists ${owner.user}`);
    await client.query(`create role ${owner.user} login noinherit password '${owner.password}'`);
    await client.query(`grant a2a_app, a2a_admin to ${owner.user}`);
    await client.query(`alter table tasks owner to ${owner.user}`);
  });
});
afterAll(async () => {
  await asSuperuser(async (client) => {
    await client.query(`alter table tasks owner to current_user`);
    await client.query(`drop owned by ${owner.user}`);
    await client.query(`drop role ${owner.user}`);
  });
  await db[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function asSuperuser(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...inject('superuser'), database: db.service.database });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function serveOnce(env: Record<string, string>): Promise<Ended> {
  return run(['serve', '--port', '0'], { cwd: folder.path, env });
}

describe('the database at DATABASE_URL', () => {
  it('is refused with the remedy when its login is a superuser or bypasses row-level security [choices-1.12]', async () => {
    const { code, err } = await serveOnce({ DATABASE_URL: databaseUrl(db, inject('superuser')) });
    expect(code).toBe(1);
    expect(err).toMatch(/^error: The login "postgres" of DATABASE_URL is a superuser: .*`switchyard db setup/m);
    expect(err).not.toContain(inject('superuser').password);
    const bypassing = { user: 'test_bypass_login', password: 'hush-bypass' };
    await asSuperuser(async (client) => {
      await client.query(`create role ${bypassing.user} login bypassrls password '${bypassing.password}'`);
    });
    try {
      const refused = await serveOnce({ DATABASE_URL: databaseUrl(db, bypassing) });
      expect(refused.code).toBe(1);
      expect(refused.err).toContain('has BYPASSRLS');
    } finally {
      await asSuperuser(async (client) => {
        await client.query(`drop role ${bypassing.user}`);
      });
    }
  });

  it('is refused in one line when it cannot be reached, or the password is wrong', async () => {
    const away = await serveOnce({ DATABASE_URL: 'postgresql://u:hush@127.0.0.1:1/d' });
    expect(away.code).toBe(1);
    expect(away.err).toContain(
      'error: The database at DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    );
    const wrong = await serveOnce({ DATABASE_URL: databaseUrl(db, { ...inject('service'), password: 'hush-wrong' }) });
    expect(wrong.err).toContain('error: The database refuses the login of DATABASE_URL');
    expect(`${away.err}${wrong.err}`).not.toContain('hush');
  });

  it('is taken with a warning when its login owns the tables [choices-1.13]', async () => {
    const env = { DATABASE_URL: databaseUrl(db, owner), MIGRATION_DATABASE_URL: databaseUrl(db, inject('superuser')) };
    await using serve = new Program({ args: ['serve', '--port', '0'], cwd: folder.path, env });
    await serve.printed(/WARNING {3}The login "test_owner_login" owns the tables\. It works; safer is/);
    await serve.printed(/is running/);
    serve.interrupt();
    expect((await serve.ended).code).toBe(0);
    expect(`${serve.out}${serve.err}`).not.toContain(owner.password);
  });

  it('serves with a plain login; the password stands in no line and no argument, and nothing is left [choices-1.59]', async () => {
    const env = databaseEnvironment(db);
    await using serve = new Program({ args: ['serve', '--json', '--port', '0'], cwd: folder.path, env });
    const [, line = ''] = await serve.printed(/^(\{"event":"started".*\})$/m);
    const started = JSON.parse(line);
    expect(started).toMatchObject({ version: '1.2.0', warnings: [], base_url: null });
    expect(started.database).toContain(`/${db.service.database}`);
    const answer = await fetch(`${started.url}/v1/agent/tasks`, {
      headers: { authorization: `Bearer ${started.generated_token}` },
    });
    expect(answer.status).toBe(200);
    expect(await readFile(`/proc/${serve.pid}/cmdline`, 'utf8')).not.toContain(inject('service').password);
    serve.signal('SIGTERM');
    expect(await serve.ended).toMatchObject({ code: 0 });
    expect(`${serve.out}${serve.err}`).not.toContain(inject('service').password);
  });

  it('with RLS_ENABLED=false is warned of loudly, rows still carry their tenant, and the bearer is asked for [choices-1.19, core-5.1.2]', async () => {
    const env = {
      ...databaseEnvironment(db),
      A2A_AUTH_TOKENS: 'a:token-of-the-editor@editor/one',
      RLS_ENABLED: 'false',
    };
    await using serve = new Program({ args: ['serve', '--port', '0'], cwd: folder.path, env });
    await serve.printed(/WARNING {3}RLS_ENABLED=false: ROW-LEVEL SECURITY IS OFF\./);
    await serve.printed(/"msg":"warning: RLS_ENABLED=false: ROW-LEVEL SECURITY IS OFF/);
    const [, url = ''] = /service +(\S+)/.exec(serve.out) ?? [];
    const created = await fetch(`${url}/v1/agent/tasks`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-the-editor', 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'of one', prompt: 'x' }),
    });
    expect(created.status).toBe(201);
    expect((await fetch(`${url}/v1/agent/tasks`)).status).toBe(401);
    expect(await db.query(`select tenant_id from tasks where title = 'of one'`)).toEqual([{ tenant_id: 'one' }]);
  });

  it('logs as LOG_LEVEL says, as JSON lines [choices-1.36]', async () => {
    const env = databaseEnvironment(db);
    for (const [level, lines] of [
      ['info', /"msg":"the service listens"/],
      ['error', /^$/],
    ] as const) {
      await using serve = new Program({ args: ['serve', '--port', '0', '--log-level', level], cwd: folder.path, env });
      await serve.printed(/is running/);
      serve.signal('SIGTERM');
      const { err } = await serve.ended;
      expect(err.replace('Stopping; press Ctrl-C again to stop at once.\n', '')).toMatch(lines);
    }
  });

  it('is migrated by `migrate`, and looked at by `doctor` [core-9.4]', async () => {
    const env = databaseEnvironment(db);
    const migrated = await run(['migrate'], { cwd: folder.path, env });
    expect(migrated.code).toBe(0);
    expect(migrated.out).toMatch(/is up to date\.\n$/);
    const { out } = await run(['doctor', '--json'], { cwd: folder.path, env });
    const checks: { name: string; state: string }[] = JSON.parse(out).checks;
    const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({ database: 'ok', login: 'ok', clock: 'ok', migrations: 'ok', isolation: 'ok' });
    expect(out).not.toContain(inject('service').password);
    const plain = await run(['doctor', '--json'], { cwd: folder.path, env: { DATABASE_URL: env.DATABASE_URL } });
    expect(JSON.parse(plain.out).checks).toContainEqual(
      expect.objectContaining({ name: 'migrations', state: 'ok', found: 'all applied' }),
    );
  });
});

describe('npm scripts', () => {
  it('npm run serve and npm run worker start one part alone, arguments after -- [choices-1.3, choices-0.1]', async () => {
    const root = path.resolve(import.meta.dirname, '../../..');
    const env = {
      PATH: process.env['PATH'] ?? '',
      ...databaseEnvironment(db),
      A2A_AUTH_TOKENS: 'w:token-of-the-worker@agent',
      DATA_DIR: path.join(folder.path, 'data'),
    };
    const npm = ['npm', 'run', '--silent'] as const;
    const place = { cwd: root, env };
    await using serve = new Program({ ...place, command: [...npm, 'serve'], args: ['--', '--port', '0', '--json'] });
    const [, line = ''] = await serve.printed(/^(\{"event":"started".*\})$/m);
    const { url, generated_token: token } = JSON.parse(line);
    await using worker = new Program({
      cwd: root,
      env: { ...env, SWITCHYARD_TOKEN: 'token-of-the-worker' },
      command: [...npm, 'worker'],
      args: [
        '--',
        '--server-url',
        url,
        '--codebase',
        folder.path,
        '--global',
        'false',
        '--json',
        '--worker-name',
        'w1',
      ],
    });
    const [, ready = ''] = await worker.printed(/^(\{"event":"ready".*\})$/m);
    const answer = await fetch(`${url}/v1/agent/workers`, { headers: { authorization: `Bearer ${token}` } });
    const workers = [{ name: 'w1', worker_id: JSON.parse(ready).worker_id }];
    expect(await answer.json()).toMatchObject({ workers });
    worker.interrupt();
    expect((await worker.ended).signal ?? 'SIGINT').toBe('SIGINT');
    serve.interrupt();
    await serve.ended;
  });
});
