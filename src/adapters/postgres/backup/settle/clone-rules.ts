// Rules for a clone of an installation: each stops something that would leave it. platform-6.
import { heldByRestore } from '../../../../domain/model/held-sends.ts';

/** `sql` runs over all tenants, in the order of the list. */
export interface CloneRule {
  readonly what: string;
  readonly sql: string;
}

const openTask = `status in ('pending', 'running', 'needs_input')`;
const openRun = `status in ('pending', 'running', 'needs_input', 'paused')`;
const reason = `'{"code": "${heldByRestore}", "message": "This installation is a clone: the original runs the task."}'`;

/** A new kind of send, or a new kind of credential, needs a rule here. */
export const cloneRules: readonly CloneRule[] = [
  // First: the ends below would otherwise be announced.
  {
    what: 'webhooks of open tasks',
    sql: `update tasks set webhook_url = null where webhook_url is not null and ${openTask}`,
  },
  {
    what: 'webhooks of runs',
    sql: `update ralph_runs set webhook_url = null where webhook_url is not null and ${openRun}`,
  },
  { what: 'receivers of push notifications', sql: 'delete from push_configs' },
  {
    what: 'running tasks',
    sql: `select queue_end(tenant_id, id, 'failed', ${reason}::jsonb, null) from tasks where status = 'running' order by tenant_id, id`,
  },
  {
    what: 'steps that publish',
    sql: `select queue_end(tenant_id, id, 'cancelled', null, '${heldByRestore}') from tasks
      where ${openTask} and step->>'kind' = 'publish' order by tenant_id, id`,
  },
  {
    what: 'runs',
    sql: `update ralph_runs set status = 'paused', pause_mode = 'now', active_since = null, due_at = clock_timestamp(), version = version + 1
      where status in ('pending', 'running', 'needs_input')`,
  },
  { what: 'cron jobs', sql: 'update cronjobs set enabled = false, version = version + 1 where enabled' },
  {
    what: 'deliveries',
    sql: `with dead as (
        update deliveries set status = 'dead', ended_at = clock_timestamp(), claimed_until = null, attempts = attempts ||
          jsonb_build_array(jsonb_build_object('at', clock_timestamp(), 'status_code', null, 'error', '${heldByRestore}'))
        where status = 'pending' returning tenant_id, delivery_id)
      select count(*) from dead`,
  },
  // Nobody has to look at what a clone does not send.
  { what: 'what waits for a person because of them', sql: `delete from attention_items where kind = 'dead_delivery'` },
  { what: 'signing secrets of webhooks', sql: 'delete from webhook_secrets' },
  { what: 'API keys', sql: 'update api_keys set revoked_at = clock_timestamp() where revoked_at is null' },
  { what: 'sign-in codes', sql: 'delete from sign_in_codes' },
  { what: 'sign-in sessions', sql: 'delete from sign_in_sessions' },
];
