-- Returns the place of a codebase at a worker, as an assignment carries it; null when the worker does not hold it.
-- plpgsql keeps its plan: before PostgreSQL 18 a function in SQL is planned anew for each claim.
create or replace function assigned_codebase(p_tenant text, p_worker uuid, p_codebase text) returns json
language plpgsql stable as $$
begin
  return (
    select json_build_object('codebase_id', b.codebase_id, 'path', b.path, 'workspace_mode', c.workspace_mode)
    from codebase_bindings b
    join workspaces c on c.tenant_id = b.tenant_id and c.codebase_id = b.codebase_id
    where b.tenant_id = p_tenant and b.worker_id = p_worker and b.codebase_id = p_codebase);
end $$;
