-- link_visitor(tenant, visitor, time, user): the visitor is that user from then on, until its next row. Times decide, in whatever
-- order the calls arrive; the map keeps a row only where the user changes. platform-5.1, platform-5.3.
-- Locks the visitor until the transaction ends: two calls at once would each leave a row that repeats the other's user.
create or replace function link_visitor(p_tenant text, p_visitor text, p_at timestamptz, p_user text) returns void
language plpgsql as $$
declare
  before_user text;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_tenant || chr(1) || p_visitor, 5));
  select m.user_id into before_user from analytics_identity_map m
  where m.tenant_id = p_tenant and m.anonymous_id = p_visitor and m.identified_at < p_at
  order by m.identified_at desc limit 1;
  if before_user is distinct from p_user then
    insert into analytics_identity_map (tenant_id, anonymous_id, identified_at, user_id)
    values (p_tenant, p_visitor, p_at, p_user)
    on conflict (tenant_id, anonymous_id, identified_at) do update set user_id = excluded.user_id;
  else
    -- Two users at the same instant: the call that came last decides.
    delete from analytics_identity_map m
    where m.tenant_id = p_tenant and m.anonymous_id = p_visitor and m.identified_at = p_at;
  end if;
  -- The next row, if it names the same user now.
  delete from analytics_identity_map m
  where m.tenant_id = p_tenant and m.anonymous_id = p_visitor and m.user_id = p_user
    and m.identified_at = (select min(n.identified_at) from analytics_identity_map n
      where n.tenant_id = p_tenant and n.anonymous_id = p_visitor and n.identified_at > p_at);
end $$;
