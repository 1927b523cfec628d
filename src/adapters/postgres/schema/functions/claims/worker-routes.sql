-- The routes of a tenant that one worker may serve: the routing rule, in the database.
-- The same rule is a pure function in domain/model/task/route.ts (mayServe), for reasons and hints; a property test
-- compares the two. core-3.4, choices-3 and choices-5.
-- The query starts with the worker's codebases: routes of other codebases, however many, cost it nothing.
-- `materialized` and `offset 0` keep that order, which a planner without statistics would reverse (measured: 5 ms
-- beside 5,000 routes).
create or replace function worker_routes(p_tenant text, p_worker uuid) returns setof text
language sql stable as $$
  with held as materialized (
    select '__pending__' as codebase_id
    union all
    select b.codebase_id from codebase_bindings b
    cross join lateral (
      select from workspaces c where c.tenant_id = p_tenant and c.codebase_id = b.codebase_id
        and (c.worker_id is null or c.worker_id = p_worker) offset 0
    ) open_to_it
    where b.tenant_id = p_tenant and b.worker_id = p_worker
  )
  select r.route_id
  from workers w
  cross join held h
  cross join lateral (
    select r.route_id from routes r
    where r.tenant_id = p_tenant and r.codebase_id = h.codebase_id
      and r.required_capabilities <@ w.capabilities
      -- A worker with the capability of PRD chats alone takes their turns and no other task.
      and (w.capabilities <> '{switchyard:prd-1}' or w.capabilities <@ r.required_capabilities)
      and (r.target_agent is null or r.target_agent = any (worker_names(w)))
      and (r.target_worker_id is null or r.target_worker_id = w.worker_id)
    offset 0
  ) r
  where w.tenant_id = p_tenant and w.worker_id = p_worker and w.unregistered_at is null
    and w.drained_at is null
$$;
