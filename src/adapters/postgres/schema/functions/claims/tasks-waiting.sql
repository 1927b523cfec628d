-- Whether a claim of this worker would get a task now: the conditions of queue-claim.sql, on the heads of its routes.
-- Heartbeats call it. Where no task of the tenant is pending, which is most of the time, one index lookup decides.
-- plpgsql, so that the planner does not inline it and worker-routes.sql need not be installed before this file.
create or replace function tasks_waiting(p_tenant text, p_worker uuid) returns boolean
language plpgsql stable as $$
begin
  return exists (select from tasks t where t.tenant_id = p_tenant and t.status = 'pending')
    and exists (
      select from worker_routes(p_tenant, p_worker) as o(route_id)
      cross join lateral (
        select from tasks t where t.tenant_id = p_tenant and t.route_id = o.route_id and t.status = 'pending'
          and (t.deadline_at is null or t.deadline_at > now())
          and (not t.held_back or not exists (
            select from task_holds x where x.tenant_id = p_tenant and x.task_id = t.id
              and x.worker_id = p_worker and x.held_until > now()))
        limit 1) head);
end $$;
