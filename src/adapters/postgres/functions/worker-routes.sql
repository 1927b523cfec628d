-- The routes of a tenant that one worker may serve: the rule of routing, in the database.
-- The same rule stands as a pure function in domain/model/route.ts (mayServe), for reasons and hints; a property
-- test holds the two together. document 1 §3.4, choices §3 and §5.
create or replace function worker_routes(p_tenant text, p_worker uuid) returns setof text
language sql stable as $$
  select r.route_id
  from workers w
  join routes r on r.tenant_id = w.tenant_id
    and r.required_capabilities <@ w.capabilities
    and (r.target_agent is null or r.target_agent = w.name or r.target_agent = any (w.agents))
    and (r.target_worker_id is null or r.target_worker_id = w.worker_id)
  where w.tenant_id = p_tenant and w.worker_id = p_worker and w.unregistered_at is null
    and (r.codebase_id = '__pending__' or exists (
      select from codebase_bindings b
      join workspaces c on c.tenant_id = b.tenant_id and c.codebase_id = b.codebase_id
      where b.tenant_id = p_tenant and b.worker_id = p_worker and b.codebase_id = r.codebase_id
        and (c.worker_id is null or c.worker_id = p_worker)))
$$;
