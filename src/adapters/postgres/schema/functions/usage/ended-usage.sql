-- The rows of usage_days that these ended tasks make: one for each day, dimension and key.
-- A task is unpriced when it has usage without a cost, or is completed without any usage: an unknown cost is never 0.
-- Tasks are read by primary key, one by one.
create or replace function ended_usage(p_tenant text, p_tasks uuid[]) returns table (
  dimension text, day date, key text, tasks bigint, completed bigint, failed bigint, retried bigint, first_attempt bigint,
  seconds jsonb, input_tokens bigint, output_tokens bigint, cached_tokens bigint, cost_usd numeric, unpriced_tasks bigint
) language sql stable as $$
  with ended as materialized (
    select t.* from unnest(p_tasks) as x(id) cross join lateral (
      select t.status, t.attempt, t.retry_of, t.usage, (t.completed_at at time zone 'utc')::date as day,
        duration_bucket(extract(epoch from t.completed_at - t.started_at)::double precision) as bucket,
        t.model, t.target_agent, t.agent_type, t.codebase_id, t.created_by, t.worker_id, t.step_run_id
      from tasks t where t.tenant_id = p_tenant and t.id = x.id offset 0) t
  ), cell as (
    select k.dimension, e.day, coalesce(k.key, '') as key, e.bucket, count(*) as tasks,
      count(*) filter (where e.status = 'completed') as completed,
      count(*) filter (where e.status = 'failed') as failed,
      count(e.retry_of) as retried,
      count(*) filter (where e.status = 'completed' and e.attempt <= 1) as first_attempt,
      sum((e.usage->>'input_tokens')::bigint) as input_tokens,
      sum((e.usage->>'output_tokens')::bigint) as output_tokens,
      sum((e.usage->>'cached_tokens')::bigint) as cached_tokens,
      sum((e.usage->>'cost_usd')::numeric) as cost_usd,
      count(*) filter (where e.usage->>'cost_usd' is null and (e.usage is not null or e.status = 'completed')) as unpriced
    from ended e cross join lateral (values
      ('day', null), ('model', e.model), ('agent', e.target_agent), ('agent_type', e.agent_type),
      ('codebase', e.codebase_id), ('created_by', e.created_by), ('worker', e.worker_id::text),
      ('ralph_run', e.step_run_id::text)) as k(dimension, key)
    group by k.dimension, e.day, 3, e.bucket
  )
  select c.dimension, c.day, c.key, sum(c.tasks)::bigint, sum(c.completed)::bigint, sum(c.failed)::bigint,
    sum(c.retried)::bigint, sum(c.first_attempt)::bigint,
    coalesce(jsonb_object_agg(c.bucket, c.tasks) filter (where c.bucket is not null), '{}'),
    coalesce(sum(c.input_tokens), 0)::bigint, coalesce(sum(c.output_tokens), 0)::bigint,
    coalesce(sum(c.cached_tokens), 0)::bigint, sum(c.cost_usd), sum(c.unpriced)::bigint
  from cell c group by c.dimension, c.day, c.key
$$;
