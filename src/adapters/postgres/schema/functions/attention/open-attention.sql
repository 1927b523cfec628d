-- Records that something waits for a person, and notifies the followers of the tenant. A thing that waits already is not announced
-- again. p_about: the task or run that it belongs to; p_owner: the subject that owns it.
create or replace function open_attention(p_tenant text, p_kind text, p_id text, p_about uuid, p_owner text) returns void
language plpgsql as $$
begin
  insert into attention_items (tenant_id, id, kind, about, created_by)
  values (p_tenant, p_id, p_kind, p_about, p_owner) on conflict do nothing;
  if found then
    perform add_monitor_event(p_tenant, 'attention', jsonb_build_object('kind', p_kind, 'id', p_id, 'state', 'open'), p_owner);
  end if;
end $$;
