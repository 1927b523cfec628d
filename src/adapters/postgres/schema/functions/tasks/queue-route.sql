-- Validates the route of some new tasks of one tenant, and ensures that its row exists.
--
-- p_route: {route_id, codebase_id?, required_capabilities?, target_agent?, target_worker_id?}. Returns why tasks of
-- this route are rejected (no_such_codebase | no_such_worker), or null.
-- A route's used_at moves at most once an hour. A route used within the hour is safe from housekeeping, which drops
-- routes unused for a day. Such a route is not touched: a lock on it would make every commit wait for the one before.
-- An older one gets a new used_at, and that row lock keeps housekeeping from dropping a route that this commit relies
-- on.
create or replace function queue_route(p_tenant text, p_route jsonb) returns text
language plpgsql as $$
begin
  if p_route->>'codebase_id' not in ('global', '__pending__') then
    perform from workspaces where tenant_id = p_tenant and codebase_id = p_route->>'codebase_id';
    if not found then return 'no_such_codebase'; end if;
  end if;
  if p_route ? 'target_worker_id' then
    perform from workers where tenant_id = p_tenant and worker_id = (p_route->>'target_worker_id')::uuid;
    if not found then return 'no_such_worker'; end if;
  end if;
  perform from routes
  where tenant_id = p_tenant and route_id = p_route->>'route_id' and used_at > now() - interval '1 hour';
  if not found then
    insert into routes (tenant_id, route_id, codebase_id, required_capabilities, target_agent, target_worker_id)
    select p_tenant, route_id, codebase_id, coalesce(required_capabilities, '{}'), target_agent, target_worker_id
    from jsonb_to_record(p_route) as r(route_id text, codebase_id text, required_capabilities text[],
      target_agent text, target_worker_id uuid)
    on conflict (tenant_id, route_id) do update set used_at = now() where routes.used_at < now() - interval '1 hour';
  end if;
  return null;
end $$;
