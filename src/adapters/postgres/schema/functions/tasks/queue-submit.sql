-- Inserts a batch of new tasks of one tenant: task, first event with the first message, route, push config, idempotency
-- key.
--
-- p_routes: the distinct routes of the batch (queue-route.sql).
-- p_rows: array of {id, run_id, title, prompt, …, route_id, idempotency?: {operation, key, body_hash}}. Nulls and
-- defaults are left out, and so is a title that equals the prompt. Returns the text of {at, others}: all tasks were
-- created at `at`, except those in `others`, by id: {verdict, task_id?}, verdict: no_such_codebase | no_such_worker |
-- replayed (task_id is the earlier task) | key_reused.
-- The braces stand for lists made from codec/task-columns.ts when the function is installed.
-- Set-based: two inserts for a batch of any size. One statement per row measured 5–12 times the cost.
create or replace function queue_submit(p_tenant text, p_routes jsonb, p_rows jsonb, p_key_age interval) returns text
language plpgsql as $$
declare
  others jsonb := '{}';
  refusal text;
begin
  for i in 0 .. jsonb_array_length(p_routes) - 1 loop
    refusal := queue_route(p_tenant, p_routes->i);
    if refusal is not null then
      select others || jsonb_object_agg(id, jsonb_build_object('verdict', refusal)) into others
      from jsonb_to_recordset(p_rows) as r(id text, route_id text) where route_id = p_routes->i->>'route_id';
    end if;
  end loop;
  if p_rows @? '$[*].idempotency' then others := claim_idempotency_keys(p_tenant, p_rows, others, p_key_age); end if;

  with given as (
    select * from jsonb_to_recordset(p_rows) as r({submit_members})
    where others = '{}' or not others ? id::text
  ), task as (
    insert into tasks (tenant_id, {submit_columns})
    select p_tenant, {submit_values} from given
  )
  insert into task_events (tenant_id, task_id, seq, type, data, message)
  select p_tenant, id, 1, 'status', jsonb_build_object('status', 'pending', 'final', false, 'run_id', run_id), message
  from given;

  if p_rows @? '$[*].push' then
    insert into push_configs (tenant_id, task_id, config_id, url, token, scheme, credentials, wire, created_by)
    select p_tenant, id, push->>'config_id', push->>'url', push->>'token', push->>'scheme', push->>'credentials',
      push->>'wire', created_by
    from jsonb_to_recordset(p_rows) as r(id uuid, push jsonb, created_by text)
    where push is not null and not others ? id::text;
  end if;
  return json_build_object('at', now(), 'others', others);
end $$;
