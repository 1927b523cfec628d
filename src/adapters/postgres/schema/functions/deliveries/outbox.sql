-- Writes the outbox: one delivery for the webhook of a task that has ended, and one per push config for each change of
-- status. A trigger does it, because a task ends in many ways (a cancel, a deadline, a lost lease, …) and none of them
-- may forget it; the rows belong to the transaction that moves the task. A task without webhook and push configs pays
-- for the condition only. Ordinary ends, reported by workers, are batched: queue-finish.sql writes their webhooks
-- together and records that in the task's outbox_seq.
--
-- The webhook's body is made here, once. A push notification is written in its config's protocol version when it is
-- first sent; seq fixes its content.
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
