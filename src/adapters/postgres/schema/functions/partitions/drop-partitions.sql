-- drop_partitions(now): drops every partition that ended more than keep_days of its table before `now` (never later than the
-- server's own clock), unless the keeper of its table still needs a row of it. One result row for each that was due: `dropped`,
-- `kept` (the keeper needs it) or `busy` (a transaction reads the table; the next call tries again).
-- Runs as the owner of the tables, because only the owner may drop them; its caller names nothing, and only a2a_admin may call it.
create or replace function drop_partitions(p_now timestamptz) returns table (parent text, partition text, outcome text)
language plpgsql security definer set lock_timeout = '1s' as $$
declare
  one       record;
  is_needed boolean;
  free      text[] := '{}';
  busy      text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended('switchyard partitions', 0));
  -- Keepers may read for long, so all are asked before the first lock is taken.
  for one in
    select t.parent, t.keeper, c.oid::regclass as found, c.relname::text as partition
    from partitioned_tables t
    join pg_inherits i on i.inhparent = to_regclass(format('%I', t.parent))
    join pg_class c on c.oid = i.inhrelid,
      lateral (select (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([0-9a-f-]{36})''\)'))[1]::uuid as below) b
    where uuid7_time(b.below) <= least(p_now, clock_timestamp()) - make_interval(days => coalesce(t.keep_days, 0))
    order by t.parent, c.relname
  loop
    is_needed := false;
    if one.keeper is not null then
      execute format('select %I($1)', one.keeper) into is_needed using one.found;
    end if;
    parent := one.parent;
    partition := one.partition;
    -- A keeper without an answer keeps.
    if is_needed is not false then
      outcome := 'kept';
      return next;
    else
      free := free || array[[parent, partition]];
    end if;
  end loop;
  for i in 1 .. coalesce(array_length(free, 1), 0) loop
    parent := free[i][1];
    partition := free[i][2];
    outcome := 'busy';
    -- One wait for each table: while this call waits, everybody else waits behind it.
    if parent <> all (busy) then
      begin
        execute format('drop table %I', partition);
        outcome := 'dropped';
      exception when lock_not_available then
        busy := busy || parent;
      end;
    end if;
    return next;
  end loop;
end $$;

revoke execute on function drop_partitions(timestamptz) from public;
grant execute on function drop_partitions(timestamptz) to a2a_admin;
-- Nothing of the caller's is found by its name.
do $$ begin
  execute format('alter function drop_partitions(timestamptz) set search_path = %I, pg_temp', current_schema());
end $$;
