-- A transaction number before which no event of a tenant's log was written at or after p_at: the start for a reader
-- that knows only a time. An event's time is the begin of its transaction, and its number is given at the transaction's
-- first write, so both have the same order except for the length of a transaction. Five minutes are longer than any
-- transaction of ours may take. The function searches by halves in the index of the log's order; an index by time would
-- cost every event another index entry.
create or replace function log_xid_before(p_tenant text, p_at timestamptz) returns xid8
language plpgsql stable as $$
declare
  below numeric := 0;
  above numeric;
  middle numeric;
  written timestamptz;
begin
  select xid::text::numeric + 1 into above from task_events
  where tenant_id = p_tenant and type in ('status', 'message') order by xid desc limit 1;
  if above is null then return '0'; end if;
  while above - below > 1 loop
    middle := trunc((below + above) / 2);
    select at into written from task_events
    where tenant_id = p_tenant and type in ('status', 'message') and xid >= middle::text::xid8
    order by xid, task_id, seq limit 1;
    if written is not null and written < p_at - interval '5 minutes' then below := middle; else above := middle; end if;
  end loop;
  return below::text::xid8;
end $$;
