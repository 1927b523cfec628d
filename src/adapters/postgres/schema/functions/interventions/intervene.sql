-- Records an intervention of a person, under the task's row lock, so that it is ordered before or after the end of an
-- attempt.
--
-- p_most: open interventions that one task may have. A message is accepted until the task ends; pause and resume need a
-- running attempt; a cancel of a task without a running attempt is applied at once, because no worker must be notified.
-- Returns {verdict: queued | missing | terminal | idle | full, status (the task's), worker_id (who runs it)}.
create or replace function intervene(
  p_tenant text, p_task uuid, p_id uuid, p_action text, p_message text, p_message_id text, p_by text, p_most integer
) returns jsonb language plpgsql as $$
declare t tasks;
begin
  select * into t from tasks where tenant_id = p_tenant and id = p_task for update;
  if not found then return jsonb_build_object('verdict', 'missing'); end if;
  if t.status in ('completed', 'failed', 'cancelled') then
    return jsonb_build_object('verdict', 'terminal', 'status', t.status);
  end if;
  if p_action in ('pause', 'resume') and t.status <> 'running' then
    return jsonb_build_object('verdict', 'idle', 'status', t.status);
  end if;
  -- A cancel passes the limit, because it ends the other interventions.
  if p_action <> 'cancel' and (select count(*) from interventions i where i.tenant_id = p_tenant and i.task_id = p_task
    and i.status in ('queued', 'sent')) >= p_most then
    return jsonb_build_object('verdict', 'full', 'status', t.status);
  end if;
  insert into interventions (tenant_id, intervention_id, task_id, action, message, message_id, created_by, status, settled_at)
  select p_tenant, p_id, p_task, p_action, p_message, p_message_id, p_by,
    case when needs_worker then 'queued' else 'applied' end, case when not needs_worker then clock_timestamp() end
  from (select p_action <> 'cancel' or t.status = 'running' as needs_worker) x;
  if not t.has_interventions then
    update tasks set has_interventions = true where tenant_id = p_tenant and id = p_task;
  end if;
  return jsonb_build_object('verdict', 'queued', 'status', t.status,
    'worker_id', case when t.status = 'running' then t.worker_id end);
end $$;
