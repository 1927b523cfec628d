// The named cross-tenant queries, each under a2a_admin for one transaction. They return only ids; the rows behind them are
// read and changed within their tenant.
import type pg from 'pg';
import type { CrossTenantQueries } from '../../../domain/ports/store/cross-tenant-queries.ts';
import { asAdmin } from './as-admin.ts';

export function postgresCrossTenantQueries(pool: pg.Pool): CrossTenantQueries {
  const query = <R extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<R[]> =>
    asAdmin<R>(pool, text, values);
  return {
    async expiredLeases(limit) {
      const rows = await query<{ tenant_id: string; id: string; epoch: string }>(
        `select tenant_id, id, epoch from tasks where status = 'running' and lease_expires_at <= clock_timestamp()
         order by lease_expires_at limit $1`,
        [limit],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, taskId: row.id, epoch: Number(row.epoch) }));
    },
    async passedDeadlines(limit) {
      const rows = await query<{ tenant_id: string; id: string }>(
        `select tenant_id, id from tasks where deadline_at <= clock_timestamp()
           and status in ('pending', 'running', 'needs_input') order by deadline_at limit $1`,
        [limit],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, taskId: row.id }));
    },
    async tenantsWithPending(tenantIds) {
      const rows = await query<{ tenant_id: string }>(
        `select tenant_id from unnest($1::text[]) as x(tenant_id)
         where exists (select from tasks t where t.tenant_id = x.tenant_id and t.status = 'pending')`,
        [[...tenantIds]],
      );
      return rows.map((row) => row.tenant_id);
    },
    async tenantsToFold() {
      const rows = await query<{ tenant_id: string }>(
        // One look at the end of each tenant's log.
        `select t.tenant_id from tenants t left join usage_marks m on m.tenant_id = t.tenant_id
         cross join lateral (
           select from task_events e where e.tenant_id = t.tenant_id and e.type in ('status', 'message')
             and (e.xid, e.task_id, e.seq) > (coalesce(m.xid, '0'),
               coalesce(m.task_id, '00000000-0000-0000-0000-000000000000'), coalesce(m.seq, 0))
           order by e.xid, e.task_id, e.seq limit 1) fresh`,
        [],
      );
      return rows.map((row) => row.tenant_id);
    },
    async tenants() {
      const rows = await query<{ tenant_id: string }>('select tenant_id from tenants order by tenant_id', []);
      return rows.map((row) => row.tenant_id);
    },
    async isTenant(tenantId) {
      const rows = await query('select from tenants where tenant_id = $1', [tenantId]);
      return rows.length > 0;
    },
    async ensureTenants(tenantIds) {
      await query(
        'insert into tenants (tenant_id, name) select x, x from unnest($1::text[]) as x order by x on conflict do nothing',
        [[...new Set(tenantIds)]],
      );
    },
    async dueTopicMessages(topics, limit) {
      const rows = await query<{ tenant_id: string; message_id: string }>(
        `select tenant_id, message_id from topic_messages
         where topic = any ($1::text[]) and due_at <= clock_timestamp() order by due_at limit $2`,
        [[...topics], limit],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, messageId: row.message_id }));
    },
    async dueRuns(limit) {
      const rows = await query<{ tenant_id: string; id: string }>(
        `select tenant_id, id from ralph_runs where due_at <= clock_timestamp()
           and status in ('pending', 'running', 'paused', 'needs_input') order by due_at limit $1`,
        [limit],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, runId: row.id }));
    },
    async runsWithEndedSteps(limit) {
      const rows = await query<{ tenant_id: string; run_id: string }>(
        `select distinct s.tenant_id, s.run_id from ralph_steps s
         left join tasks t on t.tenant_id = s.tenant_id and t.id = s.task_id
         where s.status in ('open', 'asking') and (t.id is null
           or s.status = 'open' and t.status in ('completed', 'failed', 'cancelled', 'needs_input')
           or s.status = 'asking' and t.status <> 'needs_input') limit $1`,
        [limit],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, runId: row.run_id }));
    },
    async openStepTasks() {
      const rows = await query<{ tenant_id: string; task_id: string }>(
        `select tenant_id, task_id from ralph_steps where status in ('open', 'asking')`,
        [],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, taskId: row.task_id }));
    },
    async silentWorkers(silentSeconds, limit) {
      const rows = await query<{ tenant_id: string; worker_id: string }>(
        `select tenant_id, worker_id from workers where unregistered_at is null and gone_at is null
           and last_heartbeat_at <= now() - make_interval(secs => $1) limit $2`,
        [silentSeconds, limit],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, workerId: row.worker_id }));
    },
    async dueCronjobs(limit, after) {
      const rows = await query<{ tenant_id: string; cronjob_id: string; fire_at: string }>(
        `select tenant_id, cronjob_id, fire_at::text from cronjobs where enabled and fire_at <= clock_timestamp()
           and ($2::timestamptz is null or (fire_at, tenant_id, cronjob_id) > ($2, $3, $4))
         order by fire_at, tenant_id, cronjob_id limit $1`,
        [limit, after?.fireAt ?? null, after?.tenantId ?? null, after?.cronjobId ?? null],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, cronjobId: row.cronjob_id, fireAt: row.fire_at }));
    },
    async dueOkrRuns(limit, after) {
      const rows = await query<{ tenant_id: string; okr_id: string; run_id: string }>(
        `select r.tenant_id, r.okr_id, r.run_id from okr_runs r where r.status in ('pending', 'running')
           and ($2::text is null or (r.tenant_id, r.run_id) > ($2, $3))
           and exists (select from jsonb_array_elements(r.items) i
             left join tasks t on t.tenant_id = r.tenant_id and t.id = (i->>'taskId')::uuid
             where i->>'status' = 'running' and (t.id is null or t.status in ('completed', 'failed', 'cancelled')
               or r.status = 'pending' and t.status <> 'pending'))
         order by r.tenant_id, r.run_id limit $1`,
        [limit, after?.tenantId ?? null, after?.runId ?? null],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, okrId: row.okr_id, runId: row.run_id }));
    },
    async dropOldKeys(olderThanHours) {
      const rows = await query<{ n: string }>(
        `with gone as (delete from idempotency_keys where created_at < now() - make_interval(hours => $1) returning 1)
         select count(*) as n from gone`,
        [olderThanHours],
      );
      return Number(rows[0]?.n ?? 0);
    },
  };
}
