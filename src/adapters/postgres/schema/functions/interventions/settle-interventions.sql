-- Settles undelivered interventions when an attempt ends. A trigger does it, because an attempt ends in many ways.
--
-- When the task ends, its interventions fail. When only the attempt ends (its lease was lost, it asks a question), they
-- fail too, except messages: those are part of the conversation, so the next attempt gets them and its worker confirms
-- them. A cancelled attempt may still confirm its cancel.
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
