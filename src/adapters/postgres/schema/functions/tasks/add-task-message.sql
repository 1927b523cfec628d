-- Adds a caller's message to a task. A needs_input task returns to pending with it; a pending or running task keeps its
-- status and has the message in its conversation. choices-2 and choices-6.
--
-- p_message: {message_id, parts, metadata?, question_id?, by?}. `by` is who wrote it. A task that asks another question than `question_id` keeps
-- it. Returns {verdict: resumed | added | full | terminal | question_changed | missing, status, seq, worker_id};
-- worker_id is the worker that runs the task now. `full`: with this message the task's messages would exceed
-- max_message_bytes(), twice the largest message. No claim could hand out twenty such tasks in time, and its worker
-- would get no other task either.
create or replace function add_task_message(p_tenant text, p_task uuid, p_message jsonb) returns jsonb
language plpgsql as $$
declare
  t tasks;
  resumes boolean;
begin
  select * into t from tasks where tenant_id = p_tenant and id = p_task for update;
  if not found then return jsonb_build_object('verdict', 'missing'); end if;
  if t.status in ('completed', 'failed', 'cancelled') then
    return jsonb_build_object('verdict', 'terminal', 'status', t.status, 'seq', t.last_seq);
  end if;
  -- The same sum as in queue-claim.sql. A shared function would not be inlined, and a claim would pay one call per task.
  if json_bytes(p_message) + coalesce((
    select json_bytes(message) from task_events where tenant_id = p_tenant and task_id = p_task and seq = 1
  ), 0) + (
    select coalesce(sum(json_bytes(parts) + json_bytes(metadata)), 0) from later_messages
    where tenant_id = p_tenant and task_id = p_task
  ) > max_message_bytes() then
    return jsonb_build_object('verdict', 'full', 'status', t.status);
  end if;
  resumes := t.status = 'needs_input';
  if resumes and p_message ? 'question_id' and p_message->>'question_id' is distinct from (
    select m.message_id from later_messages m where m.tenant_id = p_tenant and m.task_id = p_task and m.role = 'agent'
    order by m.n desc limit 1) then
    return jsonb_build_object('verdict', 'question_changed', 'status', t.status);
  end if;
  insert into later_messages (tenant_id, task_id, n, message_id, role, parts, metadata)
  select p_tenant, p_task, coalesce(max(n), 0) + 1, p_message->>'message_id', 'user', p_message->'parts',
    coalesce(p_message->'metadata', '{}')
  from task_messages where tenant_id = p_tenant and task_id = p_task;
  insert into task_events (tenant_id, task_id, seq, type, data)
  values (p_tenant, p_task, t.last_seq + 1, 'message', jsonb_build_object(
    'message_id', p_message->>'message_id', 'role', 'user', 'parts', p_message->'parts')
    || case when p_message->>'by' is null then '{}' else jsonb_build_object('by', p_message->>'by') end);
  if resumes then
    insert into task_events (tenant_id, task_id, seq, type, data)
    values (p_tenant, p_task, t.last_seq + 2, 'status', jsonb_build_object(
      'status', 'pending', 'final', false, 'run_id', t.run_id, 'reason', 'input_given'));
    perform ensure_route(t);
  end if;
  update tasks set last_seq = t.last_seq + case when resumes then 2 else 1 end, updated_at = now(), last_event_at = now(),
    status = case when resumes then 'pending' else t.status end,
    worker_id = case when resumes then null else t.worker_id end
  where tenant_id = p_tenant and id = p_task;
  return jsonb_build_object('verdict', case when resumes then 'resumed' else 'added' end,
    'status', case when resumes then 'pending' else t.status end,
    'seq', t.last_seq + case when resumes then 2 else 1 end,
    'worker_id', case when t.status = 'running' then t.worker_id end);
end $$;
