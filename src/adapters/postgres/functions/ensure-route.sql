-- Makes sure that the route of a task that goes back to pending is there: housekeeping may have dropped it while
-- the task ran. used_at moves at most once an hour; moving it takes the row lock that keeps the route.
create or replace function ensure_route(t tasks) returns void language sql volatile as $$
  insert into routes (tenant_id, route_id, codebase_id, required_capabilities, target_agent, target_worker_id)
  values (t.tenant_id, t.route_id, t.codebase_id, t.required_capabilities, t.target_agent, t.target_worker_id)
  on conflict (tenant_id, route_id) do update set used_at = now() where routes.used_at < now() - interval '1 hour'
$$;
