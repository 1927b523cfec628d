-- The times during which visitors are a user: from each row of the identity map to the next of the same visitor, and from the
-- beginning of time for a visitor's first row. platform-5.3.
create or replace function analytics_spans_of(p_tenant text, p_user text)
returns table (anonymous_id text, from_at timestamptz, to_at timestamptz)
language sql stable parallel safe as $$
  select m.anonymous_id,
    case when exists (select from analytics_identity_map b where b.tenant_id = p_tenant and b.anonymous_id = m.anonymous_id
      and b.identified_at < m.identified_at) then m.identified_at else '-infinity' end,
    coalesce((select min(n.identified_at) from analytics_identity_map n where n.tenant_id = p_tenant
      and n.anonymous_id = m.anonymous_id and n.identified_at > m.identified_at), 'infinity')
  from analytics_identity_map m where m.tenant_id = p_tenant and m.user_id = p_user
$$;

-- The events of a person: those that name the user, and those of visitors while they are that user.
create or replace function analytics_person_events(p_tenant text, p_user text) returns setof analytics_events
language sql stable parallel safe as $$
  select e.* from analytics_events e where e.tenant_id = p_tenant and e.user_id = p_user
  union all
  select e.* from analytics_spans_of(p_tenant, p_user) s
  join analytics_events e on e.tenant_id = p_tenant and e.anonymous_id = s.anonymous_id and e.user_id is null
    and e.at >= s.from_at and e.at < s.to_at
$$;
