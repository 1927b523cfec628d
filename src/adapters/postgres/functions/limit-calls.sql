-- Counts calls of one tenant's credentials in fixed windows on database time, a batch at a time.
--
-- The arrays have one item for each credential, sorted: the calls that are asked for now; whether the replica wants to
-- count the window in its memory from here on; what it counted itself of the window that began at p_started
-- (milliseconds since 1970). Answers the text of {at, counted: [[n, started, used, granted, kept], …]}, n from 1.
-- Left out is what another replica that is alive counts (it is asked to hand it over), and what was told of a window
-- that is over.
--
-- Who holds a window keeps a session lock on its own number (window-ledger.ts): one whose session is gone does not
-- count any more, and its windows go on with what it told last. One update by primary key for each credential, in
-- their order: no deadlocks, and no plan that reads all of a tenant's windows (an update of the whole batch had one).
drop function if exists limit_calls(bigint, integer, interval, jsonb);
create or replace function limit_calls(p_tenant text, p_holder bigint, p_limit integer, p_window integer,
  p_credentials text[], p_calls integer[], p_keep boolean[], p_started bigint[], p_used integer[]) returns json
language plpgsql as $$
declare
  moment bigint := extract(epoch from clock_timestamp()) * 1000;
  w record;
  counted text := '';
begin
  perform set_config('app.current_tenant_id', p_tenant, true);
  for n in 1 .. cardinality(p_credentials) loop
    update call_windows c set (started_ms, used, granted, holder) = (
      select case when fresh then moment else c.started_ms end, base + given, given, case when p_keep[n] then p_holder end
      from (select c.started_ms + p_window <= moment) as f(fresh)
      cross join lateral (select case when fresh then 0 when c.started_ms = p_started[n] then greatest(c.used, p_used[n])
        else c.used end) as b(base)
      cross join lateral (select greatest(0, least(p_calls[n], p_limit - base))) as g(given))
    where c.tenant_id = p_tenant and c.credential_id = p_credentials[n]
      and case when c.started_ms + p_window <= moment then p_calls[n] > 0
        when c.holder is null or c.holder = p_holder then true
        else pg_try_advisory_xact_lock(c.holder) end
    returning started_ms, used, granted, holder is not null as kept into w;
    if not found and p_calls[n] > 0 then
      w := limit_window(p_tenant, p_holder, moment, p_window, p_credentials[n], least(p_calls[n], p_limit), p_keep[n]);
    end if;
    continue when w.started_ms is null;
    counted := concat(counted, case when counted = '' then '' else ',' end,
      '[', n, ',', w.started_ms, ',', w.used, ',', w.granted, ',', w.kept::text, ']');
  end loop;
  return concat('{"at":', moment, ',"counted":[', counted, ']}');
end $$;

-- The first window of a credential; none where another replica counts it, which is asked to hand it over.
create or replace function limit_window(p_tenant text, p_holder bigint, p_moment bigint, p_window integer,
  p_credential text, p_granted integer, p_keep boolean, out started_ms bigint, out used integer, out granted integer,
  out kept boolean)
language plpgsql as $$
#variable_conflict use_column
begin
  delete from call_windows where tenant_id = p_tenant and credential_id in (
    select credential_id from call_windows where tenant_id = p_tenant and started_ms < p_moment - p_window - 3600000
    order by started_ms limit 10 for update skip locked);
  insert into call_windows as c (tenant_id, credential_id, started_ms, used, granted, holder)
    values (p_tenant, p_credential, p_moment, p_granted, p_granted, case when p_keep then p_holder end)
    on conflict do nothing
    returning c.started_ms, c.used, c.granted, c.holder is not null
    into limit_window.started_ms, limit_window.used, limit_window.granted, limit_window.kept;
  if found then return; end if;
  perform pg_notify('switchyard_limits', json_build_array(c.holder::text, p_tenant, p_credential)::text)
    from call_windows c where tenant_id = p_tenant and credential_id = p_credential and c.holder <> p_holder;
end $$;
