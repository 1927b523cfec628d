// Secrets stay where they belong: unmistakable words go in through every slot, and are looked for everywhere else.
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findRunningServer } from '../../../src/adapters/postgres/embedded/find-running-server.ts';
import { serviceDatabase } from '../../../src/adapters/postgres/setup/setup.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { databaseUrl } from '../../support/database/database-url.ts';
import { processTreeOf, Program, run, temporaryFolder } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';

/** A word that nobody else says. */
function canary(name: string): string {
  return `canary-${name}-${randomBytes(12).toString('hex')}`;
}

/** By what they are; in a text they may stand as they are or encoded. */
type Canaries = Readonly<Record<string, string>>;

/** Names of the canaries that stand in a text. */
function singing(canaries: Canaries, text: string): string[] {
  return Object.entries(canaries)
    .filter(([, word]) =>
      [
        word,
        encodeURIComponent(word),
        Buffer.from(word).toString('base64').replace(/=+$/, '').slice(0, -2),
        Buffer.from(word).toString('hex'),
      ].some((form) => text.includes(form)),
    )
    .map(([name]) => name);
}

/** The facts of a process that every user of this machine, or a holder of its address, can read. Linux only. */
async function seenOf(pid: number): Promise<{ command: string; environment: string }> {
  const [command, environment] = await Promise.all(
    ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  );
  return { command: (command ?? '').replaceAll('\0', ' '), environment: environment ?? '' };
}

const secretSettings = {
  service: canary('service-token'),
  admin: canary('shared-admin'),
  viewer: canary('shared-viewer'),
  webhook: canary('webhook-secret'),
  model: canary('model-key'),
  broker: canary('broker'),
};
/** Secrets that the operator passes on to agents, and to nobody else. */
const forAgents = canary('for-agents');
/** Secrets that callers send. */
const workerFields = {
  wrongToken: canary('wrong-token'),
  inQuery: canary('query-token'),
  basic: canary('basic'),
  cookie: canary('cookie'),
  header: canary('header'),
  pushToken: canary('push-token'),
  pushCredentials: canary('push-credentials'),
  tenantSecret: canary('tenant-secret'),
  hookPassword: canary('hook-password'),
};
/** The content of tasks is no secret to those who may read them, but does not belong in a log. */
const messageFields = {
  title: canary('title'),
  prompt: canary('prompt'),
  result: canary('result'),
  broken: canary('broken-body'),
};

