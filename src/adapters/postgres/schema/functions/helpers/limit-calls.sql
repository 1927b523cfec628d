-- Counts calls of one tenant's credentials in fixed windows on database time, a batch at a time.
--
-- The arrays have one item per credential, sorted: p_calls is the number of calls requested now; p_keep says whether
-- the replica wants to count the window in its memory from here on; p_used is what the replica itself counted in the
-- window that began at p_started (milliseconds since 1970). Returns the text of
-- {at, counted: [[n, started, used, granted, kept], …]}, n from 1.
-- Two kinds of items are left out: windows that another live replica counts (that replica is asked to hand them over),
-- and counts reported for a window that is over.
--
-- The holder of a window keeps a session lock on its own number (window-ledger.ts). A holder whose session is gone has
-- stopped counting, and its windows continue from the count that it reported last.
--
-- The batch is one statement, an insert with a conflict clause: it finds each row by the primary key, locks rows in the
-- batch's order (no deadlocks) and counts on the newest version, whoever wrote it. An update joined to a list has
-- neither order nor plan for certain (it read all of a tenant's windows). The update must know an item's place in the
-- batch: `granted` carries the place in its upper bits, into the update and out of it again. That allows fewer than
-- 1,024 items, each granted fewer than 2,097,152 calls.
create or replace function limit_calls(p_tenant text, p_holder bigint, p_limit integer, p_window integer,
  p_credentials text[], p_calls integer[], p_keep boolean[], p_started bigint[], p_used integer[]) returns json
language plpgsql as $$
#variable_conflict use_column
declare
  now_ms bigint := extract(epoch from clock_timestamp()) * 1000;
  answer text;
  counted_items integer;
  opened integer;
begin
  perform set_config('app.current_tenant_id', p_tenant, true);
  with counted as (
    insert into call_windows as c (tenant_id, credential_id, started_ms, used, granted, holder)
    select p_tenant, a.credential, now_ms, least(p_calls[a.n], p_limit), (a.n << 21) + least(p_calls[a.n], p_limit),
      case when p_keep[a.n] then p_holder end
    from (select u.credential, u.n::integer as n from unnest(p_credentials) with ordinality as u(credential, n)) a
    -- A count reported for a deleted window does not create a new one.
    where case when p_calls[a.n] > 0 then true else (
      select true from call_windows k where k.tenant_id = p_tenant and k.credential_id = a.credential) end
    order by a.n
    on conflict (tenant_id, credential_id) do update set (started_ms, used, granted, holder) = (
      select case when fresh then now_ms else c.started_ms end, base + given, (n << 21) + given, excluded.holder
      from (select c.started_ms + p_window <= now_ms, excluded.granted >> 21) as f(fresh, n)
      cross join lateral (select case when fresh then 0 when c.started_ms = p_started[n] then greatest(c.used, p_used[n])
        else c.used end) as b(base)
      cross join lateral (select greatest(0, least(p_calls[n], p_limit - base))) as g(given))
    where case when c.started_ms + p_window <= now_ms then p_calls[excluded.granted >> 21] > 0
      when c.holder is null or c.holder = p_holder then true
      else pg_try_advisory_xact_lock(c.holder) end
    returning started_ms, used, granted, holder
  )
  select string_agg(concat('[', granted >> 21, ',', started_ms, ',', used, ',', granted & 2097151, ',',
      case when holder is null then 'false' else 'true' end, ']'), ','), count(*),
    count(*) filter (where started_ms = now_ms)
  into answer, counted_items, opened from counted;
  if counted_items < cardinality(p_credentials) then
    perform request_call_windows(p_tenant, p_holder, p_credentials, p_calls);
  end if;
  if opened > 0 then
    delete from call_windows where tenant_id = p_tenant and credential_id in (
      select credential_id from call_windows where tenant_id = p_tenant and started_ms < now_ms - p_window - 3600000
      order by started_ms limit 10 * opened for update skip locked);
  end if;
  return concat('{"at":', now_ms, ',"counted":[', answer, ']}');
end $$;

-- Asks the replicas that hold windows with waiting calls to hand them over.
create or replace function request_call_windows(p_tenant text, p_holder bigint, p_credentials text[], p_calls integer[])
returns void language plpgsql as $$
begin
  perform pg_notify('switchyard_limits', json_build_array(c.holder::text, p_tenant, a.credential)::text)
  from unnest(p_credentials, p_calls) as a(credential, calls) cross join lateral (
    select k.holder from call_windows k where k.tenant_id = p_tenant and k.credential_id = a.credential offset 0) c
  where a.calls > 0 and c.holder <> p_holder;
end $$;
