-- Settles what was not delivered when a run ends, in whatever way: a trigger, because a run ends in many.
--
-- What ends with the task fails. What ends with the run alone (its lease was lost, it asks something) fails too, but for
-- messages: they stand in the exchange, so the next attempt has them, and its worker says so. The word of a cancelled
-- run about its cancel may still come.
create or replace function settle_interventions() returns trigger language plpgsql as $$
begin
  if new.status in ('pending', 'needs_input') then
    update interventions set status = 'failed', reason = 'run_ended', settled_at = clock_timestamp()
    where tenant_id = new.tenant_id and task_id = new.id and status in ('queued', 'sent') and action <> 'message';
    update interventions set status = 'queued', worker_id = null
    where tenant_id = new.tenant_id and task_id = new.id and status = 'sent' and action = 'message';
  else
    update interventions set status = 'failed', reason = 'task_' || new.status, settled_at = clock_timestamp()
    where tenant_id = new.tenant_id and task_id = new.id and status in ('queued', 'sent')
      and not (action = 'cancel' and new.status = 'cancelled');
  end if;
  return null;
end $$;
create or replace trigger tasks_settle_interventions after update of status on tasks for each row
  when (new.has_interventions and old.status is distinct from new.status and new.status <> 'running')
  execute function settle_interventions();
