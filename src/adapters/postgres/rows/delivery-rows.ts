// Rows of the outbox, within a tenant: attempts begun and what came of them. Functions/outbox.sql makes the rows,
// functions/deliveries-due.sql finds those that are due.
import type { DeliveryAttempt, DeliveryStatus } from '../../../domain/model/delivery.ts';
import type { DeliveryRows, DueDelivery } from '../../../domain/ports/deliveries.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../task-json.ts';

/** An attempt that began, until its outcome is known: what a service that is killed leaves behind. */
const unknownOutcome = 'the service stopped during this attempt';
/** Attempts that a delivery keeps; somebody may ask for it again and again. */
const keptAttempts = 20;

interface DueRow {
  readonly delivery_id: string;
  readonly epoch: string;
  readonly task_id: string;
  readonly seq: string;
  readonly url: string;
  readonly body: string | null;
  readonly content_type: string;
  readonly tries: number;
  readonly traceparent: string | null;
  readonly config_id: string;
  readonly token: string | null;
  readonly scheme: string | null;
  readonly credentials: string | null;
  readonly wire: string | null;
}

interface DeadRow {
  readonly delivery_id: string;
  readonly task_id: string;
  readonly kind: 'webhook' | 'push';
}

export function deliveryRows(scope: Scope): DeliveryRows {
  return {
    ...attempts(scope),
    async list(taskId) {
      const rows = await scope.query<{
        delivery_id: string;
        task_id: string;
        kind: 'webhook' | 'push';
        url: string;
        status: DeliveryStatus;
        attempts: { at: string; status_code: number | null; error: string | null }[];
        created_at: Date;
      }>(
        'delivery_list',
        `select delivery_id, task_id, kind, url, status, attempts, created_at from deliveries
         where tenant_id = $1 and task_id = $2 order by seq, delivery_id`,
        [scope.tenantId, taskId],
      );
      return rows.map((row) => ({
        id: row.delivery_id,
        taskId: row.task_id,
        kind: row.kind,
        url: row.url,
        status: row.status,
        attempts: row.attempts.map(({ at, status_code: statusCode, error }): DeliveryAttempt => ({
          at,
          statusCode,
          error,
        })),
        createdAt: isoTime(row.created_at),
      }));
    },
    async again(deliveryId) {
      const rows = await scope.query(
        'delivery_again',
        `update deliveries set status = 'pending', tries = 0, due_at = now(), claimed_until = null, ended_at = null
         where tenant_id = $1 and delivery_id = $2 and status <> 'pending' returning delivery_id`,
        [scope.tenantId, deliveryId],
      );
      return rows.length > 0;
    },
    async setSecrets(secrets) {
      await (secrets.length === 0
        ? scope.query('webhook_secret_drop', 'delete from webhook_secrets where tenant_id = $1', [scope.tenantId])
        : scope.query(
            'webhook_secret_set',
            `insert into webhook_secrets (tenant_id, secrets) values ($1, $2)
             on conflict (tenant_id) do update set secrets = excluded.secrets, updated_at = now()`,
            [scope.tenantId, secrets],
          ));
    },
  };
}

type Attempts = Pick<DeliveryRows, 'begin' | 'write' | 'record' | 'giveBack'>;

function attempts(scope: Scope): Attempts {
  return {
    async begin(deliveryIds, { leaseSeconds, maxTries }) {
      const rows = await scope.query<Partial<DueRow> & { dead: DeadRow[] | null; secrets: string[] | null }>(
        'delivery_begin',
        beginStatement,
        [scope.tenantId, deliveryIds, leaseSeconds, maxTries],
      );
      return {
        due: rows.flatMap((row) => (isDue(row) ? [dueOf(row)] : [])),
        secrets: rows[0]?.secrets ?? [],
        dead: (rows[0]?.dead ?? []).map((row) => ({
          deliveryId: row.delivery_id,
          taskId: row.task_id,
          kind: row.kind,
        })),
      };
    },
    async write(deliveryId, form) {
      await scope.query(
        'delivery_write',
        'update deliveries set body = $3, content_type = $4 where tenant_id = $1 and delivery_id = $2 and body is null',
        [scope.tenantId, deliveryId, form.body, form.contentType],
      );
    },
    async record(outcomes, maxTries) {
      const said = outcomes.map((outcome) => ({
        delivery_id: outcome.deliveryId,
        epoch: outcome.epoch,
        delivered: outcome.delivered,
        status_code: outcome.statusCode,
        error: outcome.error,
        wait_seconds: outcome.waitSeconds,
      }));
      const rows = await scope.query<{ delivery_id: string; status: DeliveryStatus }>(
        'delivery_record',
        recordStatement,
        [scope.tenantId, JSON.stringify(said), maxTries, outcomes.map(({ deliveryId }) => deliveryId)],
      );
      return rows.map((row) => ({ deliveryId: row.delivery_id, status: row.status }));
    },
    async giveBack(claims) {
      await scope.query(
        'delivery_give_back',
        `update deliveries d set tries = tries - 1, claimed_until = null, attempts = attempts - -1
         from jsonb_to_recordset($2) as c(delivery_id uuid, epoch bigint)
         where d.tenant_id = $1 and d.delivery_id = c.delivery_id and d.epoch = c.epoch and d.status || '' = 'pending'`,
        [scope.tenantId, JSON.stringify(claims.map(({ deliveryId, epoch }) => ({ delivery_id: deliveryId, epoch })))],
      );
    },
  };
}

