-- Writes a message for the component that created a task, in the transaction in which the task comes to rest: it ended, or
-- it needs input. Tasks without a topic pay for the condition only. The message is not lost with the process that ended
-- the task: the leader of the loop topic_subscribers reads it (domain/events/topic-subscribers.ts).
create or replace function write_topic_message() returns trigger language plpgsql as $$
begin
  insert into topic_messages (tenant_id, message_id, topic, task_id, status, seq)
  values (new.tenant_id, make_uuid7(), new.topic, new.id, new.status, new.last_seq);
  return null;
end $$;
create or replace trigger tasks_topic after update of status on tasks for each row
  when (new.topic is not null and old.status is distinct from new.status
    and new.status in ('completed', 'failed', 'cancelled', 'needs_input'))
  execute function write_topic_message();
