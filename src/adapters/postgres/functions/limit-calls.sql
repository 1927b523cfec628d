-- Counts calls of credentials in fixed windows on database time, a batch of credentials of any tenants at once.
--
-- p_items: array of {tenant, credential, calls, keep, started?, used?}. `calls` are asked for now; `started` and `used`
-- are what the replica counted itself of the window that began then (milliseconds since 1970); `keep`: the replica
-- wants to count the window in its memory from here on. Answers an array in the same order:
-- {started, ends_in, used, granted, kept}, or {elsewhere: true} when another replica that is alive counts this window:
-- it is asked to hand it over. Null: what it told of is over.
--
-- Who holds a window keeps a session lock on its own number (window-ledger.ts): one whose session is gone does not
-- count any more, and its windows go on with what it told last. Rows are locked in one order: no deadlocks.
create or replace function limit_calls(p_holder bigint, p_limit integer, p_window interval, p_items jsonb) returns jsonb
language plpgsql as $$
declare
  item record;
  w record;
  answers jsonb := '{}';
  fresh boolean;
  granted integer;
  moment timestamptz;
begin
  for item in
    select i, x->>'tenant' as tenant, x->>'credential' as credential, (x->>'calls')::integer as calls,
      (x->>'keep')::boolean as keep, coalesce((x->>'used')::integer, 0) as used,
      to_timestamp((x->>'started')::float8 / 1000) as started
    from jsonb_array_elements(p_items) with ordinality as e(x, i)
    order by x->>'tenant' collate "C", x->>'credential' collate "C"
  loop
    perform set_config('app.current_tenant_id', item.tenant, true);
    select started_at, used, holder into w from call_windows
      where tenant_id = item.tenant and credential_id = item.credential for update;
    if not found then
      continue when item.calls = 0;
      delete from call_windows c where tenant_id = item.tenant and credential_id in (
        select credential_id from call_windows where tenant_id = item.tenant
          and started_at < clock_timestamp() - p_window - interval '1 hour' order by started_at limit 10 for update skip locked);
      -- Another replica may just have made it: then its row is read, locked.
      insert into call_windows (tenant_id, credential_id, started_at, used) values (item.tenant, item.credential,
        '-infinity', 0) on conflict do nothing;
      select started_at, used, holder into w from call_windows
        where tenant_id = item.tenant and credential_id = item.credential for update;
    end if;
    moment := date_trunc('milliseconds', clock_timestamp());
    fresh := w.started_at + p_window <= moment;
    continue when fresh and item.calls = 0;
    if fresh then
      w.started_at := moment;
      w.used := 0;
    elsif w.holder <> p_holder and not pg_try_advisory_xact_lock(w.holder) then
      perform pg_notify('switchyard_limits', json_build_array(w.holder::text, item.tenant, item.credential)::text)
        where item.calls > 0;
      answers := answers || jsonb_build_object(item.i, '{"elsewhere": true}'::jsonb);
      continue;
    elsif abs(extract(epoch from w.started_at - item.started)) < 0.001 then
      w.used := greatest(w.used, item.used);
    end if;
    granted := greatest(0, least(item.calls, p_limit - w.used));
    w.used := w.used + granted;
    update call_windows set started_at = w.started_at, used = w.used, holder = case when item.keep then p_holder end
      where tenant_id = item.tenant and credential_id = item.credential;
    answers := answers || jsonb_build_object(item.i, jsonb_build_object(
      'started', round(extract(epoch from w.started_at) * 1000), 'used', w.used, 'granted', granted, 'kept', item.keep,
      'ends_in', ceil(extract(epoch from w.started_at + p_window - moment) * 1000)));
  end loop;
  return (select jsonb_agg(answers->i::text order by i) from generate_series(1, jsonb_array_length(p_items)) as i);
end $$;
