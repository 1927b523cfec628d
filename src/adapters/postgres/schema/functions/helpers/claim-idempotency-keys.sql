-- Claims the idempotency keys of a batch of new tasks of one tenant.
--
-- p_rows: as in queue_submit. p_others: tasks of the batch that are rejected already, by id. Returns p_others with the
-- tasks added whose key belongs to another task: {id: {verdict: replayed | key_reused, task_id}}.
-- `on conflict do nothing` waits for a concurrent equal request, so that the second request replays the first; the row
-- that the first one committed is visible to later statements, not to this one. A key older than p_key_age is free
-- again.
create or replace function claim_idempotency_keys(p_tenant text, p_rows jsonb, p_others jsonb, p_key_age interval) returns jsonb
language plpgsql as $$
declare
  taken uuid[];
  r record;
  k idempotency_keys;
begin
  with fresh as (
    insert into idempotency_keys (tenant_id, subject, operation, key, body_hash, task_id)
    select p_tenant, created_by, idempotency->>'operation', idempotency->>'key', idempotency->>'body_hash', id
    from jsonb_to_recordset(p_rows) as x(id uuid, created_by text, idempotency jsonb)
    where idempotency is not null and not p_others ? id::text
    order by 2, 3, 4
    on conflict do nothing
    returning task_id
  )
  select array_agg(task_id) into taken from fresh;

  for r in
    select id, created_by as subject, idempotency->>'operation' as operation, idempotency->>'key' as key,
      idempotency->>'body_hash' as body_hash
    from jsonb_to_recordset(p_rows) as x(id uuid, created_by text, idempotency jsonb)
    where idempotency is not null and not p_others ? id::text and (taken is null or id <> all (taken))
  loop
    update idempotency_keys set task_id = r.id, body_hash = r.body_hash, created_at = now()
    where tenant_id = p_tenant and subject = r.subject and operation = r.operation and key = r.key
      and created_at < now() - p_key_age;
    continue when found;
    select * into k from idempotency_keys
    where tenant_id = p_tenant and subject = r.subject and operation = r.operation and key = r.key;
    p_others := p_others || jsonb_build_object(r.id, jsonb_build_object('task_id', k.task_id,
      'verdict', case when k.body_hash = r.body_hash then 'replayed' else 'key_reused' end));
  end loop;
  return p_others;
end $$;