/**
 * $2: ids, $3: seconds until the claims run out, $4: attempts that a delivery has. Claim and attempt are one update, of
 * no column in an index. What another hand holds, has claimed since it was found or has ended is left out: each row is
 * looked at again in its newest version, and nobody waits for it. One whose last attempt was cut off (its claim ran out
 * without a word) is dead; so is a notification whose config is gone. Rows are found by `any ($2)` and `status || ''`,
 * that is by their key: joined to a list, or through the index of what is pending, the planner reads all that a tenant
 * has (3,000 rows: 6 ms for 16).
 */
const beginStatement = `
  with held as materialized (
    select d.delivery_id, d.tries >= $4 or (d.kind = 'push' and not exists (
      select from push_configs p where p.tenant_id = $1 and p.task_id = d.task_id and p.config_id = d.config_id)) as over
    from deliveries d where d.tenant_id = $1 and d.delivery_id = any ($2::uuid[]) and d.status || '' = 'pending'
      and d.due_at <= clock_timestamp() and (d.claimed_until is null or d.claimed_until <= clock_timestamp())
    for update of d skip locked
  ), dead as (
    update deliveries d set status = 'dead', ended_at = clock_timestamp()
    where d.tenant_id = $1 and d.delivery_id = any (array (select delivery_id from held where over))
    returning d.delivery_id, d.task_id, d.kind
  ), begun as (
    update deliveries d set tries = d.tries + 1, epoch = d.epoch + 1,
      claimed_until = clock_timestamp() + make_interval(secs => $3),
      attempts = (case when jsonb_array_length(d.attempts) >= ${keptAttempts} then d.attempts - 0 else d.attempts end)
        || jsonb_build_array(jsonb_build_object('status_code', null, 'error', '${unknownOutcome}',
          'at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    where d.tenant_id = $1 and d.delivery_id = any (array (select delivery_id from held where not over))
    returning d.*
  )
  select b.delivery_id, b.epoch, b.task_id, b.seq, coalesce(p.url, b.url) as url, b.body, b.content_type, b.tries, b.traceparent,
    b.config_id, p.token, p.scheme, p.credentials, p.wire, x.dead, x.secrets
  from (select (select jsonb_agg(to_jsonb(dead)) from dead) as dead,
    (select secrets from webhook_secrets where tenant_id = $1) as secrets) x
  left join begun b on true
  left join push_configs p on p.tenant_id = $1 and p.task_id = b.task_id and p.config_id = b.config_id
  order by b.delivery_id`;

/** $2: the outcomes, $3: attempts that a delivery has, $4: the ids again. */
const recordStatement = `
  with said as materialized (
    select * from jsonb_to_recordset($2) as o(delivery_id uuid, epoch bigint, delivered boolean, status_code integer,
      error text, wait_seconds float8)
  )
  update deliveries d set
    status = case when s.delivered then 'delivered' when d.tries >= $3 then 'dead' else 'pending' end,
    ended_at = case when s.delivered or d.tries >= $3 then clock_timestamp() end,
    due_at = case when s.delivered or d.tries >= $3 then d.due_at
      else clock_timestamp() + make_interval(secs => s.wait_seconds) end,
    claimed_until = null,
    attempts = jsonb_set(d.attempts, '{-1}',
      (d.attempts->-1) || jsonb_build_object('status_code', s.status_code, 'error', s.error))
  from said s
  where d.tenant_id = $1 and d.delivery_id = any ($4::uuid[]) and d.status || '' = 'pending'
    and d.delivery_id = s.delivery_id and d.epoch = s.epoch
  returning d.delivery_id, d.status`;

function isDue(row: Partial<DueRow>): row is DueRow {
  return row.delivery_id !== undefined && row.delivery_id !== null;
}

function dueOf(row: DueRow): DueDelivery {
  return {
    deliveryId: row.delivery_id,
    epoch: Number(row.epoch),
    taskId: row.task_id,
    seq: Number(row.seq),
    url: row.url,
    body: row.body,
    contentType: row.content_type,
    tries: row.tries,
    traceparent: row.traceparent,
    target:
      row.wire === null
        ? null
        : {
            configId: row.config_id,
            url: row.url,
            token: row.token,
            scheme: row.scheme,
            credentials: row.credentials,
            wire: row.wire,
          },
  };
}
