-- A dead delivery waits for a person until it is sent again. A delivery of a run has the run's id as its task_id.
create or replace function delivery_attention() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = 'dead' then
    perform open_attention(new.tenant_id, 'dead_delivery', new.delivery_id::text, new.task_id, coalesce(
      (select t.created_by from tasks t where t.tenant_id = new.tenant_id and t.id = new.task_id),
      (select r.created_by from ralph_runs r where r.tenant_id = new.tenant_id and r.id = new.task_id), ''));
  else
    perform close_attention(old.tenant_id, old.delivery_id::text);
  end if;
  return null;
end $$;
create or replace trigger deliveries_attention after update of status on deliveries for each row
  when (old.status is distinct from new.status and 'dead' in (old.status, new.status))
  execute function delivery_attention();
create or replace trigger deliveries_attention_end after delete on deliveries for each row
  when (old.status = 'dead') execute function delivery_attention();
