-- Takes a batch of new tasks of one tenant: task, first event, route, first message, idempotency key.
--
-- p_rows: array of {id, run_id, title, prompt, …, route_id, idempotency?: {subject, operation, key, body_hash}}.
-- Answers one {id, verdict, created_at | task_id} for each row; verdict is
--   created | replayed (task_id is the earlier task) | key_reused | no_such_codebase | no_such_worker.
-- Set-based: four inserts for a batch of any size. A statement per row measured 5–12 times the cost.
-- `on conflict do nothing` on the key waits for a concurrent equal request, so that the second one replays the first.
-- A route's used_at moves at most once an hour. A route used within the hour is safe from housekeeping, which takes
-- those unused for a day: it is not touched, for a lock on it would make every commit wait for the one before. An
-- older one is moved, and the row lock of that keeps housekeeping from dropping what this very batch relies on.
create or replace function queue_submit(p_tenant text, p_rows jsonb, p_key_age interval) returns jsonb
language plpgsql as $$
declare
  answer jsonb;
  has_keys boolean := jsonb_path_exists(p_rows, '$[*].idempotency.key');
begin
  if has_keys then
    delete from idempotency_keys k using jsonb_to_recordset(p_rows) as r(idempotency jsonb)
    where k.tenant_id = p_tenant and k.subject = r.idempotency->>'subject'
      and k.operation = r.idempotency->>'operation' and k.key = r.idempotency->>'key'
      and k.created_at < now() - p_key_age;
  end if;

  with input as materialized (
    select r.*, case
      when r.codebase_id is not null and r.codebase_id not in ('global', '__pending__')
        and not exists (select from workspaces w where w.tenant_id = p_tenant and w.codebase_id = r.codebase_id)
        then 'no_such_codebase'
      when r.target_worker_id is not null
        and not exists (select from workers w where w.tenant_id = p_tenant and w.worker_id = r.target_worker_id)
        then 'no_such_worker'
    end as refusal
    from jsonb_to_recordset(p_rows) as r(
      id uuid, run_id uuid, title text, prompt text, priority smallint, route_id text, max_attempts integer,
      deadline_at timestamptz, agent_type text, model text, codebase_id text, target_agent text,
      target_worker_id uuid, required_capabilities text[], conversation_id text, created_by text,
      webhook_url text, retry_of uuid, metadata jsonb, message jsonb, idempotency jsonb)
  ), keys as (
    insert into idempotency_keys (tenant_id, subject, operation, key, body_hash, task_id)
    select p_tenant, idempotency->>'subject', idempotency->>'operation', idempotency->>'key',
      idempotency->>'body_hash', id
    from input where refusal is null and idempotency is not null
    order by 2, 3, 4
    on conflict do nothing
    returning task_id
  ), fresh as (
    select * from input
    where refusal is null and (idempotency is null or id in (select task_id from keys))
  ), route as (
    insert into routes (tenant_id, route_id, codebase_id, required_capabilities, target_agent, target_worker_id)
    select distinct on (route_id) p_tenant, route_id, codebase_id, required_capabilities, target_agent, target_worker_id
    from fresh f
    where not exists (select from routes r where r.tenant_id = p_tenant and r.route_id = f.route_id
      and r.used_at > now() - interval '1 hour')
    order by route_id
    on conflict (tenant_id, route_id) do update set used_at = now() where routes.used_at < now() - interval '1 hour'
  ), task as (
    insert into tasks (tenant_id, id, run_id, title, prompt, priority, route_id, max_attempts, deadline_at, agent_type,
      model, codebase_id, target_agent, target_worker_id, required_capabilities, conversation_id, created_by,
      webhook_url, retry_of, metadata)
    select p_tenant, id, run_id, title, prompt, priority, route_id, max_attempts, deadline_at, agent_type,
      model, codebase_id, target_agent, target_worker_id, required_capabilities, conversation_id, created_by,
      webhook_url, retry_of, metadata
    from fresh
  ), event as (
    insert into task_events (tenant_id, task_id, seq, type, data)
    select p_tenant, id, 1, 'status', jsonb_build_object('status', 'pending', 'final', false, 'run_id', run_id)
    from fresh
  ), message as (
    insert into task_messages (tenant_id, task_id, n, message_id, role, parts, metadata)
    select p_tenant, id, 1, message->>'message_id', 'user', message->'parts', coalesce(message->'metadata', '{}')
    from fresh where message is not null
  )
  select jsonb_agg(jsonb_build_object('id', i.id, 'created_at', now(),
    'verdict', coalesce(i.refusal, case when f.id is null then 'known_key' else 'created' end)))
  into answer
  from input i left join fresh f on f.id = i.id;

  if has_keys then
    -- A statement of its own: it sees what a concurrent request, waited for above, has committed.
    select jsonb_agg(case when a.verdict <> 'known_key' then to_jsonb(a) else jsonb_build_object(
        'id', a.id, 'task_id', k.task_id,
        'verdict', case when k.body_hash = r.idempotency->>'body_hash' then 'replayed' else 'key_reused' end) end)
    into answer
    from jsonb_to_recordset(answer) as a(id uuid, created_at timestamptz, verdict text)
    join jsonb_to_recordset(p_rows) as r(id uuid, idempotency jsonb) on r.id = a.id
    left join idempotency_keys k on a.verdict = 'known_key' and k.tenant_id = p_tenant
      and k.subject = r.idempotency->>'subject' and k.operation = r.idempotency->>'operation'
      and k.key = r.idempotency->>'key';
  end if;
  return answer;
end $$;
