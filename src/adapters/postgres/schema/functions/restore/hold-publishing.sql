-- Makes open steps that publish commits wait: no worker has the label that their tasks ask for from now on. Over all
-- tenants, so it is called under a2a_admin. The route keeps its name behind a prefix, by which it is found again.
create or replace function hold_publishing(p_label text) returns bigint language sql as $$
  with held as (
    update tasks t set required_capabilities = t.required_capabilities || p_label, route_id = 'held:' || t.route_id
    where t.status in ('pending', 'running', 'needs_input') and t.step->>'kind' = 'publish'
      and not p_label = any(t.required_capabilities)
    returning t.tenant_id, t.route_id, t.codebase_id, t.required_capabilities, t.target_agent, t.target_worker_id
  ), routed as (
    insert into routes (tenant_id, route_id, codebase_id, required_capabilities, target_agent, target_worker_id)
    select distinct on (tenant_id, route_id) * from held on conflict (tenant_id, route_id) do update set used_at = now()
  )
  select count(*) from held
$$;
