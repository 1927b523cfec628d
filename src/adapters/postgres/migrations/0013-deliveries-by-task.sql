-- A delivery costs an insert and an update, so each index that both of them write is dear: one key, that leads with the
-- task, in place of a key and an index by task. It also leaves the planner one way only to find a row that is named.
-- A replica that knows deliveries by their id alone finds them through the tenant's part of it until it is replaced.
alter table deliveries drop constraint deliveries_pkey;
drop index deliveries_by_task;
alter table deliveries add primary key (tenant_id, task_id, delivery_id);
-- Of the change of state whose outbox rows were written with it: the trigger of functions/outbox.sql has nothing to add.
alter table tasks add column told_seq bigint;
-- Room for the end of a run beside its beginning, so that its key is not written twice.
alter table task_runs set (fillfactor = 60);
-- The state table as a condition, looked at after the change: a lawful move calls no function and locks no row again.
drop trigger tasks_guard_state on tasks;
create or replace function guard_task_state() returns trigger language plpgsql as $$
begin
  raise exception 'task % cannot go from % to %', old.id, old.status, new.status using errcode = 'SY409';
end $$;
create trigger tasks_guard_state after update of status on tasks for each row
  when (old.status is distinct from new.status and not (case old.status
    when 'pending' then new.status in ('running', 'cancelled', 'failed')
    when 'running' then new.status in ('completed', 'failed', 'cancelled', 'needs_input', 'pending')
    when 'needs_input' then new.status in ('pending', 'cancelled', 'failed')
    else false
  end))
  execute function guard_task_state();
