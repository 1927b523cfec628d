-- Writes the outbox: a delivery for the webhook of a task that has ended, and one for each push config at each change
-- of status. A trigger, because a task ends in many ways (a cancel, a deadline, a lost lease, …): none of them can
-- forget it, and it is in the transaction that moves the task. Tasks without either pay for the condition. The ordinary
-- end, a worker's word, comes in batches: queue-finish.sql writes those webhooks all at once, and says so on the row.
--
-- The webhook's body is made here, once. A notification is written in its config's dialect when it is first sent; what it
-- tells is fixed by seq.
create or replace function write_outbox() returns trigger language plpgsql as $$
begin
  if new.webhook_url is not null and new.status in ('completed', 'failed', 'cancelled') then
    insert into deliveries (tenant_id, delivery_id, task_id, kind, seq, url, host, traceparent, body)
    values (new.tenant_id, make_uuid7(), new.id, 'webhook', new.last_seq, new.webhook_url, url_host(new.webhook_url),
      new.traceparent, webhook_body(new.run_id, new.id, new.status, new.result, new.error->>'message', new.completed_at));
  end if;
  if new.has_push_configs then
    insert into deliveries (tenant_id, delivery_id, task_id, kind, config_id, seq, url, host, traceparent)
    select c.tenant_id, make_uuid7(), c.task_id, 'push', c.config_id, new.last_seq, c.url, url_host(c.url),
      new.traceparent
    from push_configs c where c.tenant_id = new.tenant_id and c.task_id = new.id;
  end if;
  return null;
end $$;
create or replace trigger tasks_outbox after update of status on tasks for each row
  when (old.status is distinct from new.status
    and (new.has_push_configs or (new.webhook_url is not null and new.status in ('completed', 'failed', 'cancelled')))
    and new.outbox_seq is distinct from new.last_seq)
  execute function write_outbox();
