-- Ends an attempt without ending its task: the task returns to pending, or moves to needs_input. One task, whose row is
-- locked here.
--
-- p_why: 'released' (the worker gave the task back), 'declined' (a registration by path: the worker does not serve that
-- path), 'refused' (the worker does not serve the task's codebase), 'unregistered' (the worker left), 'lost' (the lease
-- expired), 'asked' (needs_input). p_question: {message_id, parts, question?}, `question` as in later_messages.
-- A lost lease counts the attempt. The other reasons, and a lease that the worker never named, give the attempt back;
-- the epoch never goes back. choices-2. Returns {verdict: requeued | failed | asked | repeated | lease_lost, seq,
-- status}.
-- p_subject is the required owner of the lease's worker; null: anyone who has the token may act.
-- p_token is null when the reaper or an unregister found the row itself: then the row's epoch must still be p_epoch.
-- A declined registration fails when no worker is left to try: each active worker (last heartbeat within
-- p_offline_after) gets it once (choices-3).
-- p_digest covers the complete release. It is kept with the attempt, so that an equal release is recognised as a
-- repeat.
-- p_sentences: {released_too_often, path_not_found, attempts_exhausted}: the error messages of a failed task, by code.
create or replace function queue_requeue(
  p_tenant text, p_task uuid, p_token uuid, p_subject text, p_epoch bigint, p_why text, p_question jsonb, p_error jsonb,
  p_offline_after interval, p_digest text,
  p_sentences jsonb
) returns jsonb language plpgsql as $$
declare
  t tasks;
  give_back boolean;
  next_status text := 'pending';
  failure jsonb;
  event jsonb;
begin
  select * into t from tasks where tenant_id = p_tenant and id = p_task and status = 'running'
    and (case when p_token is null then epoch = p_epoch else lease_token = p_token end)
    and (p_subject is null or p_subject = (
      select w.subject from workers w where w.tenant_id = p_tenant and w.worker_id = tasks.worker_id))
    and (p_why <> 'lost' or lease_expires_at <= clock_timestamp())
  for update;
  if not found then
    -- An equal release under the same lease, repeated because its response was lost, returns the first result again.
    select jsonb_build_object('verdict', 'repeated', 'status', e.data->>'status', 'seq', e.seq)
    into event
    from task_runs r join task_events e on e.tenant_id = p_tenant and e.task_id = p_task and e.type = 'status'
      and e.data->>'run_id' = r.run_id::text and e.data ? 'worker_id' and e.data->>'status' <> 'running'
    where r.tenant_id = p_tenant and r.task_id = p_task and r.lease_token = p_token
      and r.status = case p_why when 'asked' then 'needs_input' else 'released' end
      and r.release_digest = p_digest
      and (p_subject is null or p_subject = (
        select w.subject from workers w where w.tenant_id = p_tenant and w.worker_id = r.worker_id));
    return coalesce(event, jsonb_build_object('verdict', 'lease_lost'));
  end if;

  give_back := p_why <> 'lost' or not t.lease_seen;
  if p_why = 'asked' then
    next_status := 'needs_input';
  elsif p_why in ('released', 'refused') and t.releases + 1 >= max_releases() then
    failure := jsonb_build_object('code', 'released_too_often', 'message', p_sentences->>'released_too_often');
  elsif p_why = 'declined' and not exists (
    select from workers w where w.tenant_id = p_tenant and w.worker_id <> t.worker_id and w.unregistered_at is null
      and w.last_heartbeat_at > clock_timestamp() - p_offline_after
      and not exists (select from task_holds x where x.tenant_id = p_tenant and x.task_id = p_task
        and x.worker_id = w.worker_id and x.held_until = 'infinity')) then
    failure := jsonb_build_object('code', 'path_not_found',
      'message', concat_ws(' ', p_sentences->>'path_not_found',
        case p_error->>'code' when 'path_not_allowed' then p_error->>'message' else (
          select r.error->>'message' from task_runs r where r.tenant_id = p_tenant and r.task_id = p_task
            and r.error->>'code' = 'path_not_allowed' limit 1) end));
  elsif p_why = 'lost' and not give_back and t.attempt >= t.max_attempts then
    failure := jsonb_build_object('code', 'attempts_exhausted', 'message',
      format(p_sentences->>'attempts_exhausted', t.attempt, t.max_attempts));
  end if;
  if failure is not null then next_status := 'failed'; end if;
  if next_status = 'pending' then perform ensure_route(t); end if;

  update task_runs set ended_at = now(), counted = not give_back, error = coalesce(p_error, failure),
    release_digest = p_digest,
    status = case p_why when 'lost' then 'lost' when 'asked' then 'needs_input' else 'released' end
  where tenant_id = p_tenant and task_id = p_task and epoch = t.epoch;

  if p_why in ('released', 'declined', 'refused') then
    insert into task_holds (tenant_id, task_id, worker_id, held_until)
    values (p_tenant, p_task, t.worker_id,
      case p_why when 'released' then clock_timestamp() + release_hold() else 'infinity'::timestamptz end)
    on conflict (tenant_id, task_id, worker_id) do update
      set held_until = greatest(task_holds.held_until, excluded.held_until);
  end if;
  if p_question is not null then
    insert into later_messages (tenant_id, task_id, n, message_id, role, parts, question)
    select p_tenant, p_task, coalesce(max(n), 0) + 1, p_question->>'message_id', 'agent', p_question->'parts',
      p_question->'question'
    from task_messages where tenant_id = p_tenant and task_id = p_task;
  end if;

  event := jsonb_strip_nulls(jsonb_build_object('status', next_status, 'final', next_status = 'failed',
    'run_id', t.run_id, 'worker_id', t.worker_id, 'attempt', t.attempt, 'error', coalesce(failure, p_error),
    'reason', case p_why when 'lost' then 'lease_lost' when 'asked' then null else p_why end,
    'question', p_question->'parts'->0->>'text', 'question_id', p_question->>'message_id'));
  insert into task_events (tenant_id, task_id, seq, type, data)
  values (p_tenant, p_task, t.last_seq + 1, 'status', event);

  update tasks set status = next_status, last_seq = t.last_seq + 1, updated_at = now(), last_event_at = now(),
    lease_expires_at = null, paused_at = null,
    attempt = case when give_back then t.attempt - 1 else t.attempt end,
    releases = t.releases + case when p_why in ('released', 'refused') then 1 else 0 end,
    held_back = t.held_back or p_why in ('released', 'declined', 'refused'),
    error = coalesce(failure, error),
    completed_at = case when next_status = 'failed' then now() end,
    lease_token = null,
    worker_id = case when next_status = 'pending' then null else worker_id end,
    run_id = case when next_status = 'failed' then run_id else make_uuid7() end
  where tenant_id = p_tenant and id = p_task;

  return jsonb_build_object('status', next_status, 'seq', t.last_seq + 1,
    'verdict', case next_status when 'failed' then 'failed' when 'needs_input' then 'asked' else 'requeued' end);
end $$;
