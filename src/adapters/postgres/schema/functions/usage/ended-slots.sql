-- The rows of queue_history that these ended tasks make: what ended in each five minutes, how long it waited and ran.
create or replace function ended_slots(p_tenant text, p_tasks uuid[]) returns table (
  at timestamptz, completed bigint, failed bigint, cancelled bigint, wait jsonb, run jsonb
) language sql stable as $$
  with ended as materialized (
    select t.* from unnest(p_tasks) as x(id) cross join lateral (
      select date_bin('5 minutes', t.completed_at, '2000-01-01 00:00:00+00') as at, t.status,
        duration_bucket(extract(epoch from t.started_at - t.created_at)::double precision) as waited,
        duration_bucket(extract(epoch from t.completed_at - t.started_at)::double precision) as ran
      from tasks t where t.tenant_id = p_tenant and t.id = x.id offset 0) t
  )
  select s.at, s.completed, s.failed, s.cancelled,
    coalesce((select jsonb_object_agg(bucket, n) from (
      select e.waited as bucket, count(*) as n from ended e where e.at = s.at and e.waited is not null group by 1) w), '{}'),
    coalesce((select jsonb_object_agg(bucket, n) from (
      select e.ran as bucket, count(*) as n from ended e where e.at = s.at and e.ran is not null group by 1) r), '{}')
  from (
    select e.at, count(*) filter (where e.status = 'completed') as completed,
      count(*) filter (where e.status = 'failed') as failed, count(*) filter (where e.status = 'cancelled') as cancelled
    from ended e group by e.at) s
$$;
