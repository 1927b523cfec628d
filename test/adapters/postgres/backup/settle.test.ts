// Changes that a restore makes before a service may start: publish steps wait, or, in a clone, nothing is ever sent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleRestore } from '../../../../src/adapters/postgres/backup/settle/settle-restore.ts';
import { recordRestore } from '../../../../src/adapters/postgres/backup/settle/record-restore.ts';
import { heldLabel } from '../../../../src/domain/model/held-sends.ts';
import pg from 'pg';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let db: TestDatabase;
let tasks: { publish: string; other: string; running: string };
const hook = 'https://hooks.example.org/in';

/** A task that publishes, one that does not, one that runs, and all kinds of things that would go out. */
async function fill(): Promise<void> {
  await using service = await openService({ db });
  const make = async (title: string): Promise<string> => (await service.task({ title, webhook_url: hook })).id;
  const worker = await service.worker();
  const running = await make('running');
  await worker.claim(1, running);
  tasks = { publish: await make('publish'), other: await make('other'), running };
  await db.query(`update tasks set step = '{"kind": "publish"}' where id = $1`, [tasks.publish]);
  await service.call('POST', '/v1/auth/keys', { as: 'admin', body: { name: 'key', scopes: ['tasks:read'] } });
  await service.call('POST', '/v1/cronjobs', {
    as: 'editor',
    body: { name: 'nightly', cron: '0 3 * * *', task_template: { prompt: 'p' } },
  });
  const done = await make('done');
  const [assignment] = await worker.claim(1, done);
  if (assignment !== undefined) await worker.release(assignment, { status: 'completed', result: 'r' });
  await db.query(`update deliveries set status = 'pending', due_at = now() + interval '1 hour', ended_at = null`);
}

async function record(asClone: boolean): Promise<void> {
  const client = new pg.Client(db.superuser);
  await client.connect();
  try {
    await recordRestore(client, {
      backupId: 'backup-1',
      kind: 'archive',
      backupAt: '2026-01-01T00:00:00Z',
      asClone,
      chain: undefined,
    });
  } finally {
    await client.end();
  }
}

const one = async (text: string, values?: unknown[]): Promise<unknown> =>
  Object.values((await db.query<Record<string, unknown>>(text, values))[0] ?? {})[0];

describe('a restored installation', () => {
  let service: TestService;
  let worker: ManualWorker;
  beforeAll(async () => {
    db = await cloneDatabase();
    await fill();
    await record(false);
    await settleRestore(db.superuser);
    await settleRestore(db.superuser);
    service = await openService({ db });
    worker = await service.worker({ name: 'after' });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await db[Symbol.asyncDispose]();
  });

  it('has publish steps that no worker is given, and says so [platform-6.3.1]', async () => {
    expect(await (await fetch(`${service.url}/health`)).json()).toMatchObject({ sends: 'held_by_restore' });
    const health = await service.call('GET', '/v1/monitor/service-health');
    expect(health.body.sends).toMatchObject({ status: 'degraded', reason: expect.stringContaining('restore release') });
    await expect(worker.claim(1, tasks.publish)).rejects.toThrow('task_not_for_worker');
    expect((await worker.claim(1, tasks.other)).map(({ task }) => task.id)).toEqual([tasks.other]);
  });

  it('still sends webhooks that were pending, and gives running tasks back [platform-6.3.2]', async () => {
    expect(await one(`select count(*)::int from deliveries where status = 'pending'`)).toBe(1);
    await db.query(`update tasks set lease_expires_at = now() - interval '1 minute' where id = $1`, [tasks.running]);
    await until('the task is given back', async () => {
      return (await one('select status from tasks where id = $1', [tasks.running])) === 'pending' || undefined;
    });
  });

  it('names what it follows in its audit, for a database without files too [platform-6.3.4]', async () => {
    const chains = (await service.call('GET', '/v1/audit/verify')).body.chains;
    expect(chains).toHaveLength(2);
    const opened = await service.call('POST', '/v1/audit/query', {
      body: { action: 'audit.chain_opened' },
      headers: { 'x-tenant-id': 'system' },
    });
    expect(opened.body.events[0].metadata).toMatchObject({
      because: 'restored',
      backup: 'backup-1',
      after: chains[1].chain,
    });
  });

  it('lets them go by restore release, once, for operators [platform-6.3.1]', async () => {
    expect((await service.call('POST', '/v1/restore/release', { as: 'editor' })).status).toBe(403);
    const released = await service.call('POST', '/v1/restore/release', { as: 'operator' });
    expect(released).toMatchObject({ status: 200, body: { released: true, backup_at: '2026-01-01T00:00:00.000Z' } });
    const again = await service.call('POST', '/v1/restore/release', { as: 'operator' });
    expect(again.body).toEqual({ released: false, restored_at: null, backup_at: null });
    await until('the step is free', async () => {
      const route = await one('select route_id from tasks where id = $1', [tasks.publish]);
      return (typeof route === 'string' && !route.startsWith('held:')) || undefined;
    });
    expect(await one('select required_capabilities from tasks where id = $1', [tasks.publish])).toEqual([]);
    expect(await one('select route_id from tasks where id = $1', [tasks.publish])).toBe(
      await one('select route_id from tasks where id = $1', [tasks.other]),
    );
    expect(await (await fetch(`${service.url}/health`)).json()).not.toHaveProperty('sends');
    expect(await one(`select count(*)::int from routes where $1 = any(required_capabilities)`, [heldLabel])).toBe(1);
  });
});

