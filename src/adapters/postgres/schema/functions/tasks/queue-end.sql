-- Ends a task from outside its attempt: cancelled by a caller, or failed because its deadline passed.
--
-- Returns {verdict: ended | terminal | missing, status, seq, worker_id}. worker_id is the worker to notify, so that it
-- kills its agent; null when no attempt runs. The lease token stays: late artifacts and the worker's heartbeat name it.
create or replace function queue_end(
  p_tenant text, p_task uuid, p_status text, p_error jsonb, p_reason text
) returns jsonb language plpgsql as $$
declare t tasks;
begin
  select * into t from tasks where tenant_id = p_tenant and id = p_task for update;
  if not found then return jsonb_build_object('verdict', 'missing'); end if;
  if t.status in ('completed', 'failed', 'cancelled') then
    return jsonb_build_object('verdict', 'terminal', 'status', t.status, 'seq', t.last_seq);
  end if;
  update tasks set status = p_status, error = p_error, completed_at = clock_timestamp(), updated_at = now(),
    last_event_at = now(), lease_expires_at = null, paused_at = null, last_seq = t.last_seq + 1
  where tenant_id = p_tenant and id = p_task;
  if t.status = 'running' then
    update task_runs set status = p_status, ended_at = now(), error = p_error
    where tenant_id = p_tenant and task_id = p_task and epoch = t.epoch;
  end if;
  insert into task_events (tenant_id, task_id, seq, type, data)
  values (p_tenant, p_task, t.last_seq + 1, 'status', jsonb_strip_nulls(jsonb_build_object(
    'status', p_status, 'final', true, 'run_id', t.run_id, 'error', p_error, 'reason', p_reason)));
  return jsonb_build_object('verdict', 'ended', 'status', p_status, 'seq', t.last_seq + 1,
    'worker_id', case when t.status = 'running' then t.worker_id end);
end $$;
