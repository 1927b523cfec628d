-- Writes an event that followers of a tenant receive beside the logs of its tasks (store/rows/tasks/log-rows.ts).
create or replace function add_monitor_event(p_tenant text, p_type text, p_data jsonb, p_owner text) returns void
language plpgsql as $$
begin
  insert into monitor_events (tenant_id, id, type, data, created_by)
  values (p_tenant, make_uuid7(), p_type, p_data, p_owner);
end $$;
