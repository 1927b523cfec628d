// Deletion by age: finished tasks, idempotency keys, routes. Also reads with row-level security switched off.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresCrossTenantQueries } from '../../../../src/adapters/postgres/store/cross-tenant-queries.ts';
import { openPool } from '../../../../src/adapters/postgres/connection/connections.ts';
import { postgresStore } from '../../../../src/adapters/postgres/store/store.ts';
import { retain } from '../../../../src/domain/tasks/retain.ts';
import { noLoopAudit } from '../../../support/request-pipeline.ts';
import { openService, type TestService } from '../../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const policy = { retentionDays: 30, idempotencyHours: 48 };

/** One round of housekeeping, as the service does each hour. */
async function runRetention(): Promise<number> {
  const pool = openPool({ address: service.db.service, role: 'a2a_app', max: 2, log: () => {} });
  try {
    const store = postgresStore({ pool, offlineAfterSeconds: 60, idempotencyHours: 48 });
    const deps = { store, crossTenant: postgresCrossTenantQueries(pool), audit: noLoopAudit };
    return await retain(deps, policy, new AbortController().signal);
  } finally {
    await pool.end();
  }
}

/** A task that finished this many days ago, with an id of that time. */
async function aged(days: number, status: 'completed' | 'pending'): Promise<string> {
  const task = await service.task({ required_capabilities: [`only-${days}-${status}`] });
  if (status === 'completed') await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
  const old = `lpad(to_hex((extract(epoch from now() - interval '${days} days') * 1000)::bigint), 12, '0')`;
  const tables = ['task_events', 'task_runs'].map(
    (table) => `update ${table} set task_id = new.id from new where task_id = '${task.id}'`,
  );
  const [row] = await service.db.query<{ id: string }>(
    `with new as (select (${old} || right(replace('${task.id}', '-', ''), 20))::uuid as id)
     , e as (${tables[0]}), r as (${tables[1]})
     update tasks set id = new.id, created_at = now() - interval '${days} days',
       completed_at = case when completed_at is not null then now() - interval '${days} days' end
     from new where tasks.id = '${task.id}' returning tasks.id`,
  );
  return row?.id ?? '';
}

describe('retention', () => {
  it('deletes tasks that finished before RETENTION_DAYS with their logs and attempts, and no pending or younger task [choices-1.34]', async () => {
    const [old, waiting, young] = [await aged(31, 'completed'), await aged(31, 'pending'), await aged(29, 'completed')];
    expect(await runRetention()).toBe(1);
    expect((await service.call('GET', `/v1/agent/tasks/${old}`)).status).toBe(404);
    expect(await service.db.query('select from task_events where task_id = $1', [old])).toEqual([]);
    expect((await service.call('GET', `/v1/agent/tasks/${waiting}`)).body.task.status).toBe('pending');
    expect((await service.call('GET', `/v1/agent/tasks/${young}`)).body.task.status).toBe('cancelled');
  });

  it('deletes idempotency keys after IDEMPOTENCY_HOURS: the key then creates a new task [choices-9.9]', async () => {
    const submit = async (): Promise<{ id: string; replayed: string | null }> => {
      const headers = { 'idempotency-key': 'aged' };
      const reply = await service.call('POST', '/v1/agent/tasks', { body: { title: 't', prompt: 'p' }, headers });
      return { id: reply.body.task.id, replayed: reply.headers.get('idempotency-replayed') };
    };
    const first = await submit();
    expect(await submit()).toEqual({ id: first.id, replayed: 'true' });
    await service.db.query(`update idempotency_keys set created_at = now() - interval '49 hours' where key = 'aged'`);
    const later = await submit();
    expect(later).toMatchObject({ replayed: null });
    expect(later.id).not.toBe(first.id);
    await service.db.query(`update idempotency_keys set created_at = now() - interval '49 hours'`);
    await runRetention();
    expect(await service.db.query('select from idempotency_keys')).toEqual([]);
  });

  it('deletes routes unused for a day, and never the route of a pending task', async () => {
    await service.task({ required_capabilities: ['kept'] });
    const gone = await service.task({ required_capabilities: ['dropped'] });
    await service.call('POST', `/v1/agent/tasks/${gone.id}/cancel`);
    await service.db.query(`update routes set used_at = now() - interval '2 days'`);
    await runRetention();
    const left = await service.db.query<{ c: string[] }>('select required_capabilities as c from routes');
    const labels = left.flatMap((row) => row.c);
    expect(labels).toContain('kept');
    expect(labels).not.toContain('dropped');
    const worker = await service.worker({ capabilities: ['kept', 'dropped'] });
    const again = await service.task({ required_capabilities: ['dropped'] });
    expect((await worker.claim(5)).map(({ task }) => task.id)).toContain(again.id);
  });
});

describe('with RLS_ENABLED=false', () => {
  it('a caller reads every tenant’s rows, as the document says; with it, only its own tenant’s [core-5.8.5]', async () => {
    await using open = await openService({ config: { rlsEnabled: false } });
    const theirs = await open.task({}, 'other');
    expect((await open.call('GET', `/v1/agent/tasks/${theirs.id}`, { as: 'editor' })).status).toBe(200);
    const foreign = await service.task({}, 'other');
    expect((await service.call('GET', `/v1/agent/tasks/${foreign.id}`, { as: 'editor' })).status).toBe(404);
  });
});
