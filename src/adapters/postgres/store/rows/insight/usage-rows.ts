// Rows of usage by day and of the queue's history. Row-level security limits them to the tenant; statements whose index
// begins with the tenant name it too.
import type { HistoryPoint, UsageDimension, UsageGroup, UsageRows } from '../../../../../domain/ports/usage.ts';
import { isoTime } from '../../../codec/task-json.ts';
import type { Scope } from '../scope.ts';

interface GroupRow {
  readonly key: string;
  readonly name: string | null;
  readonly tasks: string;
  readonly completed: string;
  readonly failed: string;
  readonly retried: string;
  readonly first_attempt: string;
  readonly median: number | null;
  readonly input_tokens: string;
  readonly output_tokens: string;
  readonly cached_tokens: string;
  readonly cost_usd: string | null;
  readonly unpriced_tasks: string;
}

interface PointRow {
  readonly at: Date;
  readonly queued: string;
  readonly running: string;
  readonly completed: string;
  readonly failed: string;
  readonly cancelled: string;
  readonly wait50: number | null;
  readonly wait95: number | null;
  readonly run50: number | null;
  readonly run95: number | null;
}

/** Events of the log that a reader looks at beyond the folded ones; a fold each minute leaves fewer. */
const maxUnfolded = 10_000;
/** Tasks that a sample counts; a longer queue is sampled as this long. */
const maxSampled = 100_000;

/** The name behind a key of this dimension; needs `g`, the group. */
const nameOf: Readonly<Partial<Record<UsageDimension, string>>> = {
  codebase: '(select c.name from workspaces c where c.tenant_id = $1 and c.codebase_id = g.key)',
  worker: '(select w.name from workers w where w.tenant_id = $1 and w.worker_id::text = g.key)',
  ralph_run: '(select r.project from ralph_runs r where r.tenant_id = $1 and r.id::text = g.key)',
};

/** Tasks that wait and run now; $1: the tenant. By partial indexes, and no further than the limit. */
const present = `(select count(*) from (select from tasks t where t.tenant_id = $1 and t.status = 'pending'
    limit ${maxSampled}) x) as queued,
  (select count(*) from (select from tasks t where t.tenant_id = $1 and t.status = 'running' limit ${maxSampled}) x) as running`;

/** $1: tenant, $2: dimension, $3 and $4: first and last day, $5: most groups. Folded and unfolded tasks, of one snapshot. */
const groupsStatement = (dimension: UsageDimension): string => `
  with cell as materialized (
    select ${dimension === 'day' ? 'u.day::text' : 'u.own_key'} as key, u.* from (
      select d.day, d.key as own_key, d.tasks, d.completed, d.failed, d.retried, d.first_attempt, d.seconds,
        d.input_tokens, d.output_tokens, d.cached_tokens, d.cost_usd, d.unpriced_tasks
      from usage_days d where d.tenant_id = $1 and d.dimension = $2 and d.day between $3 and $4
      union all
      select d.day, d.key, d.tasks, d.completed, d.failed, d.retried, d.first_attempt, d.seconds,
        d.input_tokens, d.output_tokens, d.cached_tokens, d.cost_usd, d.unpriced_tasks
      from ended_usage($1, unfolded_ends($1, ${maxUnfolded})) d where d.dimension = $2 and d.day between $3 and $4
    ) u
  ), g as materialized (
    select key, sum(tasks) as tasks, sum(completed) as completed, sum(failed) as failed, sum(retried) as retried,
      sum(first_attempt) as first_attempt, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      sum(cached_tokens) as cached_tokens, sum(cost_usd) as cost_usd, sum(unpriced_tasks) as unpriced_tasks
    from cell group by key order by cost_usd desc nulls last, tasks desc, key limit $5
  ), duration as (
    select key, jsonb_object_agg(bucket, n) as counts from (
      select c.key, s.key as bucket, sum(s.value::bigint) as n
      from cell c join g on g.key = c.key cross join lateral jsonb_each_text(c.seconds) s group by 1, 2) x
    group by key
  )
  select g.*, duration_percentile(d.counts, 0.5) as median, ${nameOf[dimension] ?? 'null'} as name
  from g left join duration d on d.key = g.key
  order by ${dimension === 'day' ? 'g.key' : 'g.cost_usd desc nulls last, g.tasks desc, g.key'}`;

