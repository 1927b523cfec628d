-- link_visitor(tenant, visitor, time): enters the identification of a visitor at that time into the identity map, which keeps a row
-- only where the user changes. Times decide, in whatever order the calls arrive: so the next identification is read from the
-- events, where one that changed nothing when it came is still known. platform-5.1, platform-5.3.
-- Locks the visitor until the transaction ends: two calls at once would each miss the other's row.
create or replace function link_visitor(p_tenant text, p_visitor text, p_at timestamptz) returns void
language plpgsql as $$
declare
  user_then text;
  next_at   timestamptz;
  next_user text;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_tenant || chr(1) || p_visitor, 5));
  -- The later of two at the same instant decides.
  select e.user_id into user_then from analytics_events e
  where e.tenant_id = p_tenant and e.anonymous_id = p_visitor and e.at = p_at and e.kind = 'identify'
  order by e.event_id desc limit 1;
  perform enter_identity(p_tenant, p_visitor, p_at, user_then);
  -- Rows stay longer than the events that made them.
  select n.at, n.user_id into next_at, next_user from (
    (select e.at, e.user_id, e.event_id from analytics_events e
     where e.tenant_id = p_tenant and e.anonymous_id = p_visitor and e.at > p_at and e.kind = 'identify'
     order by e.at, e.event_id desc limit 1)
    union all
    (select m.identified_at, m.user_id, null from analytics_identity_map m
     where m.tenant_id = p_tenant and m.anonymous_id = p_visitor and m.identified_at > p_at
     order by m.identified_at limit 1)) n
  order by n.at, n.event_id nulls last limit 1;
  if found then perform enter_identity(p_tenant, p_visitor, next_at, next_user); end if;
end $$;

-- Makes the row of one instant, or removes it where the user is the same before.
create or replace function enter_identity(p_tenant text, p_visitor text, p_at timestamptz, p_user text) returns void
language plpgsql as $$
begin
  if p_user is distinct from (select m.user_id from analytics_identity_map m where m.tenant_id = p_tenant
      and m.anonymous_id = p_visitor and m.identified_at < p_at order by m.identified_at desc limit 1) then
    insert into analytics_identity_map (tenant_id, anonymous_id, identified_at, user_id)
    values (p_tenant, p_visitor, p_at, p_user)
    on conflict (tenant_id, anonymous_id, identified_at) do update set user_id = excluded.user_id;
  else
    delete from analytics_identity_map m
    where m.tenant_id = p_tenant and m.anonymous_id = p_visitor and m.identified_at = p_at;
  end if;
end $$;
