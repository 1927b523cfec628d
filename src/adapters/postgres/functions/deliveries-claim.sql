-- Claims deliveries that are due, over all tenants (under a2a_admin): answers (tenant_id, delivery_id, epoch) alone.
--
-- p_busy: [{tenant, host, n}] of what this replica is sending now; p_per_host and p_per_tenant bound what it sends to
-- one receiver, and for one tenant, at once; p_limit: free hands. A claim is a lease: after p_lease the row is due again.
-- The recursion steps from one (tenant, host) with pending rows to the next through the index, so that no number of rows
-- for a slow or a dead receiver keeps another's from being found; at most p_hosts of them from p_after on, for the next
-- claim to go on behind. A notification waits while an earlier one of its task and config is pending.
-- `status || ''`: the lock goes by primary key, never through the index of what is pending, of which the planner would
-- read all of a tenant for each row (3,000 pending: 75 ms a claim in place of 2). `now()`, the beginning of the claim, and
-- no clock: the index stops at it. plpgsql keeps its plan on every version of PostgreSQL.
drop function if exists deliveries_claim(integer, integer, integer, integer, interval, jsonb, text, text);
create or replace function deliveries_claim(
  p_limit integer, p_per_host integer, p_per_tenant integer, p_hosts integer, p_lease interval, p_busy jsonb,
  p_after_tenant text, p_after_host text
) returns table (tenant_id text, delivery_id uuid, epoch bigint, host text, is_claim boolean)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with recursive busy as materialized (
    select * from jsonb_to_recordset(p_busy) as b(tenant text, host text, n integer)
  ), hosts as (
    (select d.tenant_id, d.host, 1 as n from deliveries d
     where d.status = 'pending' and (d.tenant_id, d.host) > (p_after_tenant, p_after_host)
     order by d.tenant_id, d.host limit 1)
    union all
    select next.tenant_id, next.host, h.n + 1 from hosts h cross join lateral (
      select d.tenant_id, d.host from deliveries d
      where d.status = 'pending' and (d.tenant_id, d.host) > (h.tenant_id, h.host)
      order by d.tenant_id, d.host limit 1) next
    where h.n < p_hosts
  ), due as materialized (
    select d.tenant_id, d.delivery_id, d.due_at,
      row_number() over (partition by h.tenant_id order by d.due_at)
        + (select coalesce(sum(b.n), 0) from busy b where b.tenant = h.tenant_id) as of_tenant
    from hosts h cross join lateral (
      select d.tenant_id, d.delivery_id, d.due_at from deliveries d
      where d.status = 'pending' and d.tenant_id = h.tenant_id and d.host = h.host and d.due_at <= now()
        and (d.kind = 'webhook' or not exists (
          select from deliveries e where e.tenant_id = d.tenant_id and e.task_id = d.task_id
            and e.config_id = d.config_id and e.seq < d.seq and e.status = 'pending'))
      order by d.due_at
      limit greatest(0, p_per_host
        - (select coalesce(sum(b.n), 0) from busy b where b.tenant = h.tenant_id and b.host = h.host))
    ) d
  ), locked as materialized (
    select l.tenant_id, l.delivery_id
    from (select * from due where of_tenant <= p_per_tenant order by due_at limit p_limit) w
    cross join lateral (
      select d.tenant_id, d.delivery_id from deliveries d
      where d.tenant_id = w.tenant_id and d.delivery_id = w.delivery_id
        and d.status || '' = 'pending' and d.due_at <= clock_timestamp()
      for update skip locked
    ) l
  ), claimed as (
    update deliveries d set epoch = d.epoch + 1, due_at = clock_timestamp() + p_lease
    from locked l where d.tenant_id = l.tenant_id and d.delivery_id = l.delivery_id
    returning d.tenant_id, d.delivery_id, d.epoch, d.host
  ), last as (
    -- Where the next claim goes on: only when this one has not seen the end.
    select h.tenant_id, h.host from hosts h where h.n = p_hosts
  )
  select c.tenant_id, c.delivery_id, c.epoch, c.host, true from claimed c
  union all
  select l.tenant_id, null, null, l.host, false from last l;
end $$;
