-- Finds due deliveries over all tenants (as a2a_admin). Returns only (tenant_id, task_id, delivery_id, host) and writes
-- nothing. Each tenant's deliveries are claimed within that tenant
-- (adapters/postgres/store/rows/tasks/delivery-rows.ts); when several replicas find the same one, one of them gets it.
--
-- p_busy: [{tenant, host, n}], the deliveries that this replica is sending now. p_per_host and p_per_tenant bound the
-- deliveries in flight to one receiver and for one tenant. p_limit: free slots. A claimed delivery is skipped until its
-- claim expires: it keeps its place in the index, and there are never more of those than slots in all replicas.
-- The recursion steps through the index from one (tenant, host) with pending rows to the next, so that no number of
-- rows for a slow or dead receiver hides another receiver's. It takes at most p_hosts of them after (p_after_tenant,
-- p_after_host); the next poll continues behind the last. A push notification waits while an earlier one of its task
-- and config is pending.
-- The comparison uses `now()`, the begin of the poll, and no running clock, because the index condition needs a
-- constant. plpgsql keeps the plan on every version of PostgreSQL.
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
    -- The place where the next poll continues; present only when this poll has not reached the end.
    select h.tenant_id, h.host from hosts h where h.n = p_hosts
  )
  select f.tenant_id, f.task_id, f.delivery_id, f.host from found f
  union all
  select l.tenant_id, null, null, l.host from last l;
end $$;
