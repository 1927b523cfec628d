-- A task's question waits for a person from the status needs_input until the task leaves it. The question of a step is its
-- run's to ask. A trigger does it, because a task leaves needs_input in many ways; all other moves pay for the condition only.
create or replace function task_attention() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = 'needs_input' then
    perform open_attention(new.tenant_id, 'task_question', new.id::text, new.id, new.created_by);
  else
    perform close_attention(old.tenant_id, old.id::text);
  end if;
  return null;
end $$;
create or replace trigger tasks_attention after update of status on tasks for each row
  when (old.status is distinct from new.status and 'needs_input' in (old.status, new.status)
    and new.step_run_id is null)
  execute function task_attention();
create or replace trigger tasks_attention_end after delete on tasks for each row
  when (old.status = 'needs_input') execute function task_attention();
