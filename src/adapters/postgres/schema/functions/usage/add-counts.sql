-- The sum of two objects of counts, member by member.
create or replace function add_counts(p_one jsonb, p_other jsonb) returns jsonb language sql immutable as $$
  select case when p_one = '{}' then p_other when p_other = '{}' then p_one else (
    select jsonb_object_agg(key, n) from (
      select key, sum(value::bigint) as n
      from (select * from jsonb_each_text(p_one) union all select * from jsonb_each_text(p_other)) both_of_them
      group by key) summed) end
$$;
