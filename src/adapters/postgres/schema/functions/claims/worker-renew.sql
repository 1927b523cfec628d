-- One heartbeat of one worker: renews every lease that it names, and returns the leases that are gone. A worker that
-- names no lease calls it only when another transaction held the worker's row (heartbeat-batch.sql).
--
-- p_running: array of {task_id, lease_token}. An expired lease cannot be renewed, but it counts as named, so its
-- attempt stays used (choices-2). Tasks are locked in id order. The function sets the tenant itself, to need one round
-- trip.
-- Returns {known, renewed: [{task_id, lease_expires_at}], lost: [id], cancel: [id], interventions, tasks_waiting}.
-- `known` is false, and nothing was renewed, when the worker is not registered (any more) or is not p_subject's.
-- `interventions` are those of the named tasks that the worker has not confirmed yet (interventions-send.sql); they are
-- read only where a task has any.
-- p_intent: the audit intent of this call, with its JSON p_entries, for the chain p_chain; null: none.
-- p_check_waiting: whether to look for tasks that the worker could claim (`tasks_waiting`).
create or replace function worker_renew(
  p_tenant text, p_worker uuid, p_subject text, p_running jsonb, p_lease interval, p_intent uuid, p_chain text,
  p_entries text, p_check_waiting boolean
) returns jsonb
language plpgsql as $$
declare
  renewed jsonb;
  renewed_ids uuid[];
  gone jsonb;
  intervened_ids uuid[];
  cancelled uuid[];
begin
  perform set_config('app.current_tenant_id', p_tenant, true);
  if not exists (select from workers w where w.tenant_id = p_tenant and w.worker_id = p_worker
    and w.unregistered_at is null and (p_subject is null or w.subject = p_subject)) then
    return '{"known": false, "renewed": [], "lost": [], "cancel": [], "interventions": [], "tasks_waiting": false}';
  end if;

  with input as materialized (
    select * from jsonb_to_recordset(p_running) as r(task_id uuid, lease_token uuid)
  ), held as materialized (
    select t.id, t.lease_expires_at > clock_timestamp() as live, t.has_interventions
    from input i join tasks t on t.tenant_id = p_tenant and t.id = i.task_id
      and t.lease_token = i.lease_token and t.status = 'running' and t.worker_id = p_worker
    order by t.id for update of t
  ), named as (
    update tasks t set lease_seen = true,
      lease_expires_at = case when h.live then clock_timestamp() + p_lease else t.lease_expires_at end
    from held h where t.tenant_id = p_tenant and t.id = h.id
    returning t.id, t.lease_expires_at, h.live, h.has_interventions
  )
  select coalesce(jsonb_agg(jsonb_build_object('task_id', id, 'lease_expires_at', lease_expires_at)), '[]'),
    coalesce(array_agg(id), '{}'), coalesce(array_agg(id) filter (where has_interventions), '{}')
  into renewed, renewed_ids, intervened_ids from named where live;

  select jsonb_build_object(
    'cancel', coalesce(jsonb_agg(i.task_id) filter (where t.status = 'cancelled'), '[]'),
    'lost', coalesce(jsonb_agg(i.task_id) filter (where t.status is distinct from 'cancelled'), '[]')),
    coalesce(array_agg(i.task_id) filter (where t.status = 'cancelled' and t.has_interventions), '{}')
  into gone, cancelled
  from jsonb_to_recordset(p_running) as i(task_id uuid, lease_token uuid)
  left join tasks t on t.tenant_id = p_tenant and t.id = i.task_id and t.lease_token = i.lease_token
  where not i.task_id = any (renewed_ids);

  update workers set last_heartbeat_at = clock_timestamp()
  where tenant_id = p_tenant and worker_id = p_worker and unregistered_at is null;
  gone := jsonb_build_object('known', found, 'renewed', renewed, 'interventions', case
    when intervened_ids = '{}' and cancelled = '{}' then '[]'
    else interventions_send(p_tenant, p_worker, intervened_ids || cancelled) end,
    'tasks_waiting', p_check_waiting and tasks_waiting(p_tenant, p_worker)) || gone;
  if p_intent is not null then
    insert into audit_intents (tenant_id, id, replica_id, entries) values (p_tenant, p_intent, p_chain, p_entries)
    on conflict do nothing;
  end if;
  return gone;
end $$;
