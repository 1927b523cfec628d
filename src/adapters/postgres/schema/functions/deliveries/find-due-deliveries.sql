-- Looks for deliveries that are due, over all tenants (under a2a_admin): answers (tenant_id, task_id, delivery_id, host)
-- alone, and writes nothing. Each tenant's are claimed within that tenant (adapters/postgres/store/rows/tasks/delivery-rows.ts), where one of
-- several hands that found the same gets it.
--
-- p_busy: [{tenant, host, n}] of what this replica is sending now; p_per_host and p_per_tenant bound what it sends to
-- one receiver, and for one tenant, at once; p_limit: free hands. What a hand has claimed is passed over until its claim
-- runs out: it keeps its place in the index, and there are never more of those than all hands hold.
-- The recursion steps from one (tenant, host) with pending rows to the next through the index, so that no number of rows
-- for a slow or a dead receiver keeps another's from being found; at most p_hosts of them from p_after on, for the next
-- look to go on behind. A notification waits while an earlier one of its task and config is pending.
-- `now()`, the beginning of the look, and no clock: the index stops at it. plpgsql keeps its plan on every version of
-- PostgreSQL.
create or replace function find_due_deliveries(
  p_limit integer, p_per_host integer, p_per_tenant integer, p_hosts integer, p_busy jsonb,
  p_after_tenant text, p_after_host text
) returns table (tenant_id text, task_id uuid, delivery_id uuid, host text)
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
    select d.tenant_id, d.task_id, d.delivery_id, d.host, d.due_at,
      row_number() over (partition by h.tenant_id order by d.due_at)
        + (select coalesce(sum(b.n), 0) from busy b where b.tenant = h.tenant_id) as of_tenant
    from hosts h cross join lateral (
      select d.tenant_id, d.task_id, d.delivery_id, d.host, d.due_at from deliveries d
      where d.status = 'pending' and d.tenant_id = h.tenant_id and d.host = h.host and d.due_at <= now()
        and (d.claimed_until is null or d.claimed_until <= now())
        and (d.kind = 'webhook' or not exists (
          select from deliveries e where e.tenant_id = d.tenant_id and e.task_id = d.task_id
            and e.config_id = d.config_id and e.seq < d.seq and e.status = 'pending'))
      order by d.due_at
      limit greatest(0, p_per_host
        - (select coalesce(sum(b.n), 0) from busy b where b.tenant = h.tenant_id and b.host = h.host))
    ) d
  ), found as (
    select w.tenant_id, w.task_id, w.delivery_id, w.host from due w where w.of_tenant <= p_per_tenant
    order by w.due_at limit p_limit
  ), last as (
    -- Where the next look goes on: only when this one has not seen the end.
    select h.tenant_id, h.host from hosts h where h.n = p_hosts
  )
  select f.tenant_id, f.task_id, f.delivery_id, f.host from found f
  union all
  select l.tenant_id, null, null, l.host from last l;
end $$;