describe('a clone', () => {
  beforeAll(async () => {
    db = await cloneDatabase();
    await fill();
    await db.query(`insert into webhook_secrets (tenant_id, secrets) values ('default', '{secret}')`);
    await db.query(`insert into push_configs (tenant_id, task_id, config_id, url, wire, created_by)
      values ('default', '${tasks.other}', 'c', '${hook}', '1.0', 'x')`);
    await db.query(`update tasks set has_push_configs = true where id = '${tasks.running}'`);
    await db.query(`insert into ralph_runs (tenant_id, id, codebase_id, project, description, branch, mode, max_parallel,
        max_iterations, prd, options, budget, spent, status, webhook_url, created_by)
      values ('default', gen_random_uuid(), 'global', 'p', 'd', 'b', 'parallel', 1, 1, '{}', '{}', '{}', '{}', 'running', '${hook}', 'x')`);
    await record(true);
    await settleRestore(db.superuser);
  });
  afterAll(() => db[Symbol.asyncDispose]());

  it('has nothing left that goes out, and no credential that opens it [platform-6.3.3]', async () => {
    const open = `status in ('pending', 'running', 'needs_input')`;
    const counts = await db.query(`select
      (select count(*)::int from deliveries where status = 'pending') as deliveries,
      (select count(*)::int from tasks where ${open} and webhook_url is not null) as webhooks,
      (select count(*)::int from push_configs) as receivers,
      (select count(*)::int from tasks where status = 'running') as running,
      (select count(*)::int from tasks where ${open} and step->>'kind' = 'publish') as publishing,
      (select count(*)::int from ralph_runs where ${open}) as runs,
      (select count(*)::int from ralph_runs where webhook_url is not null) as run_webhooks,
      (select count(*)::int from cronjobs where enabled) as cronjobs,
      (select count(*)::int from api_keys where revoked_at is null) as keys,
      (select count(*)::int from sign_in_sessions) + (select count(*)::int from sign_in_codes) as sessions,
      (select count(*)::int from webhook_secrets) as secrets,
      (select count(*)::int from attention_items where kind = 'dead_delivery') as attention`);
    expect(Object.entries(counts[0] ?? {}).filter(([, count]) => count !== 0)).toEqual([]);
    expect(await one(`select error->>'code' from tasks where id = $1`, [tasks.running])).toBe('held_by_restore');
    expect(await one(`select attempts->-1->>'error' from deliveries`)).toBe('held_by_restore');
    // Pending work stays, for the workers of the clone.
    expect(await one('select status from tasks where id = $1', [tasks.other])).toBe('pending');
  });

  it('holds nothing, and sends nothing when its service works', async () => {
    await using service = await openService({ db });
    expect(await (await fetch(`${service.url}/health`)).json()).not.toHaveProperty('sends');
    const worker = await service.worker({ name: 'of the clone' });
    const [assignment] = await worker.claim(1, tasks.other);
    if (assignment !== undefined) await worker.release(assignment, { status: 'completed', result: 'r' });
    expect(await one(`select count(*)::int from deliveries where status = 'pending'`)).toBe(0);
    // Row-level security binds the owner again.
    expect(
      await db.query(
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity and not relforcerowsecurity`,
      ),
    ).toEqual([]);
  });
});
