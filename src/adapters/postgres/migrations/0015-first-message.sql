-- The message that a task is born with is kept with its first event, which is written anyway: a row of its own, with its
-- index and its look for the task, cost the database a quarter of what taking a message did. Those that come later keep
-- their table; who reads the exchange of a task reads both, under the name that it had.
alter table task_events add column message jsonb;
alter table task_messages rename to later_messages;
alter index task_messages_pkey rename to later_messages_pkey;
alter table later_messages rename constraint task_messages_tenant_id_task_id_fkey to later_messages_tenant_id_task_id_fkey;
alter table later_messages rename constraint task_messages_role_check to later_messages_role_check;

create view task_messages with (security_invoker = true) as
  select tenant_id, task_id, 1 as n, message->>'message_id' as message_id, 'user' as role, message->'parts' as parts,
    coalesce(message->'metadata', '{}') as metadata, at
  from task_events where seq = 1 and message is not null
  union all
  select tenant_id, task_id, n, message_id, role, parts, metadata, at from later_messages;
grant select on task_messages to a2a_app, a2a_admin;