/** $1: tenant, $2 and $3: from and to, $4: seconds of a step. */
const historyStatement = `
  with slot as materialized (
    select h.at, h.queued, h.running, h.completed, h.failed, h.cancelled, h.wait, h.run
    from queue_history h where h.tenant_id = $1 and h.at >= $2 and h.at < $3
    union all
    select s.at, 0, 0, s.completed, s.failed, s.cancelled, s.wait, s.run
    from ended_slots($1, unfolded_ends($1, ${maxUnfolded})) s where s.at >= $2 and s.at < $3
    union all
    -- The present belongs to the last step where the caller asked up to now, by a clock that may lag a little.
    select least(now(), $3::timestamptz - interval '1 ms'), p.queued, p.running, 0, 0, 0, '{}', '{}'
    from (select ${present}) p where now() >= $2 and now() < $3::timestamptz + interval '1 minute'
  ), stepped as materialized (
    select date_bin(make_interval(secs => $4), s.at, $2) as step, s.* from slot s
  ), counted as (
    select step, jsonb_object_agg(bucket, n) filter (where kind = 'wait') as wait,
      jsonb_object_agg(bucket, n) filter (where kind = 'run') as run
    from (
      select s.step, k.kind, c.key as bucket, sum(c.value::bigint) as n
      from stepped s cross join lateral (values ('wait', s.wait), ('run', s.run)) as k(kind, counts)
      cross join lateral jsonb_each_text(k.counts) c group by 1, 2, 3) x
    group by step
  )
  select s.step as at, max(s.queued) as queued, max(s.running) as running, sum(s.completed) as completed,
    sum(s.failed) as failed, sum(s.cancelled) as cancelled,
    duration_percentile(c.wait, 0.5) as wait50, duration_percentile(c.wait, 0.95) as wait95,
    duration_percentile(c.run, 0.5) as run50, duration_percentile(c.run, 0.95) as run95
  from stepped s left join counted c on c.step = s.step group by s.step, c.wait, c.run order by s.step`;

export function usageRows(scope: Scope): UsageRows {
  const drop = async (name: string, text: string, olderThanDays: number): Promise<number> => {
    const rows = await scope.query<{ n: string }>(
      name,
      `with gone as (delete from ${text} returning 1) select count(*) as n from gone`,
      [scope.tenantId, olderThanDays],
    );
    return Number(rows[0]?.n ?? 0);
  };
  return {
    async fold(limit) {
      const rows = await scope.query<{ seen: number }>('usage_fold', 'select fold_usage($1, $2) as seen', [
        scope.tenantId,
        limit,
      ]);
      return rows[0]?.seen ?? 0;
    },
    async sample() {
      await scope.query(
        'queue_sample',
        `insert into queue_history as h (tenant_id, at, queued, running)
         select $1, date_bin('5 minutes', now(), '2000-01-01 00:00:00+00'), p.queued, p.running
         from (select ${present}) p where p.queued > 0 or p.running > 0
         on conflict (tenant_id, at) do update set queued = greatest(h.queued, excluded.queued),
           running = greatest(h.running, excluded.running)`,
        [scope.tenantId],
      );
    },
    async groups(dimension, { first, last }, limit) {
      const rows = await scope.query<GroupRow>(`usage_by_${dimension}`, groupsStatement(dimension), [
        scope.tenantId,
        dimension,
        first,
        last,
        limit,
      ]);
      return rows.map(groupOf);
    },
    async history({ from, to, stepSeconds }) {
      const rows = await scope.query<PointRow>('queue_history', historyStatement, [
        scope.tenantId,
        from,
        to,
        stepSeconds,
      ]);
      return rows.map(pointOf);
    },
    dropOldDays: (days) =>
      drop(
        'usage_drop',
        `usage_days where tenant_id = $1 and day < (now() at time zone 'utc')::date - $2::integer`,
        days,
      ),
    dropOldHistory: (days) =>
      drop('history_drop', 'queue_history where tenant_id = $1 and at < now() - make_interval(days => $2)', days),
  };
}

function groupOf(row: GroupRow): UsageGroup {
  return {
    key: row.key === '' ? null : row.key,
    name: row.name,
    tasks: Number(row.tasks),
    completed: Number(row.completed),
    failed: Number(row.failed),
    retried: Number(row.retried),
    firstAttempt: Number(row.first_attempt),
    medianSeconds: row.median,
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cachedTokens: Number(row.cached_tokens),
    costUsd: row.cost_usd === null ? null : Number(row.cost_usd),
    unpricedTasks: Number(row.unpriced_tasks),
  };
}

function pointOf(row: PointRow): HistoryPoint {
  return {
    at: isoTime(row.at),
    queued: Number(row.queued),
    running: Number(row.running),
    ended: { completed: Number(row.completed), failed: Number(row.failed), cancelled: Number(row.cancelled) },
    wait: { p50: row.wait50, p95: row.wait95 },
    run: { p50: row.run50, p95: row.run95 },
  };
}
