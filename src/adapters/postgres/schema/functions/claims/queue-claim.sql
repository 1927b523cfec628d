-- Claims up to p_limit pending tasks for a worker under fresh leases: highest priority first, then oldest.
--
-- p_task names one task (a claim after a hint); null: any route that the worker may serve. Each claim raises epoch and
-- attempt and inserts a task_runs row. Returns the text of a JSON array of {task, codebase, messages, interventions,
-- checkpoint, lease_token, lease_expires_at}; `codebase` is where this worker has the task's codebase. Returns 'null'
-- when the worker is not registered, or is not p_subject's.
-- The worker's row is share-locked, so that an unregister waits for running claims and gives back their tasks.
-- Two steps, heads then lock: locking while reading the heads would lock p_limit rows of every route. The heads include
-- some to spare, because another replica's claim may hold the first ones (skip locked). The lock goes by primary key:
-- `status || ''` keeps the planner from the index of pending rows, which it would read completely.
-- A claim returns at most max_message_bytes() of messages, or one task; the next claim returns the others. A result of
-- hundreds of MiB would time out at each repetition.
-- `row_to_json`: to_jsonb measured three times its cost.
create or replace function queue_claim(
  p_tenant text, p_worker uuid, p_subject text, p_limit integer, p_task uuid, p_lease interval
) returns text language plpgsql as $$
declare
  taken uuid[];
  answer text;
begin
  perform from workers w where w.tenant_id = p_tenant and w.worker_id = p_worker
    and w.unregistered_at is null and (p_subject is null or w.subject = p_subject)
  for key share skip locked;
  if not found then return 'null'; end if;
  with heads as materialized (
    select h.id from worker_routes(p_tenant, p_worker) as o(route_id)
    cross join lateral (
      select t.id, t.priority from tasks t
      where t.tenant_id = p_tenant and t.route_id = o.route_id and t.status = 'pending'
        and (p_task is null or t.id = p_task)
        and (t.deadline_at is null or t.deadline_at > now())
        and (not t.held_back or not exists (
          select from task_holds x where x.tenant_id = p_tenant and x.task_id = t.id
            and x.worker_id = p_worker and x.held_until > now()))
      order by t.priority desc, t.id limit p_limit + 16
    ) h
    order by h.priority desc, h.id limit p_limit + 16
  )
  select array_agg(id) into taken from (
    select l.id from heads h cross join lateral (
      select t.id from tasks t
      where t.tenant_id = p_tenant and t.id = h.id and t.status || '' = 'pending'
      for update skip locked
    ) l limit p_limit
  ) locked;
  if taken is null then return '[]'; end if;
  if cardinality(taken) > 1 then
    select array_agg(w.id) into taken from (
      select u.id, u.place, sum(
        coalesce((select json_bytes(e.message) from task_events e
          where e.tenant_id = p_tenant and e.task_id = u.id and e.seq = 1), 0)
        + (select coalesce(sum(json_bytes(m.parts) + json_bytes(m.metadata)), 0) from later_messages m
          where m.tenant_id = p_tenant and m.task_id = u.id)
      ) over (order by u.place) as bytes
      from unnest(taken) with ordinality as u(id, place)
    ) w where w.place = 1 or w.bytes <= max_message_bytes();
  end if;

  with claimed as (
    update tasks t set status = 'running', epoch = t.epoch + 1, attempt = t.attempt + 1, worker_id = p_worker,
      lease_token = gen_random_uuid(), lease_expires_at = clock_timestamp() + p_lease, lease_seen = false, last_event_n = 0,
      started_at = coalesce(t.started_at, now()), updated_at = now(), last_event_at = now(), last_seq = t.last_seq + 1
    where t.tenant_id = p_tenant and t.id = any (taken)
    returning t.*
  ), run as (
    insert into task_runs (tenant_id, task_id, epoch, run_id, worker_id, lease_token, attempt, first_seq)
    select p_tenant, id, epoch, run_id, p_worker, lease_token, attempt, last_seq from claimed
  ), event as (
    insert into task_events (tenant_id, task_id, seq, type, data)
    select p_tenant, id, last_seq, 'status', jsonb_build_object('status', 'running', 'final', false,
      'run_id', run_id, 'worker_id', p_worker, 'attempt', attempt)
    from claimed
  )
  select json_agg(json_build_object('task', row_to_json(c), 'lease_token', c.lease_token,
      'lease_expires_at', c.lease_expires_at, 'codebase', assigned_codebase(p_tenant, p_worker, c.codebase_id),
      'interventions', case when c.has_interventions then interventions_send(p_tenant, p_worker, array[c.id]) end,
      'checkpoint', case when c.checkpoint_seq is not null then (
        select json_build_object('data', e.data->'data', 'at', e.at) from task_events e
        where e.tenant_id = p_tenant and e.task_id = c.id and e.seq = c.checkpoint_seq) end,
      'messages', coalesce((select json_agg(m order by m.n) from task_messages m
                            where m.tenant_id = p_tenant and m.task_id = c.id), '[]'))
    order by c.priority desc, c.id)
  into answer from claimed c;
  return answer;
end $$;
