// Rows of what waits for a person. The functions in schema/functions/attention write and delete them.
import type { AttentionItem, AttentionKind } from '../../../../domain/model/attention.ts';
import type { AttentionRows } from '../../../../domain/ports/store/monitor/attention.ts';
import type { Scope } from './scope.ts';
import { isoTime } from '../../codec/task-json.ts';

interface ItemRow {
  readonly id: string;
  readonly kind: AttentionKind;
  readonly about: string | null;
  readonly of_run: boolean;
  readonly asked_at: Date;
  readonly place: string;
  readonly title: string;
  readonly text: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** Characters of a title or text. */
const textLength = 4_000;

export function attentionRows(scope: Scope): AttentionRows {
  return {
    async list({ limit, before, forgetDays, kinds }) {
      const rows = await scope.query<ItemRow>('attention_list', listStatement, [
        scope.tenantId,
        before?.askedAt ?? null,
        before?.id ?? null,
        limit,
        forgetDays,
        textLength,
        kinds ?? null,
      ]);
      return rows.map((row) => ({ ...itemOf(row), position: { askedAt: row.place, id: row.id } }));
    },
    async find(id) {
      const [row] = await scope.query<{ kind: AttentionKind; created_by: string }>(
        'attention_find',
        'select kind, created_by from attention_items where tenant_id = $1 and id = $2',
        [scope.tenantId, id],
      );
      return row && { kind: row.kind, createdBy: row.created_by };
    },
    async close(id) {
      const [row] = await scope.query<{ closed: boolean }>(
        'attention_close',
        'select close_attention($1, $2) as closed',
        [scope.tenantId, id],
      );
      return row?.closed ?? false;
    },
    async closeOlder(days, limit) {
      const rows = await scope.query(
        'attention_close_older',
        `select close_attention($1, old.id) from (
           select id from attention_items where tenant_id = $1 and asked_at < now() - make_interval(days => $2)
             and kind not in ('task_question', 'run_question', 'approval')
           order by asked_at limit $3) old`,
        [scope.tenantId, days, limit],
      );
      return rows.length;
    },
    async markGone(workerIds, silentSeconds) {
      const rows = await scope.query<{ worker_id: string }>(
        'worker_mark_gone',
        `update workers set gone_at = now() where tenant_id = $1 and worker_id = any ($2::uuid[])
           and unregistered_at is null and gone_at is null
           and last_heartbeat_at <= now() - make_interval(secs => $3) returning worker_id`,
        [scope.tenantId, workerIds, silentSeconds],
      );
      return rows.map((row) => row.worker_id);
    },
    async dropEvents(olderThanDays) {
      const [row] = await scope.query<{ n: number }>(
        'monitor_events_drop',
        `with gone as (
           delete from monitor_events where tenant_id = $1 and at < now() - make_interval(days => $2) returning 1
         ) select count(*)::integer as n from gone`,
        [scope.tenantId, olderThanDays],
      );
      return row?.n ?? 0;
    },
  };
}

/** The page is read first; what it shows of each thing is then read by key. */
const listStatement = `with page as materialized (
    select * from attention_items i where i.tenant_id = $1
      and ($2::timestamptz is null or (i.asked_at, i.id) < ($2::timestamptz, $3::text))
      and (i.asked_at > now() - make_interval(days => $5) or i.kind in ('task_question', 'run_question', 'approval'))
      and ($7::text[] is null or i.kind = any ($7))
    order by i.asked_at desc, i.id desc limit $4
  )
  select i.id, i.kind, i.about, r.id is not null as of_run, i.asked_at,
    to_char(i.asked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place,
    left(coalesce(t.title, r.project, w.name, ''), $6) as title,
    left(coalesce(case i.kind
      when 'task_question' then asked.text
      when 'run_question' then q.text
      when 'dead_delivery' then d.text
      when 'run_failed' then r.error->>'message'
      when 'worker_gone' then 'No heartbeat since '
        || to_char(w.last_heartbeat_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '.'
    end, ''), $6) as text,
    coalesce(asked.options, q.options, '[]') as options
  from page i
  left join tasks t on t.tenant_id = $1 and t.id = i.about
  left join ralph_runs r on r.tenant_id = $1 and r.id = i.about
  left join workers w on i.kind = 'worker_gone' and w.tenant_id = $1 and w.worker_id = i.id::uuid
  left join lateral (
    select m.parts->0->>'text' as text, m.question->'options' as options
    from later_messages m where i.kind = 'task_question' and m.tenant_id = $1 and m.task_id = i.about and m.role = 'agent'
    order by m.n desc limit 1) asked on true
  left join lateral (
    select x.text, (select jsonb_agg(jsonb_build_object('value', o, 'label',
        upper(left(o, 1)) || replace(substr(o, 2), '_', ' ')) order by n)
      from jsonb_array_elements_text(x.options) with ordinality as y(o, n)) as options
    from ralph_questions x where i.kind = 'run_question' and x.tenant_id = $1 and x.run_id = i.about
      and x.id = i.id::uuid) q on true
  left join lateral (
    select case y.kind when 'webhook' then 'The webhook to ' else 'The push notification to ' end || y.host
      || ' was not delivered: ' || coalesce(y.attempts->-1->>'error', 'HTTP ' || (y.attempts->-1->>'status_code'), 'no answer')
      as text
    from deliveries y where i.kind = 'dead_delivery' and y.tenant_id = $1 and y.task_id = i.about
      and y.delivery_id = i.id::uuid) d on true
  order by i.asked_at desc, i.id desc`;

function itemOf(row: ItemRow): AttentionItem {
  return {
    kind: row.kind,
    id: row.id,
    about: row.about === null ? null : { kind: row.of_run ? 'run' : 'task', id: row.about },
    title: row.title,
    text: row.text,
    options: row.options,
    askedAt: isoTime(row.asked_at),
  };
}
