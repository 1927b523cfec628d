// Rows of push configs: the receivers of a task's changes of status. Row-level security limits them to the tenant.
import type { PushConfigRows } from '../../../../../domain/ports/store/deliveries.ts';
import type { Scope } from '../scope.ts';

export function pushConfigRows(scope: Scope): PushConfigRows {
  return {
    async set(taskId, createdBy, target) {
      // Locks the task's row first, as every move does, so that no change of status falls between the two statements.
      await scope.query(
        'push_config_notify',
        'update tasks set has_push_configs = true where tenant_id = $1 and id = $2',
        [scope.tenantId, taskId],
      );
      await scope.query(
        'push_config_set',
        `insert into push_configs (tenant_id, task_id, config_id, url, token, scheme, credentials, wire, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (tenant_id, task_id, config_id) do update set url = excluded.url, token = excluded.token,
           scheme = excluded.scheme, credentials = excluded.credentials, wire = excluded.wire`,
        [
          scope.tenantId,
          taskId,
          target.configId,
          target.url,
          target.token,
          target.scheme,
          target.credentials,
          target.wire,
          createdBy,
        ],
      );
    },
    async enqueueCurrentStatus(taskId, configId) {
      await scope.query(
        'push_config_enqueue',
        `insert into deliveries (tenant_id, delivery_id, task_id, kind, config_id, seq, url, host, traceparent)
         select c.tenant_id, make_uuid7(), c.task_id, 'push', c.config_id, e.seq, c.url, url_host(c.url), t.traceparent
         from push_configs c
         join tasks t on t.tenant_id = $1 and t.id = c.task_id
         cross join lateral (
           select seq from task_events where tenant_id = $1 and task_id = c.task_id and type = 'status'
           order by seq desc limit 1) e
         where c.tenant_id = $1 and c.task_id = $2 and c.config_id = $3 and not exists (
           select from deliveries d where d.tenant_id = $1 and d.task_id = c.task_id and d.config_id = c.config_id
             and d.seq = e.seq and d.url = c.url)`,
        [scope.tenantId, taskId, configId],
      );
    },
    async list(taskId) {
      const rows = await scope.query<{
        config_id: string;
        url: string;
        token: string | null;
        scheme: string | null;
        credentials: string | null;
        wire: string;
      }>(
        'push_config_list',
        `select config_id, url, token, scheme, credentials, wire from push_configs
         where tenant_id = $1 and task_id = $2 order by created_at, config_id`,
        [scope.tenantId, taskId],
      );
      return rows.map(({ config_id: configId, ...target }) => ({ configId, ...target }));
    },
    async remove(taskId, configId) {
      await scope.query(
        'push_config_remove',
        `with gone as (
           delete from push_configs where tenant_id = $1 and task_id = $2 and config_id = $3 returning config_id
         )
         delete from deliveries d using gone
         where d.tenant_id = $1 and d.task_id = $2 and d.config_id = gone.config_id and d.kind = 'push'
           and d.status = 'pending'`,
        [scope.tenantId, taskId, configId],
      );
    },
  };
}
