-- Lets workers have tasks again that waited for a release: their routes lose the label and the prefix. A task that runs, or
-- waits for an answer, is freed by a later call, once it is pending. Over all tenants, as hold_publishing.
create or replace function free_held_tasks(p_label text) returns bigint language sql as $$
  with waiting as (
    select t.tenant_id, t.id from routes r
    join tasks t on t.tenant_id = r.tenant_id and t.route_id = r.route_id and t.status = 'pending'
    where p_label = any(r.required_capabilities) order by t.tenant_id, t.id for update of t
  ), freed as (
    update tasks t set required_capabilities = array_remove(t.required_capabilities, p_label),
      route_id = regexp_replace(t.route_id, '^held:', '')
    from waiting w where t.tenant_id = w.tenant_id and t.id = w.id
    returning t.tenant_id, t.route_id, t.codebase_id, t.required_capabilities, t.target_agent, t.target_worker_id
  ), routed as (
    insert into routes (tenant_id, route_id, codebase_id, required_capabilities, target_agent, target_worker_id)
    select distinct on (f.tenant_id, f.route_id) f.* from freed f
    on conflict (tenant_id, route_id) do update set used_at = now()
  )
  select count(*) from freed
$$;
