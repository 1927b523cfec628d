-- Folds the tasks of a tenant that ended after its mark into usage_days and queue_history, and moves the mark, all in
-- the caller's transaction. Reads at most p_limit events of the log; returns how many.
-- The log is read in the order of transactions, below the oldest one that still runs: no later commit adds events behind
-- the mark (store/rows/tasks/log-rows.ts). The mark's row is locked, so two leaders fold one after the other, and the
-- statements after the lock see what the first one did. Only the last event of a task is final, so each task counts once.
-- The settings keep the planner, which knows nothing of the mark, to the index in the order of the log.
create or replace function fold_usage(p_tenant text, p_limit integer) returns integer language plpgsql
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  mark usage_marks;
  seen integer;
  ended uuid[];
begin
  insert into usage_marks (tenant_id) values (p_tenant) on conflict do nothing;
  select * into mark from usage_marks m where m.tenant_id = p_tenant for update;
  with page as materialized (
    select e.xid, e.task_id, e.seq, e.type = 'status' and e.data @> '{"final": true}' as is_end from task_events e
    where e.tenant_id = p_tenant and e.type in ('status', 'message')
      and (e.xid, e.task_id, e.seq) > (mark.xid, mark.task_id, mark.seq)
      and e.xid < pg_snapshot_xmin(pg_current_snapshot())
    order by e.xid, e.task_id, e.seq limit p_limit
  ), last as (
    select p.xid, p.task_id, p.seq from page p order by p.xid desc, p.task_id desc, p.seq desc limit 1
  )
  select (select count(*) from page), (select array_agg(p.task_id) from page p where p.is_end), l.xid, l.task_id, l.seq
  into seen, ended, mark.xid, mark.task_id, mark.seq from last l;
  if not found then return 0; end if;
  update usage_marks m set xid = mark.xid, task_id = mark.task_id, seq = mark.seq where m.tenant_id = p_tenant;
  if ended is null then return seen; end if;
  insert into usage_days as d (tenant_id, dimension, day, key, tasks, completed, failed, retried, first_attempt, seconds,
    input_tokens, output_tokens, cached_tokens, cost_usd, unpriced_tasks)
  select p_tenant, u.* from ended_usage(p_tenant, ended) u
  on conflict (tenant_id, dimension, day, key) do update set tasks = d.tasks + excluded.tasks,
    completed = d.completed + excluded.completed, failed = d.failed + excluded.failed,
    retried = d.retried + excluded.retried, first_attempt = d.first_attempt + excluded.first_attempt,
    seconds = add_counts(d.seconds, excluded.seconds), input_tokens = d.input_tokens + excluded.input_tokens,
    output_tokens = d.output_tokens + excluded.output_tokens, cached_tokens = d.cached_tokens + excluded.cached_tokens,
    cost_usd = coalesce(d.cost_usd + excluded.cost_usd, d.cost_usd, excluded.cost_usd),
    unpriced_tasks = d.unpriced_tasks + excluded.unpriced_tasks;
  insert into queue_history as h (tenant_id, at, completed, failed, cancelled, wait, run)
  select p_tenant, s.* from ended_slots(p_tenant, ended) s
  on conflict (tenant_id, at) do update set completed = h.completed + excluded.completed,
    failed = h.failed + excluded.failed, cancelled = h.cancelled + excluded.cancelled,
    wait = add_counts(h.wait, excluded.wait), run = add_counts(h.run, excluded.run);
  return seen;
end $$;
