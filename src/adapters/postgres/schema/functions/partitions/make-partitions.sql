-- make_partitions(now): makes the partition of `now` and as many beyond it as partitioned_tables says, for every table in it. One
-- result row for each that it made.
-- Runs as the owner of the tables, because only the owner may make them; its caller names nothing, and only a2a_admin may call it.
-- A partition is created by itself and then attached: creating it in place would lock the parent against readers and writers.
-- Service roles get no right on it: the policies of the parent are the only way in (../../../isolation/isolation-catalogue.ts).
create or replace function make_partitions(p_now timestamptz) returns table (parent text, partition text)
language plpgsql security definer as $$
declare
  one record;
begin
  -- Replicas take turns.
  perform pg_advisory_xact_lock(hashtextextended('switchyard partitions', 0));
  for one in
    select t.parent, t.unit, begins, begins + step as ends
    from partitioned_tables t, lateral (select ('1 ' || t.unit)::interval as step) s,
      -- From an hour back: a replica whose clock is behind may still make ids of the range before.
      generate_series(date_trunc(t.unit, (p_now - interval '1 hour') at time zone 'UTC'),
        date_trunc(t.unit, p_now at time zone 'UTC') + t.ahead * step, step) as begins
    order by t.parent, begins
  loop
    parent := one.parent;
    partition := parent || '_' || to_char(one.begins, case one.unit when 'month' then 'YYYY_MM' else 'YYYY_MM_DD' end);
    continue when to_regclass(format('%I', partition)) is not null;
    execute format('create table %I (like %I including all excluding indexes)', partition, parent);
    -- An operator's default privileges may have granted something.
    execute format('revoke all on %I from public, a2a_app, a2a_admin', partition);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition,
      uuid7_from(one.begins at time zone 'UTC'), uuid7_from(one.ends at time zone 'UTC'));
    return next;
  end loop;
end $$;

revoke execute on function make_partitions(timestamptz) from public;
grant execute on function make_partitions(timestamptz) to a2a_admin;
-- Nothing of the caller's is found by its name.
do $$ begin
  execute format('alter function make_partitions(timestamptz) set search_path = %I, pg_temp', current_schema());
end $$;
