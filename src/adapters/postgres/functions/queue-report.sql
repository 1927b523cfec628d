-- Appends what workers report under their leases to the tasks' logs, for a batch of reports of one tenant.
--
-- p_rows: array of {task_id, lease_token, events: [{n, type, data, size?}]}, each task once, n ascending in a report.
-- Events whose n is known already are dropped, so a repeated post is harmless. Artifacts are indexed as they come.
-- For 10 s after a cancel the killed run's artifacts are still taken (choices §2).
-- Answers one {task_id, verdict: taken | lease_lost, seq, cancel_requested} for each row.
create or replace function queue_report(p_tenant text, p_rows jsonb) returns jsonb
language plpgsql as $$
declare answer jsonb;
begin
  with input as materialized (
    select * from jsonb_to_recordset(p_rows) as r(task_id uuid, lease_token uuid, events jsonb)
  ), held as materialized (
    select t.id, t.last_seq, t.lease_n, t.status, i.events
    from input i join tasks t on t.tenant_id = p_tenant and t.id = i.task_id and t.lease_token = i.lease_token
    where t.status = 'running' or (t.status = 'cancelled' and t.completed_at > clock_timestamp() - interval '10 s')
    order by t.id for update of t
  ), fresh as materialized (
    select h.id, e.n, e.type, e.data, e.size, h.last_seq + row_number() over (partition by h.id order by e.n) as seq
    from held h cross join lateral jsonb_to_recordset(h.events) as e(n bigint, type text, data jsonb, size bigint)
    where e.n > h.lease_n and (h.status = 'running' or e.type = 'artifact')
  ), moved as (
    update tasks t set last_seq = f.seq, lease_n = f.n, lease_seen = true, updated_at = now()
    from (select id, max(seq) as seq, max(n) as n from fresh group by id) f
    where t.tenant_id = p_tenant and t.id = f.id
  ), event as (
    insert into task_events (tenant_id, task_id, seq, type, data)
    select p_tenant, id, seq, type, data from fresh
  ), artifact as (
    select index_artifacts(p_tenant, id, jsonb_agg(jsonb_build_object('seq', seq, 'size', size,
      'artifact_id', data->>'artifact_id', 'name', data->>'name', 'mime_type', data->>'mime_type',
      'append', coalesce((data->>'append')::boolean, false)) order by seq))
    from fresh where type = 'artifact' group by id
  )
  select jsonb_agg(jsonb_build_object('task_id', i.task_id,
      'verdict', case when h.id is null then 'lease_lost' else 'taken' end,
      'seq', coalesce((select max(f.seq) from fresh f where f.id = h.id), h.last_seq),
      'cancel_requested', coalesce(h.status = 'cancelled', false)))
  into answer
  from input i left join held h on h.id = i.task_id
  where (select count(*) from artifact) >= 0;
  return answer;
end $$;