describe.skipIf(process.platform !== 'linux')(
  'of a service with its worker, embedded database and a running agent',
  () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let up: Program;
    let url: string;
    /** Secrets that the service makes itself, once it has. */
    const made: Record<string, string> = {};
    /** Everything that it answered to what was wrong. */
    const refusals: string[] = [];
    const env = {
      SERVICE_AUTH_TOKEN: secretSettings.service,
      A2A_AUTH_TOKENS: `boss:${secretSettings.admin}@admin,guest:${secretSettings.viewer}@viewer/elsewhere`,
      WEBHOOK_SIGNING_SECRET: secretSettings.webhook,
      MODEL_PROVIDER_API_KEY: secretSettings.model,
      BROKER_SHARED_SECRET: secretSettings.broker,
      FOR_AGENTS: forAgents,
      A2A_WORKER_AGENT_ENV: 'FOR_AGENTS',
      LOG_LEVEL: 'trace',
    };

    async function call(
      method: string,
      where: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<string> {
      const response = await fetch(`${url}${where}`, {
        method,
        headers: { authorization: `Bearer ${secretSettings.admin}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) refusals.push(`${text} ${JSON.stringify([...response.headers])}`);
      return text;
    }

    async function superuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
      const server = await findRunningServer(path.join(folder.path, '.switchyard'));
      const client = new pg.Client({ ...server, database: serviceDatabase });
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    }

    beforeAll(async () => {
      folder = await temporaryFolder('switchyard-canary-');
      up = new Program({ args: ['up', '--port', '0'], cwd: folder.path, env });
      await up.printed(/Ctrl-C stops/);
      url = JSON.parse(await readFile(path.join(folder.path, '.switchyard', 'cli.json'), 'utf8')).url;

      // An agent that is at work while it is looked at.
      const wait = 'touch begun; i=0; while [ ! -e end ] && [ $i -lt 12000 ]; do sleep 0.1; i=$((i+1)); done';
      const prompt = [
        '```sh',
        `cd '${folder.path}'; ${wait}; echo ${messageFields.result} # ${messageFields.prompt}`,
        '```',
      ].join('\n');
      const task = {
        title: messageFields.title,
        prompt,
        codebase_id: 'global',
        webhook_url: `https://u:${workerFields.hookPassword}@hooks.invalid/x`,
      };
      await call('POST', '/v1/agent/tasks', task);
      const { task: started } = JSON.parse(
        await call('POST', '/v1/agent/tasks', { ...task, webhook_url: 'https://hooks.invalid/x' }),
      );
      await until(
        'the agent works',
        () =>
          stat(path.join(folder.path, 'begun')).then(
            () => true,
            () => false,
          ),
        60_000,
      );

      const key = JSON.parse(await call('POST', '/v1/auth/api-keys', { name: 'k', scopes: ['tasks:read'] }));
      made['apiKey'] = key.key;
      made['session'] = JSON.parse(await call('POST', '/v1/auth/sessions', {})).access_token;
      await call('PUT', '/v1/auth/tenants/default/webhook-secret', { secret: workerFields.tenantSecret });
      await call('POST', '/a2a/jsonrpc', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tasks/pushNotificationConfig/set',
        params: {
          taskId: started.id,
          pushNotificationConfig: {
            url: 'https://hooks.invalid/push',
            token: workerFields.pushToken,
            authentication: { schemes: ['Bearer'], credentials: workerFields.pushCredentials },
          },
        },
      });
      await call('GET', '/v1/agent/tasks', undefined, { authorization: `Bearer ${made['apiKey']}` });
      await call('GET', '/v1/agent/tasks', undefined, { authorization: `Bearer ${made['session']}` });

      // Everything wrong that carries something.
      await call('GET', '/v1/agent/tasks', undefined, { authorization: `Bearer ${workerFields.wrongToken}` });
      await call('GET', '/v1/agent/tasks', undefined, { authorization: `Bearer ct_${workerFields.wrongToken}` });
      await call('GET', '/v1/agent/tasks', undefined, {
        authorization: `Basic ${Buffer.from(`u:${workerFields.basic}`).toString('base64')}`,
      });
      await call('GET', `/v1/agent/tasks?access_token=${workerFields.inQuery}&token=${workerFields.inQuery}`);
      await call('GET', `/v1/nothing?token=${workerFields.inQuery}`, undefined, { authorization: '' });
      await call('GET', '/v1/agent/tasks', undefined, {
        cookie: `session=${workerFields.cookie}`,
        'x-api-key': workerFields.header,
        'proxy-authorization': workerFields.header,
      });
      await call('GET', '/v1/agent/tasks', undefined, { cookie: `session=${workerFields.cookie}`, authorization: '' });
      await call('POST', '/v1/agent/tasks', `{"title": "${messageFields.broken}`);
      await call('POST', '/v1/agent/tasks', { title: 7, prompt: messageFields.broken, secret: workerFields.header });
      await call('POST', '/v1/auth/api-keys', { name: 'k', scopes: [messageFields.broken], key: workerFields.header });
      await call('POST', '/a2a/jsonrpc', `{"jsonrpc": "2.0", "method": "${messageFields.broken}`);
      // A fault of the service's own, in which the driver quotes the row.
      await superuser((client) => client.query(`alter table tasks add constraint no_boom check (title <> 'boom')`));
      const boom = await call('POST', '/v1/agent/tasks', { title: 'boom', prompt: messageFields.prompt });
      if (!boom.includes('"status":500')) throw new Error(`no fault: ${boom}`);
    });

    afterAll(async () => {
      await writeFile(path.join(folder.path, 'end'), '');
      await up[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    });

    const secrets = (): Canaries => ({ ...secretSettings, ...workerFields, ...made, forAgents });

    it('no secret and no prompt stands in the log at its loudest level, nor in what is printed [choices-1.59]', () => {
      const printed = `${up.out}\n${up.err}`;
      expect(printed).toContain('"level":"error"');
      expect(singing({ ...secrets(), ...messageFields }, printed)).toEqual([]);
    });

    it('no secret stands in an answer to what is wrong', () => {
      expect(refusals.length).toBeGreaterThan(8);
      expect(
        singing({ ...secrets(), prompt: messageFields.prompt, broken: messageFields.broken }, refusals.join('\n')),
      ).toEqual([]);
    });

    it('no secret stands in the arguments or in the environment of a process; an agent gets what was named', async () => {
      const tree = await processTreeOf(up.pid);
      expect(tree.length).toBeGreaterThan(6);
      let forOne = 0;
      for (const { pid } of tree) {
        const { command, environment } = await seenOf(pid);
        expect([command, singing(secrets(), command)]).toEqual([command, []]);
        const isPostgres = command.includes('postgres');
        const isAgents = environment.includes('SWITCHYARD_TASK_ID');
        // The service and the worker took theirs out as they started; what agents are to get is no secret before them.
        const kept = { ...secretSettings, ...workerFields, ...made, ...(isPostgres ? { forAgents } : {}) };
        expect([command, singing(kept, environment)]).toEqual([command, []]);
        if (isAgents) forOne += environment.includes(forAgents) ? 1 : 0;
      }
      expect(forOne).toBeGreaterThan(0);
    });

    it('no secret stands in what `config print`, `doctor` and `db status` say', async () => {
      for (const args of [
        ['config', 'print'],
        ['config', 'print', '--json'],
        ['config', 'print-worker'],
        ['doctor'],
        ['doctor', '--json'],
        ['db', 'status'],
      ]) {
        const { out, err } = await run(args, { cwd: folder.path, env });
        expect([args, `${out}${err}`.length > 0, singing(secrets(), `${out}${err}`)]).toEqual([args, true, []]);
        if (args[0] === 'doctor') expect(out).toMatch(/accesses across tenants tried, all denied/);
      }
    });

    it('no secret and no prompt stands in the audit, whose lines are of all that happened', async () => {
      const dataDir = path.join(folder.path, '.switchyard');
      const files = (await readdir(dataDir, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .filter((file) => /audit/.test(path.relative(dataDir, file)));
      const text = (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
      expect(text).toContain('tasks.create');
      expect(singing({ ...secrets(), ...messageFields }, text)).toEqual([]);
    });

    it('the database holds no credential but as a hash; only what must be sent on stands there as it is', async () => {
      const rows = await superuser(async (client) => {
        const tables = await client.query<{ name: string }>(
          `select c.oid::regclass::text as name from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace`,
        );
        const found: { table: string; row: string }[] = [];
        for (const { name } of tables.rows) {
          const { rows: all } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
          found.push(...all.map(({ row }) => ({ table: name, row })));
        }
        const logins = await client.query<{ row: string }>(
          'select rolpassword as row from pg_authid where rolpassword is not null',
        );
        expect(logins.rows.every(({ row }) => row.startsWith('SCRAM-SHA-256$'))).toBe(true);
        return found;
      });
      expect(rows.length).toBeGreaterThan(20);
      const places = rows.flatMap(({ table, row }) => singing(secrets(), row).map((name) => `${name} in ${table}`));
      expect([...new Set(places)].toSorted()).toEqual([
        'pushCredentials in push_configs',
        'pushToken in push_configs',
        'tenantSecret in webhook_secrets',
      ]);
    });
  },
);

describe('of a service on a database of one’s own', () => {
  let db: TestDatabase;
  const login = { user: `canary_${randomBytes(4).toString('hex')}`, password: canary('database-password') };
  beforeAll(async () => {
    db = await cloneDatabase();
    await db.query(`create role ${login.user} login noinherit password '${login.password}'`);
    await db.query(`grant a2a_app, a2a_admin to ${login.user}`);
  });
  afterAll(async () => {
    await db.query(`drop owned by ${login.user}; drop role ${login.user}`);
    await db[Symbol.asyncDispose]();
  });

  it('the password of DATABASE_URL stands in no log, answer, argument or table, not when the database breaks off either', async () => {
    await using folder = await temporaryFolder();
    const owner = inject('superuser').password;
    const env = {
      DATABASE_URL: databaseUrl(db, login),
      MIGRATION_DATABASE_URL: databaseUrl(db, inject('superuser')),
      SERVICE_AUTH_TOKEN: 'token-of-the-service',
      LOG_LEVEL: 'trace',
    };
    await using serve = new Program({ args: ['serve', '--port', '0', '--json'], cwd: folder.path, env });
    const [, line = ''] = await serve.printed(/^(\{"event":"started".*\})$/m);
    const { url } = JSON.parse(line);
    const countFiles = async (): Promise<number> => {
      const answer = await fetch(`${url}/v1/agent/tasks`, {
        headers: { authorization: 'Bearer token-of-the-service' },
      });
      texts.push(await answer.text());
      return answer.status;
    };
    const texts: string[] = [];
    expect(await countFiles()).toBe(200);
    await db.query(`alter role ${login.user} nologin`);
    await db.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login.user]);
    await until('the database is missed', async () => (await countFiles()) >= 500);
    await db.query(`alter role ${login.user} login`);
    await until('it is back', async () => (await countFiles()) === 200);
    const { command } = await seenOf(serve.pid);
    for (const args of [
      ['config', 'print'],
      ['doctor', '--json'],
      ['db', 'status', '--json'],
      ['migrate', '--json'],
    ]) {
      const { out, err } = await run(args, { cwd: folder.path, env });
      texts.push(out, err);
    }
    serve.signal('SIGTERM');
    const { out, err } = await serve.ended;
    expect(err).toContain('"level":"error"');
    const dump = await db.query<{ all: string }>(
      `select string_agg(query_to_xml(format('select * from %I', relname), true, false, '')::text, '') as all
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const everything = [out, err, command, ...texts, dump[0]?.all ?? ''].join('\n');
    expect(singing({ password: login.password, owner }, everything)).toEqual([]);
  });
});
