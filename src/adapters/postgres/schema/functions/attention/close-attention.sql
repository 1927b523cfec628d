-- Records that something does not wait for a person any more, and notifies the followers of the tenant. Returns whether it did.
create or replace function close_attention(p_tenant text, p_id text) returns boolean language plpgsql as $$
declare item attention_items;
begin
  delete from attention_items where tenant_id = p_tenant and id = p_id returning * into item;
  if not found then return false; end if;
  perform add_monitor_event(p_tenant, 'attention',
    jsonb_build_object('kind', item.kind, 'id', item.id, 'state', 'closed'), item.created_by);
  return true;
end $$;
