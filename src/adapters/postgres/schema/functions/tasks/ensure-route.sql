-- Ensures that the route of a task that returns to pending exists: housekeeping may have dropped it while the task ran.
-- As in queue_route, a route used within the hour is safe and is not locked; an older one gets a new used_at.
create or replace function ensure_route(t tasks) returns void language sql volatile as $$
  insert into routes (tenant_id, route_id, codebase_id, required_capabilities, target_agent, target_worker_id)
  select t.tenant_id, t.route_id, t.codebase_id, t.required_capabilities, t.target_agent, t.target_worker_id
  where not exists (select from routes r where r.tenant_id = t.tenant_id and r.route_id = t.route_id
    and r.used_at > now() - interval '1 hour')
  on conflict (tenant_id, route_id) do update set used_at = now() where routes.used_at < now() - interval '1 hour'
$$;
