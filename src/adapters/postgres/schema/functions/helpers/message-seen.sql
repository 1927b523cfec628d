-- Reports whether a message to a task was accepted before, and claims the key of a new message. It runs before
-- add_task_message, in the same transaction: it locks the task's row, so the second of two simultaneous equal messages
-- finds the first.
--
-- p_key: {operation, key, body_hash} of p_subject, or null. A message is also recognised without a key, by its own id
-- within its task together with equal parts: senders choose the ids, and some of them use an id twice.
-- Returns {verdict: new | repeated | key_reused | missing, task_id}; task_id is the task of the earlier call.
create or replace function message_seen(
  p_tenant text, p_task uuid, p_subject text, p_key jsonb, p_key_age interval, p_message_id text, p_parts jsonb
) returns jsonb language plpgsql as $$
declare
  keyed jsonb;
begin
  perform from tasks where tenant_id = p_tenant and id = p_task for update;
  if not found then return jsonb_build_object('verdict', 'missing'); end if;
  if p_key is not null then
    keyed := claim_idempotency_keys(p_tenant, jsonb_build_array(jsonb_build_object(
      'id', p_task, 'created_by', p_subject, 'idempotency', p_key)), '{}', p_key_age) -> p_task::text;
    if keyed->>'verdict' = 'replayed' then
      return jsonb_build_object('verdict', 'repeated', 'task_id', keyed->'task_id');
    elsif keyed is not null then
      return keyed;
    end if;
  end if;
  if exists (select from task_messages where tenant_id = p_tenant and task_id = p_task and role = 'user'
    and message_id = p_message_id and parts = p_parts) then
    return jsonb_build_object('verdict', 'repeated', 'task_id', p_task);
  end if;
  return jsonb_build_object('verdict', 'new');
end $$;
