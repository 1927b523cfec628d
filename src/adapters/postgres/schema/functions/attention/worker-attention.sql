-- Notifies followers of workers that register, fall silent, come back, are drained or leave. A silent worker waits for a person until it is
-- back or deleted. Heartbeats of present workers pay for the conditions only.
create or replace function worker_back() returns trigger language plpgsql as $$
begin
  new.gone_at := null;
  return new;
end $$;
create or replace trigger workers_back before update of last_heartbeat_at on workers for each row
  when (old.gone_at is not null and new.last_heartbeat_at > old.last_heartbeat_at) execute function worker_back();

create or replace function worker_attention() returns trigger language plpgsql as $$
declare
  state text;
begin
  if tg_op = 'DELETE' then
    perform close_attention(old.tenant_id, old.worker_id::text);
    return null;
  end if;
  state := case when new.unregistered_at is not null then 'unregistered' when new.gone_at is not null then 'offline'
    else 'active' end;
  perform add_monitor_event(new.tenant_id, 'worker',
    jsonb_build_object('worker_id', new.worker_id, 'name', new.name, 'status', state), new.subject);
  if state = 'offline' then
    perform open_attention(new.tenant_id, 'worker_gone', new.worker_id::text, null, new.subject);
  else
    perform close_attention(new.tenant_id, new.worker_id::text);
  end if;
  return null;
end $$;
create or replace trigger workers_registered after insert on workers for each row execute function worker_attention();
create or replace trigger workers_attention after update on workers for each row
  when ((old.gone_at is null) <> (new.gone_at is null) or (old.unregistered_at is null) <> (new.unregistered_at is null)
    or (old.drained_at is null) <> (new.drained_at is null))
  execute function worker_attention();
create or replace trigger workers_attention_end after delete on workers for each row
  when (old.gone_at is not null) execute function worker_attention();
