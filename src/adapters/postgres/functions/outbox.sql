-- Writes the outbox: a delivery for the webhook of a task that has ended, and one for each push config at each change
-- of status. A trigger, because a task ends in many ways (a worker's word, a cancel, a deadline, a lost lease, …): none
-- of them can forget it, and it is in the transaction that moves the task. Tasks without either pay for the condition.
--
-- The webhook's body is made here, once: document 1 §2.10. A notification is written in its config's dialect when it is
-- first sent; what it tells is fixed by seq. row_to_json, for it puts no blanks between members.
create or replace function write_outbox() returns trigger language plpgsql as $$
begin
  if new.webhook_url is not null and new.status in ('completed', 'failed', 'cancelled') then
    insert into deliveries (tenant_id, delivery_id, task_id, kind, seq, url, host, traceparent, body)
    select new.tenant_id, make_uuid7(), new.id, 'webhook', new.last_seq, new.webhook_url, url_host(new.webhook_url),
      new.traceparent, row_to_json(p)
    from (select 'task_completed' as event, new.run_id, new.id as task_id, new.status, new.result,
      new.error->>'message' as error,
      to_char(new.completed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp) p;
  end if;
  if new.notified then
    insert into deliveries (tenant_id, delivery_id, task_id, kind, config_id, seq, url, host, traceparent)
    select c.tenant_id, make_uuid7(), c.task_id, 'push', c.config_id, new.last_seq, c.url, url_host(c.url),
      new.traceparent
    from push_configs c where c.tenant_id = new.tenant_id and c.task_id = new.id;
  end if;
  return null;
end $$;
create or replace trigger tasks_outbox after update of status on tasks for each row
  when (old.status is distinct from new.status
    and (new.notified or (new.webhook_url is not null and new.status in ('completed', 'failed', 'cancelled'))))
  execute function write_outbox();
